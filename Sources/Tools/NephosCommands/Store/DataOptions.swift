import ArgumentParser
import Foundation
import NephosAdmin
import NephosAssets
import NephosRunner
import NephosSQLite
import NephosStorage

#if Postgres
    import NephosPostgres
#endif

/// Where everything is stored, the same for every command.
struct DataOptions: ParsableArguments {
    @Option(
        name: .customLong("data"),
        help: ArgumentHelp(
            "The folder that holds everything; with --store, local files only. (default: ./data)", valueName: "dir"))
    var namedFolder: String?

    var folder: String { namedFolder ?? DataOptions.standardFolder }

    @Option(
        name: .customLong("store"),
        help: ArgumentHelp(
            """
            Store everything in a PostgreSQL database, postgres://USER@HOST/DATABASE. Set NEPHOS_STORE instead to \
            keep a password out of the list of processes.
            """, valueName: "url"))
    var store: String?

    static var standardFolder: String { CommandContext.variable("NEPHOS_DATA") ?? "./data" }

    /// The value of ``store`` or of the environment variable.
    private var storeURL: String? { store ?? CommandContext.variable("NEPHOS_STORE") }

    /// Where files of assets are: `NEPHOS_ASSETS`, or `assets` in the data folder.
    static func assetFolder(in folder: String) -> String {
        CommandContext.variable("NEPHOS_ASSETS") ?? "\(folder)/assets"
    }

    /// Makes this process run as the owner of the data folder, if root runs it. With a database, as the owner of what it has in
    /// folders, before it uses that: the database knows the caller.
    ///
    /// - Returns: The folder, without links in its path.
    /// - Throws: ``Failure`` if that is not possible; then nothing in the folder may be opened.
    @discardableResult
    func enter(_ settings: StoreSettings = StoreSettings()) throws(Failure) -> String {
        // What is used later is resolved while the process can still see it.
        let (data, assets) = (resolvedFolder, resolvedAssets)
        let folder = isDatabase ? assets : data
        if let user = try FolderUser.entering(folder) {
            try settings.beforeEntering(user)
            try user.become()
        }
        return folder
    }

    /// Whom a process of root is to become; nil if it stays who it is.
    var user: FolderUser? { FolderUser.ofStore(isDatabase ? resolvedAssets : resolvedFolder) }

    /// The folder, without links in its path.
    var resolvedFolder: String { ResolvedPath.of(folder) }

    private var resolvedAssets: String { ResolvedPath.of(DataOptions.assetFolder(in: folder)) }

    /// The files of assets, in a folder of their own.
    func files(_ settings: StoreSettings = StoreSettings()) throws(Failure) -> any AssetStore {
        try enter(settings)
        let folder = resolvedAssets
        do { return try DiskAssetStore(folder: folder) } catch {
            throw Failure("The folder of files, \(folder), cannot be used: \(error)")
        }
    }

    /// The absolute path of the folder of files, for people.
    var shownFiles: String {
        URL(fileURLWithPath: DataOptions.assetFolder(in: folder)).standardizedFileURL.path
    }

    /// The folder to which mails are written, if they are sent as files.
    var mailFolder: String { "\(resolvedFolder)/mail" }

    /// Whether everything is in a database instead of the folder.
    var isDatabase: Bool { storeURL != nil }

    /// The database, if one is configured; nil for the folder.
    ///
    /// - Throws: ``Failure`` if the configured address is not valid, or if two stores are named.
    func database() throws(Failure) -> PostgresAddress? {
        guard let storeURL else { return nil }
        // A command that deletes must not find its store in the environment while its arguments name another one.
        if try folderIsStore() {
            if let namedFolder, store == nil {
                throw Failure(
                    """
                    --data names the store in \(namedFolder), and NEPHOS_STORE names another, \(shown). For the folder, unset \
                    NEPHOS_STORE; for the database, leave out --data, or also pass --store "$NEPHOS_STORE".
                    """, kind: .wrongUsage)
            }
            guard CommandContext.variable("NEPHOS_ASSETS") != nil else {
                throw Failure(
                    """
                    The files of \(shown) would be in \(shownFiles), but these belong to the store in \(absoluteFolder). Set \
                    NEPHOS_ASSETS to the folder of the database's files (nephos store copy wrote them to --to-assets), or \
                    NEPHOS_DATA to a folder without a store.
                    """, kind: .wrongUsage)
            }
        }
        guard let address = PostgresAddress(storeURL) else {
            throw PostgresAddress.failure(store == nil ? "NEPHOS_STORE" : "--store")
        }
        return address
    }

    /// Where everything is stored, for people. Contains no secret.
    var shown: String {
        guard storeURL != nil else { return folder }
        return storeURL.flatMap(PostgresAddress.init)?.shown ?? "PostgreSQL"
    }

