import Foundation
import NephosRunner
import NephosStorage
import Synchronization

/// The files and folders that a command line names, which are opened as whoever runs the command (docs/decisions/0055): what is read
/// before anything else, what is written before the process becomes the owner of a store. If it stays who it is, files are written
/// only at the end, and replaced as a whole.
final class NamedFiles: Sendable {
    private let inputs: [String: OpenedFile]
    private let outputs: [any NamedPath]
    /// Whom the process is to become; nil to stay who it is.
    private let user: FolderUser?
    private let held = Mutex(Held())

    private struct Held {
        var files: [String: HeldFile] = [:]
        /// A failure is thrown when the folder is used: the use case may know a better reason.
        var folders: [String: Result<FolderSink, Failure>] = [:]
    }

    /// Opens those that are read.
    init(_ named: [any NamedPath] = [], becoming user: FolderUser? = nil) throws(Failure) {
        var inputs: [String: OpenedFile] = [:]
        for file in named where file is InputFile && file.path != "-" && inputs[file.path] == nil {
            inputs[file.path] = try Self.open(file.path, user)
        }
        self.inputs = inputs
        self.user = user
        outputs = named.filter { !($0 is InputFile) }
    }

    func opened(_ file: InputFile) throws(Failure) -> OpenedFile {
        if let open = inputs[file.path] { return open }
        return try Self.open(file.path, user)
    }

    /// What the owner of the data can replace by a link is read as root only if it belongs to them: otherwise a file of root could
    /// get into their store.
    private static func open(_ path: String, _ user: FolderUser?) throws(Failure) -> OpenedFile {
        let file = try OpenedFile(path)
        guard let user, file.owner != user.id, user.controls(path) else { return file }
        throw Failure(
            """
            \(path) is in a folder of \(user.shown), and is a link, or belongs to another user, so it is not read as root. Give it \
            to \(user.shown), or pass a file in another folder.
            """)
    }

    /// Opens those that are written, for a process that is about to become this user. What is in a folder of that user is opened
    /// later, without the rights of root: there may be links.
    func hold(for user: FolderUser) throws(Failure) {
        for output in outputs where !user.controls(output.path) {
            switch output {
            case let file as OutputFile:
                try file.checkLocation()
                let held = try HeldFile(file.path, isNew: false)
                self.held.withLock { $0.files[file.path] = held }
            case let file as NewSecretFile:
                let held = try HeldFile(file.path, isNew: true)
                self.held.withLock { $0.files[file.path] = held }
            case let folder as NewFolder:
                hold(folder.path) { () throws(Failure) in try FolderSink(folder.path, for: (user.id, user.group)) }
            case let folder as NewStoreFolder:
                hold(folder.path) { () throws(Failure) in try user.makeFolder(folder.path) }
            default: break
            }
        }
    }

    private func hold(_ path: String, _ make: () throws(Failure) -> FolderSink) {
        let made: Result<FolderSink, Failure>
        do throws(Failure) { made = .success(try make()) } catch { made = .failure(error) }
        held.withLock { $0.folders[path] = made }
    }

    func write(_ bytes: [UInt8], to file: OutputFile) throws(Failure) {
        guard let held = held.withLock({ $0.files[file.path] }) else { return try file.write(bytes) }
        try held.write(bytes)
    }

    func create(_ file: NewSecretFile, _ bytes: [UInt8]) throws(Failure) {
        guard let held = held.withLock({ $0.files[file.path] }) else {
            return try SecretFile(path: file.path).create(bytes)
        }
        try held.write(bytes)
    }

    func folder(_ folder: NewFolder) throws(Failure) -> FolderSink {
        if let made = held.withLock({ $0.folders[folder.path] }) { return try made.get() }
        return try FolderSink(folder.path)
    }
}

/// A file of the operator that was opened before the process became another user, who may not even see its folder. A new one without
/// contents is removed again if that is possible.
private final class HeldFile: Sendable {
    private let path: String
    /// The same without links.
    private let location: String
    private let descriptor: Int32
    /// The folder that the file is in; -1 if it cannot be opened.
    private let folder: Int32
    private let isKept: Mutex<Bool>

    /// - Parameter isNew: It must not exist yet, and only its owner may read it.
    init(_ path: String, isNew: Bool) throws(Failure) {
        let location = NoFollow.resolved(above: path)
        let flags = O_WRONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC
        var file = NoFollow.at(location) { openat($0, $1, flags | O_CREAT | O_EXCL, isNew ? 0o600 : 0o666) }
        let isThere = file < 0 && errno == EEXIST && !isNew
        if isThere {
            file = NoFollow.at(location) { openat($0, $1, flags) }
            guard file >= 0 || errno != ELOOP else { throw Self.foreign(path) }
        }
        guard file >= 0 else { throw SecretFile(path: path).failure(errno) }
        var status = stat()
        if isThere {
            // It is emptied and written in place, so it must be no other file of root under a second name.
            guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1,
                status.st_uid == geteuid()
            else {
                close(file)
                throw Self.foreign(path)
            }
        }
        (self.path, self.location, descriptor) = (path, location, file)
        folder = NoFollow.at(location) { above, _ in openat(above, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        isKept = Mutex(isThere)
    }

    private static func foreign(_ path: String) -> Failure {
        Failure("\(path) is a link, or belongs to another user: remove it first.")
    }

    deinit {
        if !isKept.withLock(\.self) { _ = NoFollow.at(location) { unlinkat($0, $1, 0) } }
        close(descriptor)
        if folder >= 0 { close(folder) }
    }

    /// Leaves all of it, or nothing, such as half a key.
    func write(_ bytes: [UInt8]) throws(Failure) {
        guard ftruncate(descriptor, 0) == 0, SecretFile.write(bytes, to: descriptor), fsync(descriptor) == 0,
            folder < 0 || fsync(folder) == 0
        else {
            let code = errno
            ftruncate(descriptor, 0)
            throw SecretFile(path: path).failure(code)
        }
        isKept.withLock { $0 = true }
    }
}
