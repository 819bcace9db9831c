import NephosAssets
import Synchronization

/// Ends a process at one of its steps: nothing that it asks of the disk or the store comes through from then on.
final class Fuse: Sendable {
    struct Died: Error {}

    private let left: Mutex<Int>

    /// - Parameter steps: How many still take place.
    init(after steps: Int) { left = Mutex(steps) }

    var isBlown: Bool { left.withLock { $0 < 0 } }

    /// Whether the next step takes place.
    func mayStep() -> Bool {
        left.withLock { left in
            if left >= 0 { left -= 1 }
            return left >= 0
        }
    }

    func step() throws { if !mayStep() { throw Died() } }
}

/// The calls of the system, up to the step at which the process dies.
struct FusedCalls: FileCalls {
    let fuse: Fuse
    private let calls = SystemCalls()

    init(_ fuse: Fuse) { self.fuse = fuse }

    private func spend() throws(FileFault) { if !fuse.mayStep() { throw FileFault(code: 5) } }

    func makeFile(_ path: String) throws(FileFault) -> Int32 {
        try spend()
        return try calls.makeFile(path)
    }
    func openFile(_ path: String) throws(FileFault) -> Int32 {
        try spend()
        return try calls.openFile(path)
    }
    func openFolder(_ path: String) throws(FileFault) -> Int32 {
        try spend()
        return try calls.openFolder(path)
    }
    func closeFile(_ file: Int32) { calls.closeFile(file) }
    func writeBytes(_ file: Int32, _ bytes: UnsafeRawBufferPointer) throws(FileFault) -> Int {
        try spend()
        return try calls.writeBytes(file, bytes)
    }
    func readBytes(
        _ file: Int32, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(FileFault) -> Int {
        try spend()
        return try calls.readBytes(file, at: offset, into: buffer)
    }
    func synchronize(_ file: Int32) throws(FileFault) {
        try spend()
        try calls.synchronize(file)
    }
    func touch(_ file: Int32) throws(FileFault) {
        try spend()
        try calls.touch(file)
    }
    func status(of file: Int32) throws(FileFault) -> FileStatus {
        try spend()
        return try calls.status(of: file)
    }
    func status(at path: String) throws(FileFault) -> FileStatus {
        try spend()
        return try calls.status(at: path)
    }
    func linkFile(_ path: String, to name: String) throws(FileFault) {
        try spend()
        try calls.linkFile(path, to: name)
    }
    func move(_ path: String, to name: String) throws(FileFault) {
        try spend()
        try calls.move(path, to: name)
    }
    func removeFile(_ path: String) throws(FileFault) {
        try spend()
        try calls.removeFile(path)
    }
    func makeFolder(_ path: String) throws(FileFault) {
        try spend()
        try calls.makeFolder(path)
    }
    func removeFolder(_ path: String) throws(FileFault) {
        try spend()
        try calls.removeFolder(path)
    }
    func names(in folder: String) throws(FileFault) -> [String] {
        try spend()
        return try calls.names(in: folder)
    }
}