    /// The options to append to a suggested command, so that it uses the same store.
    var asWritten: String {
        if store != nil { return #" --store "$NEPHOS_STORE""# }
        return isDatabase || folder == DataOptions.standardFolder ? "" : " --data \(folder)"
    }

    /// Whether the folder is a store, whatever the commands use.
    private func folderIsStore() throws(Failure) -> Bool {
        do { return try SQLiteEngine.isStore(resolvedFolder) } catch { throw Failure(error.description) }
    }

    /// The absolute path of ``folder``, because a missing store is often caused by a wrong working directory.
    private var absoluteFolder: String { URL(fileURLWithPath: folder).standardizedFileURL.path }

    /// A suggested command in a message, such as `token create iCloud.x`.
    func command(_ words: String) -> String { "nephos \(words)\(asWritten)" }

    /// Whether there is a store to open. A missing database is detected when it is opened.
    func exists(_ settings: StoreSettings) throws(Failure) -> Bool {
        guard !isDatabase else { return true }
        let folder = try enter(settings)
        try checkFolder()
        if try folderIsStore() { return true }
        guard !BackupFolder.isUnfinished(folder) else {
            throw Failure(
                """
                \(absoluteFolder) has a backup that was not completed, so it is no store. Use another backup, or create one again in \
                a new folder.
                """)
        }
        return false
    }

    /// Opens the store, runs `body`, and closes the store. Errors of the store are thrown as ``Failure``.
    func open<Answer>(
        creating: Bool, settings: StoreSettings, _ body: (OpenStore) async throws -> Answer
    ) async throws -> Answer {
        let store = try open(creating: creating, settings)
        defer { store.engine.close() }
        do { return try await body(store) } catch { throw failure(error) }
    }

    /// Opens the store.
    ///
    /// - Parameter creating: Whether a store is created in a folder without one; otherwise that is a failure, so that a command in
    ///   another directory does not silently create a second store.
    func open(creating: Bool, _ settings: StoreSettings) throws -> OpenStore {
        if !isDatabase {
            try enter(settings)
            try checkFolder()
        }
        guard try creating || exists(settings) else {
            throw Failure(
                "There is no store in \(absoluteFolder). Pass its folder with --data, or create one with: "
                    + command("container create ID --new-store"))
        }
        do { return try open(settings) } catch { throw failure(error) }
    }

    /// - Throws: ``Failure`` if the data folder, or one above it, is a file.
    private func checkFolder() throws(Failure) {
        var url = URL(fileURLWithPath: absoluteFolder)
        while PathKind(url.path) == nil, url.path != "/" { url.deleteLastPathComponent() }
        guard PathKind(url.path) == .file else { return }
        let place = url.path == absoluteFolder ? "" : "\(absoluteFolder) cannot be a folder: "
        throw Failure("\(place)\(url.path) is a file, not a folder. Pass a folder with --data.")
    }

    private func failure(_ error: any Error) -> any Error { Failure(error, proposing: command) ?? error }

    private func open(_ settings: StoreSettings) throws -> OpenStore {
        guard let address = try database() else {
            var options = SQLiteOptions()
            options.tables = settings.tables
            options.committed = settings.committed
            options.secretKeys = try settings.secretKeys.get()
            options.acceptsLostKey = settings.acceptsLostKey
            return .sqlite(try SQLiteEngine(directory: enter(settings), options: options))
        }
        #if Postgres
            var options = PostgresOptions()
            options.tables = settings.tables
            options.connections = settings.connections
            options.committed = settings.committed
            if let keys = try settings.secretKeys.get() { options.secretKeys = keys }
            options.acceptsLostKey = settings.acceptsLostKey
            options.note = Terminal.note
            let engine = try PostgresEngine(try DataOptions.target(address), options: options)
            try engine.followClock()
            return .postgres(engine)
        #else
            throw Failure(
                "This nephos was built without PostgreSQL (the trait Postgres), so it cannot open the \(address.shown).",
                kind: .wrongUsage)
        #endif
    }

    #if Postgres
        static func target(_ address: PostgresAddress) throws(Failure) -> ConnectionTarget {
            do {
                return try ConnectionTarget(url: address.url)
            } catch {
                guard case .failed(let text) = error else { throw Failure("\(error)", kind: .wrongUsage) }
                throw Failure("The address in --store or NEPHOS_STORE cannot be read: \(text).", kind: .wrongUsage)
            }
        }
    #endif
}

/// The option that creates a store if there is none yet.
struct NewStoreOption: ParsableArguments {
    @Flag(name: .customLong("new-store"), help: "Create a store in the data folder if it has none yet.")
    var makesStore = false
}

extension Inputs {
    /// The system's clock, and the system's random number generator, which is cryptographically secure.
    static var live: Inputs {
        Inputs(
            now: WallClock.now,
            randomBytes: { count in
                var generator = SystemRandomNumberGenerator()
                return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            })
    }
}
