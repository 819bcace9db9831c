import Foundation
import NephosRunner
import Synchronization

/// The files and folders that a command line names, which are opened as whoever runs the command (docs/decisions/0055): what is read
/// before anything else, what is written before the process becomes the owner of a store. If it stays who it is, files are written
/// only at the end, and replaced as a whole.
final class NamedFiles: Sendable {
    private let inputs: [String: OpenedFile]
    private let outputs: [any NamedPath]
    private let held = Mutex(Held())

    private struct Held {
        var files: [String: HeldFile] = [:]
        var folders: [String: FolderSink] = [:]
    }

    /// Opens those that are read.
    init(_ named: [any NamedPath] = []) throws(Failure) {
        var inputs: [String: OpenedFile] = [:]
        for file in named where file is InputFile && file.path != "-" && inputs[file.path] == nil {
            inputs[file.path] = try OpenedFile(file.path)
        }
        self.inputs = inputs
        outputs = named.filter { !($0 is InputFile) }
    }

    func opened(_ file: InputFile) throws(Failure) -> OpenedFile {
        if let open = inputs[file.path] { return open }
        return try OpenedFile(file.path)
    }

    /// Opens those that are written, for a process that is about to become this user.
    func hold(for user: FolderUser) throws(Failure) {
        for output in outputs {
            switch output {
            case let file as OutputFile:
                try file.checkPlace()
                let held = try HeldFile(file.path, isNew: false)
                self.held.withLock { $0.files[file.path] = held }
            case let file as NewSecretFile:
                let held = try HeldFile(file.path, isNew: true)
                self.held.withLock { $0.files[file.path] = held }
            case let folder as NewFolder:
                let sink = try FolderSink(folder.path, for: (user.id, user.group))
                held.withLock { $0.folders[folder.path] = sink }
            default: break
            }
        }
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
        if let sink = held.withLock({ $0.folders[folder.path] }) { return sink }
        return try FolderSink(folder.path)
    }
}

/// A file of the operator that was opened before the process became another user, who may not even see its folder. A new one without
/// contents is removed again if that is possible.
private final class HeldFile: Sendable {
    private let path: String
    private let descriptor: Int32
    private let isWritten: Mutex<Bool>

    /// - Parameter isNew: It must not exist yet, and only its owner may read it.
    init(_ path: String, isNew: Bool) throws(Failure) {
        self.path = path
        let flags = O_WRONLY | O_NONBLOCK | O_CLOEXEC
        var file = open(path, flags | O_CREAT | O_EXCL, isNew ? 0o600 : 0o666)
        let isThere = file < 0 && errno == EEXIST && !isNew
        if isThere { file = open(path, flags) }
        guard file >= 0 else { throw SecretFile(path: path).failure(errno) }
        descriptor = file
        isWritten = Mutex(isThere)
    }

    deinit {
        if !isWritten.withLock(\.self) { unlink(path) }
        close(descriptor)
    }

    func write(_ bytes: [UInt8]) throws(Failure) {
        isWritten.withLock { $0 = true }
        guard ftruncate(descriptor, 0) == 0, SecretFile.write(bytes, to: descriptor), fsync(descriptor) == 0 else {
            throw SecretFile(path: path).failure(errno)
        }
    }
}
