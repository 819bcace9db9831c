package import NephosStorage

/// The operating system calls of a store on a disk, one to one, so that a test can make any of them fail. A call that a signal
/// interrupts is repeated.
package protocol FileCalls: Sendable {
    /// Creates a file for writing; `EEXIST` if the name is taken. Only the owner can read it.
    func createFile(_ path: String) throws(FileFault) -> Int32
    /// Opens a file for reading, never through a symbolic link.
    func openFile(_ path: String) throws(FileFault) -> Int32
    /// Opens a folder, to synchronize it.
    func openFolder(_ path: String) throws(FileFault) -> Int32
    func closeFile(_ file: Int32)

    /// Writes at the file's current position, and returns the number of bytes written, at least 1 for a non-empty buffer.
    func writeBytes(_ file: Int32, _ bytes: UnsafeRawBufferPointer) throws(FileFault) -> Int
    /// Makes the system start writing a range of a file to the disk, without waiting. A hint that leaves less work for
    /// synchronization.
    func beginWriteback(_ file: Int32, at offset: Int64, count: Int64)
    /// Returns the number of bytes read, 0 at the end.
    func readBytes(_ file: Int32, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(FileFault) -> Int
    /// Waits until the content of a file, or the list of names in a folder, is on the disk.
    func synchronize(_ file: Int32) throws(FileFault)
    /// Sets a file's modification time to the present, by the file system's clock.
    func touch(_ file: Int32) throws(FileFault)
    func status(of file: Int32) throws(FileFault) -> FileStatus
    /// Of the link itself, if it is a symbolic link.
    func status(at path: String) throws(FileFault) -> FileStatus

    /// Gives a file a second name; `EEXIST` if the name is taken.
    func linkFile(_ path: String, to name: String) throws(FileFault)
    func move(_ path: String, to name: String) throws(FileFault)
    func removeFile(_ path: String) throws(FileFault)
    func createFolder(_ path: String) throws(FileFault)
    func removeFolder(_ path: String) throws(FileFault)
    /// Names in a folder, in no particular order.
    func names(in folder: String) throws(FileFault) -> [String]
}

/// A failed call, with its `errno`.
package struct FileFault: Error, Sendable, Equatable {
    package let code: Int32

    package init(code: Int32) { self.code = code }
}

package struct FileStatus: Sendable, Equatable {
    package enum Kind: Sendable { case file, folder, other }

    package let kind: Kind
    /// In bytes.
    package let size: Int64
    package let modifiedAt: Milliseconds
    /// The same for two names of one file, and different for any other file.
    package let identity: [UInt64]
}
