import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A new folder in `$TMPDIR` (or /tmp), removed with its contents when the last reference is released.
package final class TemporaryFolder: Sendable {
    /// Absolute, without a trailing slash.
    package let path: String

    /// - Throws: ``SystemError`` if it cannot be created.
    package init(prefix: String = "nephos") throws {
        let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(base)/\(prefix).XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError("mkdtemp in \(base)") }
        path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        // It is used by processes of an unprivileged user.
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

    /// For a call that set errno.
    package init(_ call: String) { self.init(call, code: errno) }

    package var description: String { "\(call): \(String(cString: strerror(code)))" }
}

/// All bytes of a file, or those from an offset on. - Throws: ``SystemError``.
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

/// Creates or replaces a file with these bytes. - Throws: Foundation's file errors.
package func writeFile(_ path: String, _ bytes: some Sequence<UInt8>) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
}
