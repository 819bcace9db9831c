package import Foundation
import NephosStorage

/// A file of the operator that is open for reading: a regular one, or what the operator's shell has opened, `/dev/stdin` or
/// `/dev/fd/63`. Other pipes and devices are refused, since they may keep a command waiting, or have no end.
package final class OpenedFile: Sendable {
    package let path: String
    /// Whether it can be read again, unlike a pipe.
    package let isRegular: Bool
    package let owner: uid_t
    /// Whether the operator's shell has opened it, as it opens standard input.
    private let isGiven: Bool
    private let descriptor: Int32

    /// Bytes of the largest input that is read as a whole.
    package static let bytesMax = 64 << 20
    /// Bytes of one piece.
    private static let pieceBytes = 64 << 10

    /// - Throws: ``Failure``.
    package init(_ path: String) throws(Failure) {
        self.path = path
        var status = stat()
        let given = Self.givenDescriptor(path)
        isGiven = given != nil
        if let given {
            descriptor = fcntl(given, F_DUPFD_CLOEXEC, 3)
        } else {
            // Some devices do something when they are opened.
            if stat(path, &status) == 0 { try Self.check(status, path) }
            descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        }
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
            throw Failure("Cannot read \(path). Check that it exists and that you are allowed to read it.")
        }
        isRegular = status.st_mode & S_IFMT == S_IFREG
        owner = status.st_uid
        if !isGiven { try Self.check(status, path) }
    }

    deinit { close(descriptor) }

    private static func check(_ status: stat, _ path: String) throws(Failure) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: return
        case S_IFDIR: throw Failure("\(path) is a folder. Pass a file.")
        default:
            throw Failure(
                "\(path) is a pipe or a device, which may never end. Pass a file, or connect it to standard input and pass /dev/stdin."
            )
        }
    }

    /// The number of what this process was started with, which a path of the system stands for.
    package static func givenDescriptor(_ path: String) -> Int32? {
        if path == "/dev/stdin" { return 0 }
        for folder in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(folder) {
            return Int32(path.dropFirst(folder.count))
        }
        return nil
    }

    /// All of it, from its beginning.
    ///
    /// - Throws: ``Failure`` for more than ``bytesMax``.
    package func read() throws(Failure) -> [UInt8] {
        let next = pieces()
        var bytes: [UInt8] = []
        while true {
            let piece = try next()
            if piece.isEmpty { return bytes }
            bytes += piece
            guard bytes.count <= Self.bytesMax else { throw Self.tooLarge(path) }
        }
    }

    package static func tooLarge(_ name: String) -> Failure {
        Failure("\(name) has more than \(bytesMax >> 20) MB, the most that a command reads.")
    }

    /// The same for a file with a secret. What the shell has opened is read as it is, like standard input.
    ///
    /// - Throws: ``Failure`` if other users can read it.
    package func readSecret() throws(Failure) -> [UInt8] {
        if !isGiven, let problem = PrivateFile.problem(descriptor, at: path) { throw Failure(problem) }
        return try read()
    }

    /// Its bytes in pieces, from its beginning; the last one is empty.
    package func pieces() -> InputPieces {
        if isRegular { lseek(descriptor, 0, SEEK_SET) }
        return { [self] () throws(Failure) in
            var piece = [UInt8](repeating: 0, count: Self.pieceBytes)
            while true {
                let count = Foundation.read(descriptor, &piece, piece.count)
                if count >= 0 { return Array(piece.prefix(count)) }
                guard errno == EINTR else { throw Failure("Cannot read \(path): \(String(cString: strerror(errno))).") }
            }
        }
    }
}
