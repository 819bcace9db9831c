import Foundation

/// The path of a file or folder that an operator names. Its type says what the use case does there, so that whoever runs it can open
/// it as the operator, before the process becomes the owner of a store (docs/decisions/0055).
package protocol NamedPath: InputWord {
    var path: String { get }
    init(path: String)
}

extension NamedPath {
    package init?(typed text: String) { self.init(path: text) }
    package var asTyped: String { path }
}

/// A file that is read: ``UseCaseCall/contents(of:)``.
package struct InputFile: NamedPath, Hashable {
    package let path: String

    package init(path: String) { self.path = path }
}

/// A file that is written; an existing one is replaced: ``UseCaseAnswer/bytes(_:into:)``.
package struct OutputFile: NamedPath {
    package let path: String

    package init(path: String) { self.path = path }
}

/// A new file with a secret, which only its owner can read: ``UseCaseCall/create(_:)``.
package struct NewSecretFile: NamedPath {
    package let path: String

    package init(path: String) { self.path = path }
}

/// A new or empty folder that is filled, which only its owner can read: ``UseCaseCall/folder(_:)``.
package struct NewFolder: NamedPath {
    package let path: String

    package init(path: String) { self.path = path }
}

/// A new or empty folder that becomes a store. Unlike a ``NewFolder`` it is filled by its path, so the owner of the data must be able
/// to get there.
package struct NewStoreFolder: NamedPath {
    package let path: String

    package init(path: String) { self.path = path }

    package var folder: NewFolder { NewFolder(path: path) }
}

extension InputFile {
    /// Paths of files with this ending, in order: of all in a folder and its subfolders, or of this one file.
    package func files(endingIn ending: String) throws(Failure) -> [InputFile] {
        guard let kind = PathKind(path) else { throw Failure("\(path) does not exist.") }
        guard kind == .folder else { return [self] }
        guard let files = FileManager.default.enumerator(atPath: path) else { throw Failure("Cannot read \(path).") }
        return files.compactMap { $0 as? String }.filter { $0.hasSuffix(ending) }.sorted().map {
            InputFile(path: "\(path)/\($0)")
        }
    }
}

extension OutputFile {
    /// Writes the whole file; an existing one is replaced.
    package func write(_ bytes: [UInt8]) throws(Failure) {
        try checkLocation()
        do {
            try Data(bytes).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw Failure("Cannot write \(path): \(error.localizedDescription)")
        }
    }

    /// Refuses a place where no file can be: replacing a device, such as /dev/null, would break it for everybody.
    package func checkLocation() throws(Failure) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard FileManager.default.fileExists(atPath: folder) else {
            throw Failure("Cannot write \(path): there is no folder \(folder). Create it first.")
        }
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return }
        throw Failure("Cannot write \(path): it is not a file. Pass a file.")
    }
}
