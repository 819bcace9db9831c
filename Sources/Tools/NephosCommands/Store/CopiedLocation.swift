import Foundation
import NephosAdmin
import NephosAssets
import NephosRunner
import NephosSQLite
import NephosStorage

#if Postgres
    import NephosPostgres
#endif

/// A store as an operator names it to be copied or filled: a folder, or the address of a database.
struct CopiedLocation {
    private enum Place {
        case folder(String)
        case database(PostgresAddress)
    }

    private let place: Place
    private let keyFile: InputFile?
    private let assets: String

    /// - Parameters:
    ///   - keyFile: The file of keys; nil for the folder's own, or what the environment says.
    ///   - assets: The folder of files; nil for where other commands look for it.
    /// - Throws: ``Failure`` for what is no address.
    init(_ text: String, keyFile: InputFile?, assets: String?) throws(Failure) {
        self.keyFile = keyFile
        let folder: String
        if text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") {
            guard let address = PostgresAddress(text) else { throw PostgresAddress.failure("FROM or TO") }
            place = .database(address)
            folder = DataOptions.standardFolder
        } else if text.contains("://") {
            // Not repeated: there may be a password in it.
            throw Failure(
                "The address of a database must begin with postgres://, in lowercase; the path of a folder must not contain ://.",
                kind: .wrongUsage)
        } else {
            place = .folder(text)
            folder = text
        }
        self.assets = assets ?? DataOptions.assetFolder(in: folder)
    }

    func isSame(as other: CopiedLocation) -> Bool {
        switch (place, other.place) {
        case (.folder(let one), .folder(let other)): Self.path(one) == Self.path(other)
        case (.database(let one), .database(let other)): one == other
        default: false
        }
    }

    /// Whether one is a folder inside the other.
    func isNested(with other: CopiedLocation) -> Bool {
        guard case .folder(let one) = place, case .folder(let two) = other.place else { return false }
        let (first, second) = (Self.path(one) + "/", Self.path(two) + "/")
        return first.hasPrefix(second) || second.hasPrefix(first)
    }

    /// Where the files are, for a store that has them elsewhere than in itself.
    var filesNote: String? {
        guard case .database = place else { return nil }
        return "Its files are in \(assetFolder): set NEPHOS_ASSETS to that for its servers."
    }

    /// What opens the secrets, where another key is in the environment.
    var keyNote: String? {
        guard case .folder(let path) = place, keyFile == nil, (try? SQLiteEngine.hasOwnKeys(folder)) == true,
            KeyPlace.isInEnvironment
        else { return nil }
        return """
            Its secrets are sealed under \(Self.path(path))/secret.key: unset NEPHOS_SECRET_KEY_FILE and NEPHOS_SECRET_KEY for \
            servers and commands that open it.
            """
    }

    /// What makes the copy less safe than it could be.
    var warning: String? {
        guard case .database(let address) = place else { return nil }
        return address.warning(environment: CommandContext.current.environment)
    }

    func hasSameFiles(as other: CopiedLocation) -> Bool {
        assetFolder == other.assetFolder || resolvedAssets == other.resolvedAssets
    }

    /// The absolute path of the folder of files.
    var assetFolder: String { Self.path(assets) }

    /// Without links, from the root on.
    private static func path(_ path: String) -> String {
        URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path
    }

    // MARK: Opening

    /// Makes this process run as the owner of the folders, if root runs it. With folders of several owners but root it could not.
    /// Folders of the copy that are not there yet are created first, since the owner may not be able to.
    static func enter(from source: CopiedLocation, to target: CopiedLocation) throws(Failure) {
        let users = [source, target].compactMap { FolderUser.ofStore($0.folder) }
        guard let user = users.first else {
            for location in [source, target] { _ = try FolderUser.entering(location.folder) }
            return
        }
        if let other = users.first(where: { $0 != user }) {
            throw Failure(
                "The folders of FROM and TO belong to \(user.shown) and \(other.shown). Give those of TO to the owner of FROM."
            )
        }
        // What is used later is resolved while the process can still see it.
        _ = source.resolvedAssets
        for path in target.newFolders where !user.controls(path) { _ = try user.makeFolder(path) }
        try user.become()
    }

    /// The folder of everything, or of the files of a database, without links in its path.
    private var folder: String {
        if case .folder(let path) = place { ResolvedPath.of(path) } else { resolvedAssets }
    }

    private var resolvedAssets: String { ResolvedPath.of(assets) }

    /// Those of ``folder`` and the folder of files that are not there yet.
    private var newFolders: [String] {
        let folder = folder
        let assets = resolvedAssets
        let isInside = assets == folder || assets.hasPrefix(folder + "/")
        return (isInside ? [folder] : [folder, assets]).filter { NoFollow.status($0) == nil }
    }

    /// - Parameters:
    ///   - creating: It is to be filled, and may be new.
    ///   - keys: Those of ``keys(creating:)``.
    func open(creating: Bool, _ keys: SecretKeys?) throws -> CopiedPlace {
        let (engine, name) = (try engine(creating: creating, keys), name)
        guard let store = engine.copying else { throw Failure("\(name) cannot be copied.") }
        do { return CopiedPlace(engine: store, files: try DiskAssetStore(folder: resolvedAssets), name: name) } catch {
            engine.close()
            throw Failure("The folder of files, \(assets), cannot be used: \(error)")
        }
    }

    private var name: String {
        switch place {
        case .folder(let path): path
        case .database(let address): "the \(address.shown)"
        }
    }

    private func engine(creating: Bool, _ keys: SecretKeys?) throws -> any StorageEngine {
        switch place {
        case .folder(let path):
            if PathKind(path) == .file {
                throw Failure("\(path) is a file, not a folder. Pass the folder of a store, or a new one to copy into.")
            }
            guard try creating || SQLiteEngine.isStore(folder) else {
                throw Failure(
                    "There is no store in \(URL(fileURLWithPath: path).standardizedFileURL.path). Pass the folder of a store."
                )
            }
            if try creating && SQLiteEngine.isForeign(folder) {
                throw Failure("\(path) contains files that do not belong to a store. Pass a new folder to copy into.")
            }
            var options = SQLiteOptions()
            options.tables = Nephos.features.tables
            options.acceptsUnfinishedCopy = creating
            options.secretKeys = keys
            return try SQLiteEngine(directory: folder, options: options)
        case .database(let address):
            #if Postgres
                var options = PostgresOptions()
                options.tables = Nephos.features.tables
                options.connections = 4
                options.acceptsUnfinishedCopy = creating
                options.note = Terminal.note
                if let keys { options.secretKeys = keys }
                return try PostgresEngine(try DataOptions.target(address), options: options)
            #else
                throw Failure(
                    "This nephos was built without PostgreSQL (the trait Postgres), so it cannot open the \(address.shown).",
                    kind: .wrongUsage)
            #endif
        }
    }

    /// What the environment says is about the database. A folder has keys of its own, unless they were moved away; a new one gets some.
    /// To be called before ``enter(_:)``, which may leave a process that cannot read them.
    func keys(creating: Bool) throws -> SecretKeys? {
        if let keyFile { return try KeyPlace.file(keyFile.path).keys() }
        // A copy that was killed may have begun a folder and not have got to its key.
        if case .folder = place, try creating || SQLiteEngine.hasOwnKeys(folder) { return nil }
        return try KeyPlace.current()?.keys()
    }
}
