import NephosTesting

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Files of random bytes, for uploads.
struct SourceFiles {
    let paths: [String]

    /// Creates files of `megabytes` megabytes (1,048,576 bytes each) in a folder, named by number.
    init(in folder: String, count: Int, megabytes: Int) throws {
        paths = (0..<count).map { "\(folder)/\($0)" }
        for path in paths { try Self.make(path, megabytes: megabytes) }
    }

    /// Repeats one random megabyte.
    static func make(_ path: String, megabytes: Int) throws {
        let block = (0..<1 << 17).map { _ in UInt64.random(in: .min ... .max) }
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw SystemError("make \(path)") }
        defer { close(file) }
        for _ in 0..<megabytes {
            guard write(file, block, 1 << 20) == 1 << 20 else { throw SystemError("write \(path)") }
        }
    }

    /// Changes every file, because the server stores equal contents once.
    func freshen() throws {
        for path in paths {
            let file = open(path, O_WRONLY | O_CLOEXEC)
            guard file >= 0 else { throw SystemError("open \(path)") }
            defer { close(file) }
            guard pwrite(file, [UInt64.random(in: .min ... .max)], 8, 0) == 8 else {
                throw SystemError("write \(path)")
            }
        }
    }
}
