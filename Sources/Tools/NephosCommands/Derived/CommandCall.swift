import NephosAdmin
import NephosAssets
import NephosRunner
import NephosStorage
import Synchronization

/// The environment of a use case in a command: its store, streams and files.
final class CommandCall: UseCaseCall {
    private let options: StoreOptions
    private let opened = Mutex<OpenStore?>(nil)
    private let inputs = Inputs.live
    let features = Nephos.features

    init(_ options: StoreOptions) { self.options = options }

    /// Closes the store, if it was opened.
    func close() { opened.withLock { $0?.engine.close() } }

    var actor: UseCaseActor {
        // With sudo, the operator is the user who invoked it.
        let environment = CommandContext.current.environment
        return .operatorByCommand(environment["SUDO_USER"] ?? environment["USER"] ?? "operator")
    }

    // MARK: The store

    private var data: DataOptions {
        get throws(Failure) {
            guard let data = options.data else { throw Failure("This command does not use a store.") }
            return data
        }
    }

    var hasStore: Bool { get throws(Failure) { try data.exists } }

    var engine: any StorageEngine {
        get throws {
            try opened.withLock { store in
                let open = try store ?? data.open(creating: options.makesStore, options.settings)
                store = open
                return open.engine
            }
        }
    }

    var files: any AssetStore { get throws(Failure) { try data.files() } }
    var filesPlace: String { options.data?.shownFiles ?? "" }
    var mail: any OutgoingMail {
        get throws {
            var settings = FeatureSettings(environment: CommandContext.current.environment)
            settings.mailFolder = options.data?.mailFolder
            return try Nephos.outgoing.make(settings).mail
        }
    }
    var place: String { options.data?.shown ?? "" }
    var isDatabase: Bool { options.data?.isDatabase ?? false }

    // MARK: Time and randomness

    func now() -> Milliseconds { inputs.now() }
    func randomBytes(_ count: Int) -> [UInt8] { inputs.randomBytes(count) }

    // MARK: The operator

    func note(_ text: String) { Terminal.note(text) }
    func progress(_ text: String) { Terminal.progress(text) }
    func show(_ part: UseCaseAnswer) throws(Failure) { try Terminal.show(part) }
    var isAnswered: Bool { Terminal.isAnswered }
    func ask(_ question: String) -> String? { Terminal.ask(question) }
    func input() -> [UInt8] { Terminal.input() }
    func pieces(ofFileOrInput file: String?) throws(Failure) -> InputPieces {
        if let file { return try TextFile(path: file).pieces() }
        return Terminal.inputPieces()
    }
    func contents(of file: String) throws(Failure) -> [UInt8] { try TextFile(path: file).read() }
    func files(at path: String, endingIn ending: String) throws(Failure) -> [String] {
        try TextFile(path: path).paths(endingIn: ending)
    }
    func command(_ words: String) -> String { options.data?.command(words) ?? "nephos \(words)" }
}
