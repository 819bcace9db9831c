import Foundation
import NephosRunner

/// A file with secrets: only its owner can read it, even while it is written, and readers find all of it or nothing, even after a
/// power failure.
struct SecretFile {
    let path: String

    /// Writes a new file; never overwrites an existing one.
    ///
    /// - Throws: ``Failure``.
    func create(_ bytes: [UInt8]) throws(Failure) {
        try write(bytes) { fresh in
            // link(2) fails if the file exists; rename(2) would replace it.
            guard link(fresh, path) == 0 else { return false }
            unlink(fresh)
            return true
        }
    }

    /// Writes the file, replacing an existing one.
    ///
    /// - Throws: ``Failure``.
    func replace(_ bytes: [UInt8]) throws(Failure) { try write(bytes) { rename($0, path) == 0 } }

    /// - Parameter publish: Gives the temporary file its name; false with `errno` if that fails.
    private func write(_ bytes: [UInt8], publish: (String) -> Bool) throws(Failure) {
        let fresh = "\(path).\(UInt64.random(in: .min ... .max)).new"
        let file = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure(errno) }
        let isWritten = SecretFile.write(bytes, to: file) && fsync(file) == 0
        let code = errno
        close(file)
        guard isWritten else {
            unlink(fresh)
            throw failure(code)
        }
        guard publish(fresh) else {
            let code = errno
            unlink(fresh)
            throw failure(code)
        }
        try synchronizeFolder()
    }

    static func write(_ bytes: [UInt8], to file: Int32) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var left = bytes[...]
            while !left.isEmpty {
                let part = UnsafeRawBufferPointer(rebasing: left)
                let count = Foundation.write(file, part.baseAddress, part.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                left = left.dropFirst(count)
            }
            return true
        }
    }

    /// The file's name is durable once the folder is synchronized to disk, too.
    private func synchronizeFolder() throws(Failure) {
        let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let file = open(folder, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw failure(errno) }
        defer { close(file) }
        guard fsync(file) == 0 else { throw failure(errno) }
    }

    func failure(_ code: Int32) -> Failure {
        Failure(
            code == EEXIST
                ? "\(path) already exists. Pass a new file, so that no key is overwritten."
                : "Cannot write \(path): \(String(cString: strerror(code))).")
    }
}
