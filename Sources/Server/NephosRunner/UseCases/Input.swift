/// The texts typed for the inputs of a use case, by ``InputField/name``. A field without a text is absent; a flag that is set has
/// one.
package typealias InputTexts = [String: [String]]

/// Why typed text is not valid: a sentence for the operator.
package struct WrongInput: Error {
    package let text: String

    package init(_ text: String) { self.text = text }
}

/// One input as an operator sees it.
package struct InputField: Sendable {
    package enum Kind: Sendable {
        /// Identified by its position.
        case argument
        /// Identified by its name.
        case option
        /// True if present.
        case flag
    }

    /// How many texts it takes.
    package enum Count: Sendable { case one, oneOrNone, many }

    /// Words with `-` between them; see ``InputTexts``.
    package var name: String
    package var kind: Kind
    package var help: String
    /// A letter as an alternative name of an option or flag.
    package var shortName: Character?
    /// The placeholder for the value in help; nil for the name.
    package var valueName: String?
    /// Which texts are accepted.
    package var word: any InputWord.Type
    package var count: Count
    /// The default if nothing is typed. Without one, an argument or option of ``Count/one`` is required, and an argument of
    /// ``Count/many`` at least once.
    package var standard: String?
    /// Several texts may follow one name.
    package var takesSeveral = false
}

/// An input without its value.
package struct InputDescription: Sendable {
    package let fields: [InputField]
    /// Refuses typed text that is not a valid value.
    package let check: @Sendable (InputTexts) throws(WrongInput) -> Void
}

/// An input of a use case, or several that form one value: its fields, and how typed text is converted to the value.
package struct Input<Value: Sendable>: Sendable {
    package let fields: [InputField]
    private let read: @Sendable (InputTexts) throws(WrongInput) -> Value

    /// One value composed of several inputs.
    ///
    /// - Parameter value: Combines the values, and refuses combinations that are not valid.
    package init<each Part: Sendable>(
        _ parts: repeat Input<each Part>,
        value: @escaping @Sendable (repeat each Part) throws(WrongInput) -> Value
    ) {
        var fields: [InputField] = []
        for part in repeat each parts { fields += part.fields }
        self.fields = fields
        let parts = (repeat each parts)
        read = { texts throws(WrongInput) in try value(repeat try (each parts).value(of: texts)) }
    }

    private init(_ field: InputField, _ read: @escaping @Sendable (InputTexts) throws(WrongInput) -> Value) {
        fields = [field]
        self.read = read
    }

    /// - Throws: ``WrongInput`` for text that is not valid, and for missing text.
    package func value(of texts: InputTexts) throws(WrongInput) -> Value { try read(texts) }

    var description: InputDescription {
        InputDescription(fields: fields) { [read] texts throws(WrongInput) in _ = try read(texts) }
    }

    /// The same, with some values refused.
    ///
    /// - Parameter reason: A sentence that is shown when a value is refused.
    package func refusing(
        _ reason: String, unless isAllowed: @escaping @Sendable (Value) -> Bool
    ) -> Input {
        Input(self) { value throws(WrongInput) in
            guard isAllowed(value) else { throw WrongInput(reason) }
            return value
        }
    }
}

extension Input where Value: InputValue {
    /// Identified by its position. A list has at least one word.
    package static func argument(_ name: String, help: String) -> Input { plain(name, .argument, help: help) }

    /// Identified by its name. A list may be empty.
    ///
    /// - Parameters:
    ///   - valueName: The placeholder for the value in help; nil for the name.
    ///   - takesSeveral: Several words of a list may follow one name.
    package static func option(
        _ name: String, valueName: String? = nil, takesSeveral: Bool = false, help: String
    ) -> Input {
        plain(name, .option, valueName: valueName, takesSeveral: takesSeveral, help: help)
    }

    fileprivate static func plain(
        _ name: String, _ kind: InputField.Kind, valueName: String? = nil, standard: String? = nil,
        takesSeveral: Bool = false, help: String
    ) -> Input {
        let field = InputField(
            name: name, kind: kind, help: help, valueName: valueName, word: Value.word, count: Value.count,
            standard: standard, takesSeveral: takesSeveral)
        return Input(field) { texts throws(WrongInput) in
            try Value.read(texts[name] ?? standard.map { [$0] } ?? [], of: name)
        }
    }
}

extension Input where Value: InputWord {
    /// Identified by its name; `standard` if it is not typed.
    package static func option(_ name: String, default standard: Value, help: String) -> Input {
        plain(name, .option, standard: standard.asTyped, help: help)
    }
}

extension Input where Value == Bool {
    /// Whether the flag is present.
    package static func flag(_ name: String, short: Character? = nil, help: String) -> Input {
        let field = InputField(
            name: name, kind: .flag, help: help, shortName: short, word: String.self, count: .oneOrNone)
        return Input(field) { texts in texts[name] != nil }
    }
}
