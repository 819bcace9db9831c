import ArgumentParser
import NephosRunner

/// A command derived from the use case, or group of use cases, with its number.
///
/// The parser determines the arguments of a command from the property wrappers in a mirror of an empty value, and decodes a value
/// with their texts. Both are derived here from the fields of the use case.
struct DerivedCommand<Number: CommandNumber>: AsyncParsableCommand, CustomReflectable {
    private var prepared: PreparedUseCase?
    private var named: [any NamedPath] = []
    private var store = StoreOptions()

    private static var node: CommandTree.Node { CommandTree.current[Number.value] }

    static var configuration: CommandConfiguration {
        switch node {
        case .group(let group, let below):
            CommandConfiguration(
                commandName: group.name, abstract: group.abstract, discussion: group.discussion,
                subcommands: below.map(CommandTree.command))
        case .useCase(let useCase):
            CommandConfiguration(
                commandName: useCase.path.last, abstract: useCase.abstract, discussion: useCase.discussion)
        }
    }

    init() {}

    var customMirror: Mirror {
        guard case .useCase(let useCase) = Self.node else { return Mirror(self, children: []) }
        let inputs = useCase.fields.map { Mirror.Child(label: "_\($0.name)", value: $0.wrapper) }
        return Mirror(self, children: inputs + StoreOptions.children(of: useCase))
    }

    init(from decoder: any Decoder) throws {
        guard case .useCase(let useCase) = Self.node else { return }
        let container = try decoder.container(keyedBy: FieldKey.self)
        var texts = InputTexts()
        do {
            for input in useCase.inputs {
                for field in input.fields {
                    let found = try field.wrapper.decoded(from: container, for: FieldKey(field.name))
                    if !found.isEmpty { texts[field.name] = found }
                }
                // An invalid input is reported before a missing one that follows it.
                try input.check(texts)
            }
            prepared = try useCase.reading(texts)
            for field in useCase.fields {
                guard let type = field.word as? any NamedPath.Type else { continue }
                for text in texts[field.name] ?? [] { named.append(type.init(path: text)) }
            }
        } catch let wrong as WrongInput {
            try WrongUsage.end(wrong.text, container)
        }
        store = try StoreOptions(for: useCase, from: container)
    }

    func run() async throws {
        guard let prepared else { return }
        let call = try CommandCall(store, named)
        defer { call.close() }
        try call.show(try await prepared.run(call))
    }
}

/// The name of a field, as the parser requests it.
struct FieldKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}

/// Ends decoding with a sentence and the usage: the parser shows errors in this form only for validation failures of a group of
/// options.
private struct WrongUsage: ParsableArguments {
    @TaskLocal private static var text = ""

    static func end(_ text: String, _ container: KeyedDecodingContainer<FieldKey>) throws {
        _ = try $text.withValue(text) {
            try container.decode(OptionGroup<WrongUsage>.self, forKey: FieldKey("wrong usage"))
        }
    }

    func validate() throws { throw ValidationError(Self.text) }
}

/// The options of each command in addition to the inputs of its use case: the store. Their keys contain spaces, unlike any name of
/// a field.
struct StoreOptions {
    private(set) var data: DataOptions?
    private(set) var makesStore = false
    private(set) var settings = StoreSettings()

    init() {}

    static func children(of useCase: UseCase) -> [Mirror.Child] {
        var children: [Mirror.Child] = []
        if useCase.store == .existingOrNew {
            children.append(Mirror.Child(label: "_new store", value: OptionGroup<NewStoreOption>()))
        }
        if useCase.store != .none {
            children.append(Mirror.Child(label: "_data options", value: OptionGroup<DataOptions>()))
        }
        return children
    }

    init(for useCase: UseCase, from container: KeyedDecodingContainer<FieldKey>) throws {
        if useCase.store == .existingOrNew {
            let option = try container.decode(OptionGroup<NewStoreOption>.self, forKey: FieldKey("new store"))
            makesStore = option.wrappedValue.makesStore
        }
        guard useCase.store != .none else { return }
        data = try container.decode(OptionGroup<DataOptions>.self, forKey: FieldKey("data options")).wrappedValue
        settings.acceptsLostKey = useCase.store == .existingWithoutKey
    }
}
