/// What an operator can have done: what it is called, what it takes, what it does to what is stored, and what runs.
///
/// Commands are derived from use cases (docs/decisions/0025), and so is whatever else lets an operator in.
package struct UseCase: Sendable {
    package enum Effect: Sendable {
        case reads, changes
        /// What goes does not come back, or only by another command: the operator is asked, or passes ``Input/yes``.
        case destroys
    }

    /// What a use case needs of a store before it runs.
    package enum StoreNeed: Sendable {
        case none
        /// One that is there.
        case existing
        /// One that is there, or a new one if the operator says so.
        case existingOrNew
        /// One whose secrets perhaps nobody can open any more.
        case existingWithoutKey
    }

    /// What it is called, from the outside in: `["webhook", "create"]`.
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
    ///   - run: Gets a value for each input. It talks to the operator through the call and the answer only.
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

    /// The use case with what was typed for it, ready to run.
    package func reading(_ texts: InputTexts) throws(WrongInput) -> PreparedUseCase {
        PreparedUseCase(useCase: self, body: try prepare(texts))
    }
}

/// Use cases that belong together: `token create`, `token list`.
package struct UseCaseGroup: Sendable {
    /// The first word of each, or the next behind the group that it is in.
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

    /// One that stands by itself, called by a single word.
    package init(_ useCase: UseCase) {
        self.init(useCase.path.joined(separator: " "), abstract: useCase.abstract, [useCase])
    }

    /// The one that stands by itself; nil for a group.
    package var single: UseCase? { useCases.first { $0.path == [name] } }
}
