import Foundation

/// A file of the operator.
package struct TextFile {
    package let path: String

    package init(path: String) { self.path = path }

    /// Paths of files with this ending, in order: of all in a folder and its subfolders, or of this one file.
    package func paths(endingIn ending: String) throws(Failure) -> [String] {
        guard let kind = PathKind(path) else { throw Failure("\(path) does not exist.") }
        guard kind == .folder else { return [path] }
        guard let files = FileManager.default.enumerator(atPath: path) else { throw Failure("Cannot read \(path).") }
        return files.compactMap { $0 as? String }.filter { $0.hasSuffix(ending) }.sorted().map { "\(path)/\($0)" }
    }

    /// Whether it is a file that can be read again, and no pipe or device.
    package var isRegular: Bool {
        let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let type = (try? FileManager.default.attributesOfItem(atPath: path))?[.type]
        return type as? FileAttributeType == .typeRegular
    }

    package func read() throws(Failure) -> [UInt8] {
        guard let bytes = FileManager.default.contents(atPath: path) else { throw unreadable }
        return Array(bytes)
    }

    private var unreadable: Failure {
        if PathKind(path) == .folder { return Failure("\(path) is a folder. Pass a file.") }
        return Failure("Cannot read \(path). Check that it exists and that you are allowed to read it.")
    }

    /// Bytes of one piece.
    private static let pieceBytes = 64 << 10

    /// Reads the file in pieces, from its beginning.
    package func pieces() throws(Failure) -> InputPieces {
        guard let handle = FileHandle(forReadingAtPath: path) else { throw unreadable }
        let unreadable = unreadable
        return { () throws(Failure) in
            do { return try handle.read(upToCount: Self.pieceBytes).map { Array($0) } ?? [] } catch {
                throw unreadable
            }
        }
    }

    /// Writes the whole file; an existing one is replaced.
    package func write(_ bytes: [UInt8]) throws(Failure) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard FileManager.default.fileExists(atPath: folder) else {
            throw Failure("Cannot write \(path): there is no folder \(folder). Create it first.")
        }
        do {
            try Data(bytes).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw Failure("Cannot write \(path): \(error.localizedDescription)")
        }
    }
}
