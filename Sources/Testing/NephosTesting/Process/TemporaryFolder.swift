import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A folder of one's own under `$TMPDIR` (or /tmp), removed with all it holds when the last reference goes.
package final class TemporaryFolder: Sendable {
    /// Absolute, without a slash at the end.
    package let path: String

    /// - Throws: ``SystemError`` where none can be made.
    package init(prefix: String = "nephos") throws {
        let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(base)/\(prefix).XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError("mkdtemp in \(base)") }
        path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        // What it is for runs as an ordinary user.
        if let user = try ProcessUser.standIn, chown(path, user.id, user.group) != 0 {
            throw SystemError("chown \(path)")
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// A call of the operating system that failed.
package struct SystemError: Error, CustomStringConvertible {
    package var call: String
    package var code: Int32

    package init(_ call: String, code: Int32) {
        self.call = call
        self.code = code
    }

    /// A call that left its reason in errno.
    package init(_ call: String) { self.init(call, code: errno) }

    package var description: String { "\(call): \(String(cString: strerror(code)))" }
}

/// All bytes of a file, or all that come behind so many. - Throws: ``SystemError``.
package func readFile(_ path: String, from start: Int = 0) throws -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw SystemError("open \(path)") }
    defer { close(file) }
    guard start == 0 || lseek(file, off_t(start), SEEK_SET) >= 0 else { throw SystemError("seek in \(path)") }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = read(file, &buffer, buffer.count)
        guard count >= 0 else { throw SystemError("read \(path)") }
        if count == 0 { return bytes }
        bytes += buffer[..<count]
    }
}

/// Makes a file of these bytes, or replaces the one that is there. - Throws: Foundation's errors of files.
package func writeFile(_ path: String, _ bytes: some Sequence<UInt8>) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
}
