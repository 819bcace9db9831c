package import NephosStorage

/// A type of input values: one word, one or none, or a list.
package protocol InputValue: Sendable {
    static var word: any InputWord.Type { get }
    static var count: InputField.Count { get }
    /// - Parameter name: The name of the field, for the operator.
    static func read(_ texts: [String], of name: String) throws(WrongInput) -> Self
}

/// A value that an operator types as one word.
package protocol InputWord: InputValue {
    /// nil for text that is not a valid value.
    init?(typed text: String)
    /// The value in the form in which it is typed.
    var asTyped: String { get }
    /// All valid values, if they are few.
    static var choices: [String] { get }
}

extension InputWord {
    package static var word: any InputWord.Type { Self.self }
    package static var count: InputField.Count { .one }
    package static var choices: [String] { [] }

    package static func read(_ texts: [String], of name: String) throws(WrongInput) -> Self {
        guard let text = texts.last else { throw WrongInput("Pass \(name).") }
        guard let value = Self(typed: text) else {
            let expected = choices.isEmpty ? "" : " Expected one of: \(choices.joined(separator: ", "))."
            throw WrongInput("\(text) is not a valid \(name).\(expected)")
        }
        return value
    }
}

extension Optional: InputValue where Wrapped: InputWord {
    package static var word: any InputWord.Type { Wrapped.self }
    package static var count: InputField.Count { .oneOrNone }

    package static func read(_ texts: [String], of name: String) throws(WrongInput) -> Wrapped? {
        texts.isEmpty ? nil : try Wrapped.read(texts, of: name)
    }
}

extension Array: InputValue where Element: InputWord {
    package static var word: any InputWord.Type { Element.self }
    package static var count: InputField.Count { .many }

    package static func read(_ texts: [String], of name: String) throws(WrongInput) -> [Element] {
        var words: [Element] = []
        for text in texts { words.append(try Element.read([text], of: name)) }
        return words
    }
}

// MARK: Words

extension String: InputWord {
    package init?(typed text: String) { self = text }
    package var asTyped: String { self }
}

extension Int: InputWord {
    package init?(typed text: String) { self.init(text) }
    package var asTyped: String { String(self) }
}

/// One of a few values, each with a word.
extension InputWord where Self: RawRepresentable & CaseIterable, RawValue == String {
    package init?(typed text: String) { self.init(rawValue: text) }
    package var asTyped: String { rawValue }
    package static var choices: [String] { allCases.map(\.rawValue) }
}

extension Environment: InputWord {}
