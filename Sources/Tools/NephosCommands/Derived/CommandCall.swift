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
    private let named: NamedFiles
    private let secretKeys: Result<SecretKeys?, Failure>
    let features = Nephos.features

    /// - Parameter named: The files and folders that the command line names.
    init(_ options: StoreOptions, _ named: [any NamedPath]) throws(Failure) {
        self.options = options
        self.named = try NamedFiles(named, becoming: options.data?.user)
        secretKeys = options.data == nil ? .success(nil) : KeyPlace.currentKeys
    }

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

    private var settings: StoreSettings {
        var settings = options.settings
        settings.secretKeys = secretKeys
        settings.beforeEntering = { [named] user throws(Failure) in try named.hold(for: user) }
        return settings
    }

    var hasStore: Bool { get throws(Failure) { try data.exists(settings) } }

    var engine: any StorageEngine {
        get throws {
            try opened.withLock { store in
                let open = try store ?? data.open(creating: options.makesStore, settings)
                store = open
                return open.engine
            }
        }
    }

    var files: any AssetStore { get throws(Failure) { try data.files(settings) } }
    var filesLocation: String { options.data?.shownFiles ?? "" }
    var mail: any OutgoingMail {
        get throws {
            var settings = FeatureSettings(environment: CommandContext.current.environment)
            settings.mailFolder = options.data?.mailFolder
            let mail = try Nephos.outgoing.make(settings).mail
            // The store names the program that sends mails.
            try options.data?.enter(self.settings)
            return mail
        }
    }
    var publicURL: PublicURL? { CommandContext.variable("NEPHOS_PUBLIC_URL").flatMap { PublicURL($0) } }
    var place: String { options.data?.shown ?? "" }
    var isDatabase: Bool { options.data?.isDatabase ?? false }

    // MARK: Time and randomness

    func now() -> Milliseconds { inputs.now() }
    func randomBytes(_ count: Int) -> [UInt8] { inputs.randomBytes(count) }

    // MARK: The operator

    func note(_ text: String) { Terminal.note(text) }
    func progress(_ text: String) { Terminal.progress(text) }
    func show(_ part: UseCaseAnswer) throws(Failure) { try Terminal.show(part, files: named) }
    var isAnswered: Bool { Terminal.isAnswered }
    func ask(_ question: String) -> String? { Terminal.ask(question) }
    func input() throws(Failure) -> [UInt8] { try Terminal.input() }
    func inputPieces() -> InputPieces { Terminal.inputPieces() }
    func opened(_ file: InputFile) throws(Failure) -> OpenedFile { try named.opened(file) }
    func create(_ file: NewSecretFile, _ bytes: [UInt8]) throws(Failure) { try named.create(file, bytes) }
    func folder(_ folder: NewFolder) throws(Failure) -> FolderSink { try named.folder(folder) }
    func edit(_ text: String, in name: String) throws(Failure) -> String { try Editor().edit(text, in: name) }
    func command(_ words: String) -> String { options.data?.command(words) ?? "nephos \(words)" }
}
