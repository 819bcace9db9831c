import ArgumentParser
import NephosRunner

/// A property wrapper of the parser that takes the texts of one field.
protocol InputWrapper: Decodable {
    /// The typed texts, or the defaults; only for a decoded value.
    var texts: [String] { get }
}

extension InputWrapper {
    /// The texts typed for a wrapper of this type.
    func decoded(from container: KeyedDecodingContainer<FieldKey>, for key: FieldKey) throws -> [String] {
        try container.decode(Self.self, forKey: key).texts
    }
}

extension InputField {
    var wrapper: any InputWrapper { wrapper(word) }

    private func wrapper<Word: InputWord>(_ word: Word.Type) -> any InputWrapper {
        switch kind {
        case .argument: argument(word)
        case .option: option(word)
        case .flag: Flag(wrappedValue: false, name: names, help: argumentHelp)
        }
    }

    private func argument<Word: InputWord>(_ word: Word.Type) -> any InputWrapper {
        switch count {
        case .one: Argument<Typed<Word>>(help: argumentHelp)
        case .oneOrNone: Argument<Typed<Word>?>(help: argumentHelp)
        case .many: Argument<[Typed<Word>]>(help: argumentHelp)
        }
    }

    private func option<Word: InputWord>(_ word: Word.Type) -> any InputWrapper {
        switch count {
        case .one:
            if let value = standard.flatMap(Typed<Word>.init(argument:)) {
                Option(wrappedValue: value, name: names, help: argumentHelp)
            } else {
                Option<Typed<Word>>(name: names, help: argumentHelp)
            }
        case .oneOrNone: Option<Typed<Word>?>(name: names, help: argumentHelp)
        case .many:
            Option<[Typed<Word>]>(
                wrappedValue: [], name: names, parsing: takesSeveral ? .upToNextOption : .singleValue,
                help: argumentHelp)
        }
    }

    private var names: NameSpecification {
        let long = NameSpecification.Element.customLong(name)
        return NameSpecification(shortName.map { [.customShort($0), long] } ?? [long])
    }

    private var argumentHelp: ArgumentHelp { ArgumentHelp(help, valueName: valueName) }
}

/// A text that was validated as a value of a kind.
struct Typed<Word: InputWord>: ExpressibleByArgument {
    let text: String

    init?(argument: String) {
        guard Word(typed: argument) != nil else { return nil }
        text = argument
    }

    var defaultValueDescription: String { text }
    static var allValueStrings: [String] { Word.choices }
    static var defaultCompletionKind: CompletionKind { Word.choices.isEmpty ? .default : .list(Word.choices) }
}

// MARK: The parser's wrappers

/// The parser's state of a wrapper for one field.
protocol TypedTexts {
    var texts: [String] { get }
}

extension Typed: TypedTexts {
    var texts: [String] { [text] }
}

extension Optional: TypedTexts where Wrapped: TypedTexts {
    var texts: [String] { map(\.texts) ?? [] }
}

extension Array: TypedTexts where Element: TypedTexts {
    var texts: [String] { flatMap(\.texts) }
}

extension Argument: InputWrapper where Value: TypedTexts {
    var texts: [String] { wrappedValue.texts }
}

extension Option: InputWrapper where Value: TypedTexts {
    var texts: [String] { wrappedValue.texts }
}

extension Flag: InputWrapper where Value == Bool {
    var texts: [String] { wrappedValue ? ["yes"] : [] }
}
