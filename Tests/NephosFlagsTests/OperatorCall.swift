import NephosAssets
import NephosFlags
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Synchronization

/// The operator of a ``FlagCloud``, who runs commands: arguments are parsed by the fields of the use case, as on the command line.
final class OperatorCall: UseCaseCall {
    private let cloud: SmallCloud
    private let name: String
    private let told = Mutex("")
    let features: [Feature] = [.flags]

    init(_ cloud: SmallCloud, name: String) { (self.cloud, self.name) = (cloud, name) }

    /// The output of a command, and whether it failed.
    struct Outcome: CustomStringConvertible {
        var output = ""
        var notes = ""
        var failure: String?
        var description: String { "\(output)\(notes)\(failure ?? "")" }
    }

    func run(_ words: [String]) async throws -> Outcome {
        var (outcome, all) = (Outcome(), Feature.flags.useCases)
        all += all.flatMap(\.groups)
        let useCases = all.flatMap(\.useCases)
        guard let useCase = useCases.first(where: { Array(words.prefix($0.path.count)) == $0.path }) else {
            throw SystemError("there is no command \(words)", code: 2)
        }
        do {
            let answer = try await useCase.reading(try texts(words.dropFirst(useCase.path.count), of: useCase)).run(
                self)
            for part in answer.parts { try add(part, to: &outcome) }
            outcome.failure = answer.failure?.text
        } catch let failure as Failure {
            outcome.failure = failure.text
        } catch let wrong as WrongInput {
            outcome.failure = wrong.text
        }
        outcome.notes = told.withLock(\.self) + outcome.notes
        return outcome
    }

    private func texts(_ words: ArraySlice<String>, of useCase: UseCase) throws -> InputTexts {
        var texts = InputTexts()
        var places = useCase.fields.filter { $0.kind == .argument }[...]
        var words = words
        while let word = words.popFirst() {
            if word.hasPrefix("--") {
                guard let field = useCase.fields.first(where: { "--\($0.name)" == word }) else {
                    throw SystemError("there is no option \(word)", code: 2)
                }
                texts[field.name, default: []].append(field.kind == .flag ? "" : words.popFirst() ?? "")
            } else {
                guard let field = places.first else { throw SystemError("too many words: \(word)", code: 2) }
                texts[field.name, default: []].append(word)
                if field.count != .many { places.removeFirst() }
            }
        }
        return texts
    }

    private func add(_ part: UseCaseAnswer.Part, to outcome: inout Outcome) throws {
        switch part {
        case .text(let text): outcome.output += text + "\n"
        case .bytes(let bytes): outcome.output += String(decoding: bytes, as: UTF8.self)
        case .table(let head, let rows):
            outcome.output += ([head] + rows).map { $0.joined(separator: " | ") + "\n" }.joined()
        case .file(let file, let bytes): try file.write(bytes)
        case .note(let text), .emptyTable(_, let text): outcome.notes += text + "\n"
        }
    }

    var actor: UseCaseActor { .operatorByCommand(name) }
    var hasStore: Bool { true }
    var engine: any StorageEngine { cloud.engine }
    var files: any AssetStore { get throws(Failure) { throw Failure("There are no files.") } }
    var filesLocation: String { "no folder" }
    var place: String { "the test" }
    var isDatabase: Bool { false }
    func now() -> Milliseconds { cloud.inputs.now }
    func randomBytes(_ count: Int) -> [UInt8] { cloud.inputs.ofOperator.randomBytes(count) }
    func note(_ text: String) { told.withLock { $0 += text + "\n" } }
    func progress(_ text: String) {}
    func show(_ part: UseCaseAnswer) {}
    var isAnswered: Bool { false }
    func ask(_ question: String) -> String? { nil }
    func input() -> [UInt8] { [] }
    func command(_ words: String) -> String { "nephos \(words)" }
}

extension FlagCloud {
    /// Runs `nephos flag …` while the server is running; `CONTAINER` is replaced by its container.
    @discardableResult
    func run(_ words: String..., by name: String = "ada") async throws -> OperatorCall.Outcome {
        try await OperatorCall(cloud, name: name).run(
            ["flag"] + words.map { $0 == "CONTAINER" ? SmallCloud.container : $0 })
    }
}
