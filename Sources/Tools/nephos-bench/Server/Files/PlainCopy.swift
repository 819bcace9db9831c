import NephosTesting

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Copies files in this process, like an upload without a network or computation.
enum PlainCopy {
    /// The size of the server's pieces.
    private static let pieceBytes = 256 << 10

    /// Copies a file to a new one, and synchronizes it to disk.
    static func copy(_ source: String, to destination: String) throws {
        let input = open(source, O_RDONLY | O_CLOEXEC)
        guard input >= 0 else { throw SystemError("open \(source)") }
        defer { close(input) }
        let output = open(destination, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard output >= 0 else { throw SystemError("make \(destination)") }
        defer { close(output) }
        var piece = [UInt8](repeating: 0, count: pieceBytes)
        while true {
            let count = read(input, &piece, piece.count)
            guard count >= 0 else { throw SystemError("read \(source)") }
            if count == 0 { break }
            guard write(output, piece, count) == count else { throw SystemError("write \(destination)") }
        }
        guard fsync(output) == 0 else { throw SystemError("fsync \(destination)") }
    }
}
