/// Where an export of a person's data is written: files, one after the other, each in pieces of any length.
package protocol ExportSink: Sendable {
    /// - Parameter name: Words of letters, digits, `-`, `_` and `.`, with slashes between them.
    func begin(_ name: String) async throws
    func write(_ bytes: [UInt8]) async throws
    /// Completes the file.
    func end() async throws
}

extension ExportSink {
    /// A file whose content is available.
    func file(_ name: String, _ bytes: [UInt8]) async throws {
        try await begin(name)
        try await write(bytes)
        try await end()
    }
}
