import NephosAdmin
import NephosAssets
import NephosRunner
import NephosStorage
import Synchronization

/// An interface for use cases that is not the command line: it runs them on a fixture, answers questions from a script, and records
/// their output.
final class ScriptedCall: UseCaseCall {
    private let fixture: AdminFixture
    private let answers: Mutex<[String]>
    private let said = Mutex<[String]>([])

    private let handedIn: String

    /// - Parameters:
    ///   - answers: To what is asked, in order; without any nobody can answer.
    ///   - input: What is handed in.
    init(_ fixture: AdminFixture, answers: [String] = [], input: String = "") {
        self.fixture = fixture
        handedIn = input
        self.answers = Mutex(answers)
        isAnswered = !answers.isEmpty
    }

    /// Runs one of these use cases with the given input texts.
    func run(_ path: String, of group: UseCaseGroup, _ texts: InputTexts) async throws -> UseCaseAnswer {
        guard let useCase = group.useCases.first(where: { $0.path.joined(separator: " ") == path }) else {
            throw Failure("There is no use case \(path).")
        }
        return try await useCase.reading(texts).run(self)
    }

    /// Notes, questions and parts of answers.
    var heard: [String] { said.withLock(\.self) }

    let isAnswered: Bool
    let features: [Feature] = []
    var actor: UseCaseActor { .operatorByCommand("ada") }
    var hasStore: Bool { true }
    var engine: any StorageEngine { fixture.engine }
    var files: any AssetStore { get throws(Failure) { throw Failure("There are no files.") } }
    var filesLocation: String { "no folder" }
    var place: String { "the test" }
    var isDatabase: Bool { false }
    func now() -> Milliseconds { fixture.clock.read() }
    func randomBytes(_ count: Int) -> [UInt8] { fixture.dice.roll(count) }
    func note(_ text: String) { said.withLock { $0.append(text) } }
    func progress(_ text: String) {}
    func show(_ part: UseCaseAnswer) { said.withLock { $0.append("\(part.parts)") } }
    func input() -> [UInt8] { Array(handedIn.utf8) }
    func opened(_ file: InputFile) throws(Failure) -> OpenedFile { throw Failure("There is no file \(file.path).") }
    func command(_ words: String) -> String { "press \(words)" }

    func ask(_ question: String) -> String? {
        note(question)
        return answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
}
