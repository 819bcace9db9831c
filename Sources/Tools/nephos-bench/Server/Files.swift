import NephosTesting

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Makes a file of these bytes, in place of one that was there. - Throws: ``SystemError``.
func writeFile(_ path: String, _ bytes: [UInt8]) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw SystemError("open \(path)") }
    defer { close(file) }
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
        guard count > 0 else { throw SystemError("write \(path)") }
        rest = rest.dropFirst(count)
    }
}
