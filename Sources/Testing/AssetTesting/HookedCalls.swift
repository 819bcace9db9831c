package import NephosAssets
import Synchronization

/// The system's file calls, with a hook before and after each, which may make it fail.
///
/// Only synchronizing to disk is omitted: nothing but a power failure would show the difference, and it is slow.
package final class HookedCalls: FileCalls {
    package enum Moment: Sendable, CaseIterable { case before, after }

    package enum Kind: Sendable {
        case createFile, openFile, openFolder, writeBytes, readBytes, synchronize, touch, status
        case linkFile, move, removeFile, createFolder, removeFolder, names
    }

    package struct Call: Sendable {
        package var kind: Kind
        /// Of a descriptor, too; for a link or a move, the destination.
        package var path: String
        package var source = ""
    }

    package typealias Hook = @Sendable (Call, Moment) throws(FileFault) -> Void

    private let hook: Hook
    private let bytesAtMost: Int
    private let system = SystemCalls()
    private let open = Mutex<[Int32: String]>([:])

    /// - Parameter bytesAtMost: Maximum number of bytes that one write accepts, or that one read returns.
    package init(bytesAtMost: Int = .max, _ hook: @escaping Hook = { _, _ in }) {
        self.bytesAtMost = bytesAtMost
        self.hook = hook
    }

    /// Paths of the files and folders that are open.
    package var openFiles: [String] { open.withLock { $0.values.sorted() } }

    private func hooked<Answer>(
        _ kind: Kind, _ path: String, source: String = "", _ body: () throws(FileFault) -> Answer
    ) throws(FileFault) -> Answer {
        let call = Call(kind: kind, path: path, source: source)
        try hook(call, .before)
        let answer = try body()
        try hook(call, .after)
        return answer
    }

    private func hooked<Answer>(
        _ kind: Kind, _ file: Int32, _ body: () throws(FileFault) -> Answer
    ) throws(FileFault) -> Answer {
        try hooked(kind, open.withLock { $0[file] ?? "a file that is not open" }, body)
    }

    /// A file that is open although opening it failed was never returned to the caller.
    private func opening(
        _ kind: Kind, _ path: String, _ body: () throws(FileFault) -> Int32
    ) throws(FileFault) -> Int32 {
        let call = Call(kind: kind, path: path)
        try hook(call, .before)
        let file = try body()
        do throws(FileFault) { try hook(call, .after) } catch {
            system.closeFile(file)
            throw error
        }
        open.withLock { $0[file] = path }
        return file
    }

    package func createFile(_ path: String) throws(FileFault) -> Int32 {
        try opening(.createFile, path) { () throws(FileFault) in try system.createFile(path) }
    }

    package func openFile(_ path: String) throws(FileFault) -> Int32 {
        try opening(.openFile, path) { () throws(FileFault) in try system.openFile(path) }
    }

    package func openFolder(_ path: String) throws(FileFault) -> Int32 {
        try opening(.openFolder, path) { () throws(FileFault) in try system.openFolder(path) }
    }

    // Never fails, because a process that dies closes its files.
    package func closeFile(_ file: Int32) {
        open.withLock { $0[file] = nil }
        system.closeFile(file)
    }

    package func writeBytes(_ file: Int32, _ bytes: UnsafeRawBufferPointer) throws(FileFault) -> Int {
        try hooked(.writeBytes, file) { () throws(FileFault) in
            try system.writeBytes(file, UnsafeRawBufferPointer(rebasing: bytes.prefix(bytesAtMost)))
        }
    }

    package func beginWriteback(_ file: Int32, at offset: Int64, count: Int64) {
        system.beginWriteback(file, at: offset, count: count)
    }

    package func readBytes(
        _ file: Int32, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(FileFault) -> Int {
        try hooked(.readBytes, file) { () throws(FileFault) in
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(bytesAtMost))
            return try system.readBytes(file, at: offset, into: part)
        }
    }

    package func synchronize(_ file: Int32) throws(FileFault) {
        try hooked(.synchronize, file) {}
    }

    package func touch(_ file: Int32) throws(FileFault) {
        try hooked(.touch, file) { () throws(FileFault) in try system.touch(file) }
    }

    package func status(of file: Int32) throws(FileFault) -> FileStatus {
        try hooked(.status, file) { () throws(FileFault) in try system.status(of: file) }
    }

    package func status(at path: String) throws(FileFault) -> FileStatus {
        try hooked(.status, path) { () throws(FileFault) in try system.status(at: path) }
    }

    package func linkFile(_ path: String, to name: String) throws(FileFault) {
        try hooked(.linkFile, name, source: path) { () throws(FileFault) in try system.linkFile(path, to: name) }
    }

    package func move(_ path: String, to name: String) throws(FileFault) {
        try hooked(.move, name, source: path) { () throws(FileFault) in try system.move(path, to: name) }
    }

    package func removeFile(_ path: String) throws(FileFault) {
        try hooked(.removeFile, path) { () throws(FileFault) in try system.removeFile(path) }
    }

    package func createFolder(_ path: String) throws(FileFault) {
        try hooked(.createFolder, path) { () throws(FileFault) in try system.createFolder(path) }
    }

    package func removeFolder(_ path: String) throws(FileFault) {
        try hooked(.removeFolder, path) { () throws(FileFault) in try system.removeFolder(path) }
    }

    package func names(in folder: String) throws(FileFault) -> [String] {
        try hooked(.names, folder) { () throws(FileFault) in try system.names(in: folder) }
    }
}
