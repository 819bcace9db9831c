import Foundation
import NephosRunner
import NephosStorage

/// A file with secrets: only its owner can read it, even while it is written, and readers find all of it or nothing, even after a
/// power failure.
struct SecretFile {
    let path: String

    /// Writes a new file; never overwrites an existing one.
    ///
    /// - Throws: ``Failure``.
    func create(_ bytes: [UInt8]) throws(Failure) {
        try write(bytes) { fresh, target in
            // link(2) fails if the file exists; rename(2) would replace it.
            let code = NoFollow.at(fresh) { from, name in
                NoFollow.at(target) { to, newName in linkat(from, name, to, newName, 0) }
            }
            guard code == 0 else { return false }
            Self.remove(fresh)
            return true
        }
    }

    /// Writes the file, replacing an existing one.
    ///
    /// - Throws: ``Failure``.
    func replace(_ bytes: [UInt8]) throws(Failure) {
        try write(bytes) { fresh, target in
            let code = NoFollow.at(fresh) { from, name in
                NoFollow.at(target) { to, newName in renameat(from, name, to, newName) }
            }
            return code == 0
        }
    }

    /// - Parameter publish: Gives the temporary file, the first path, its name; false with `errno` if that fails.
    private func write(_ bytes: [UInt8], publish: (String, String) -> Bool) throws(Failure) {
        // Once, so that all calls are about the same folder.
        let target = NoFollow.resolved(above: path)
        let fresh = "\(target).\(UInt64.random(in: .min ... .max)).new"
        let file = NoFollow.at(fresh) { openat($0, $1, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600) }
        guard file >= 0 else { throw failure(errno) }
        let isWritten = SecretFile.write(bytes, to: file) && fsync(file) == 0
        let code = errno
        close(file)
        guard isWritten else {
            Self.remove(fresh)
            throw failure(code)
        }
        guard publish(fresh, target) else {
            let code = errno
            Self.remove(fresh)
            throw failure(code)
        }
        try synchronizeFolder(of: target)
    }

    private static func remove(_ path: String) { _ = NoFollow.at(path) { unlinkat($0, $1, 0) } }

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
    private func synchronizeFolder(of file: String) throws(Failure) {
        let folder = NoFollow.at(file) { above, _ in openat(above, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard folder >= 0 else { throw failure(errno) }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw failure(errno) }
    }

    func failure(_ code: Int32) -> Failure {
        Failure(
            code == EEXIST
                ? "\(path) already exists. Pass a new file, so that no key is overwritten."
                : "Cannot write \(path): \(String(cString: strerror(code))).")
    }
}
