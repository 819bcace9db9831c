/// An operation for operators: its name, its inputs, its effect on the store, and its implementation.
///
/// Commands are derived from use cases (docs/decisions/0025), and so is any other interface for operators.
package struct UseCase: Sendable {
    package enum Effect: Sendable {
        case reads, changes
        /// What goes does not come back, or only by another command, and what was shown was seen: the operator is asked, or passes
        /// ``Input/yes``. Some ask only if their inputs, and what is stored, have such an effect.
        case destroys
    }

    /// The kind of store that a use case needs.
    package enum StoreNeed: Sendable {
        case none
        /// An existing one.
        case existing
        /// An existing one, or a new one if the operator confirms.
        case existingOrNew
        /// One whose secrets can perhaps no longer be decrypted.
        case existingWithoutKey
    }

    /// Its name, from the outermost group: `["webhook", "create"]`.
    package let path: [String]
    package let effect: Effect
    package let store: StoreNeed
    /// A sentence, for people.
    package let abstract: String
    package let discussion: String
    package let inputs: [InputDescription]
    /// It answers tables, which ``Output`` shows.
    let lists: Bool
    private let prepare: @Sendable (InputTexts) throws(WrongInput) -> Body

    typealias Body = @Sendable (any UseCaseCall) async throws -> UseCaseAnswer

    /// - Parameters:
    ///   - path: Words with a space between them: `webhook create`.
    ///   - lists: It answers tables: it takes `--output` besides its inputs, and prints them as JSON where that says so.
    ///   - inputs: In the order in which an operator sees them. All fields of one use case have different names.
    ///   - run: Gets a value for each input. It communicates with the operator only through the call and the answer.
    package init<each Value: Sendable>(
        _ path: String, _ effect: Effect, store: StoreNeed = .existing, lists: Bool = false, abstract: String,
        discussion: String = "",
        _ inputs: repeat Input<each Value>,
        run: @escaping @Sendable (any UseCaseCall, repeat each Value) async throws -> UseCaseAnswer
    ) {
        self.path = path.split(separator: " ").map(String.init)
        (self.effect, self.store, self.lists) = (effect, store, lists)
        (self.abstract, self.discussion) = (abstract, discussion)
        var descriptions: [InputDescription] = []
        for input in repeat each inputs { descriptions.append(input.description) }
        let output = lists ? Input<Output>.output : nil
        if let output { descriptions.append(output.description) }
        self.inputs = descriptions
        let inputs = (repeat each inputs)
        prepare = { texts throws(WrongInput) in
            let values = (repeat try (each inputs).value(of: texts))
            let output = try output?.value(of: texts)
            return { call in
                let answer = try await run(call, repeat each values)
                return output?.showing(answer) ?? answer
            }
        }
    }

    /// Whether an operator chooses how what it reads is shown. What changes something prints what it did for people.
    var takesOutput: Bool { effect != .reads || fields.contains { $0.name == "output" } }

    package var fields: [InputField] { inputs.flatMap(\.fields) }

    /// The use case with its typed inputs, ready to run.
    package func reading(_ texts: InputTexts) throws(WrongInput) -> PreparedUseCase {
        PreparedUseCase(useCase: self, body: try prepare(texts))
    }
}

/// Use cases that belong together: `token create`, `token list`.
package struct UseCaseGroup: Sendable {
    /// The first word of each, or the next word after the enclosing group.
    package let name: String
    package let abstract: String
    package let discussion: String
    package let useCases: [UseCase]
    /// Groups inside this one: `flag rule add`.
    package let groups: [UseCaseGroup]

    package init(
        _ name: String, abstract: String, discussion: String = "", _ useCases: [UseCase], groups: [UseCaseGroup] = []
    ) {
        self.name = name
        self.abstract = abstract
        self.discussion = discussion
        self.useCases = useCases
        self.groups = groups
    }

    /// A use case without a group, called by a single word.
    package init(_ useCase: UseCase) {
        self.init(useCase.path.joined(separator: " "), abstract: useCase.abstract, [useCase])
    }

    /// The use case without a group; nil for a group.
    package var single: UseCase? { useCases.first { $0.path == [name] } }
}
