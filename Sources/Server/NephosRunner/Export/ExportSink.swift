/// Where what is stored of a person is written: files, one after the other, each in pieces of any length.
package protocol ExportSink: Sendable {
    /// - Parameter name: Words of letters, digits, `-`, `_` and `.`, with slashes between them.
    func begin(_ name: String) async throws
    func write(_ bytes: [UInt8]) async throws
    /// The file is whole.
    func end() async throws
}

extension ExportSink {
    /// A file that is at hand.
    func file(_ name: String, _ bytes: [UInt8]) async throws {
        try await begin(name)
        try await write(bytes)
        try await end()
    }
}
