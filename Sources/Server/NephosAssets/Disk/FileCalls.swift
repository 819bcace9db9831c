package import NephosStorage

/// The calls of the operating system that a store on a disk makes, each as the system has it, so that a test can let any of
/// them fail. A call that a signal interrupts is made again.
package protocol FileCalls: Sendable {
    /// Makes a file for writing; `EEXIST` when the name is taken. For the owner's eyes only.
    func makeFile(_ path: String) throws(FileFault) -> Int32
    /// Opens a file for reading, never through a symbolic link.
    func openFile(_ path: String) throws(FileFault) -> Int32
    /// Opens a folder, to synchronize it.
    func openFolder(_ path: String) throws(FileFault) -> Int32
    func closeFile(_ file: Int32)

    /// Writes at the place of the file, and answers how many bytes it took, at least 1 of a buffer that has any.
    func writeBytes(_ file: Int32, _ bytes: UnsafeRawBufferPointer) throws(FileFault) -> Int
    /// Has the system begin to write what was written to a file from an offset on, and does not wait for it. A hint: so there
    /// is little left to do when it is synchronized.
    func beginWriteback(_ file: Int32, at offset: Int64, count: Int64)
    /// Answers how many bytes it read, 0 at the end.
    func readBytes(_ file: Int32, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(FileFault) -> Int
    /// Waits until the content of a file, or the list of names in a folder, is on the disk.
    func synchronize(_ file: Int32) throws(FileFault)
    /// Dates a file with the time of now, by the clock of whoever keeps the disk.
    func touch(_ file: Int32) throws(FileFault)
    func status(of file: Int32) throws(FileFault) -> FileStatus
    /// Of the file itself, if it is a symbolic link.
    func status(at path: String) throws(FileFault) -> FileStatus

    /// Gives a file a second name; `EEXIST` when the name is taken.
    func linkFile(_ path: String, to name: String) throws(FileFault)
    func move(_ path: String, to name: String) throws(FileFault)
    func removeFile(_ path: String) throws(FileFault)
    func makeFolder(_ path: String) throws(FileFault)
    func removeFolder(_ path: String) throws(FileFault)
    /// Names in a folder, in no order.
    func names(in folder: String) throws(FileFault) -> [String]
}

/// A call that failed, by its `errno`.
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
    /// The same for two names of one file, and else for none.
    package let identity: [UInt64]
}
