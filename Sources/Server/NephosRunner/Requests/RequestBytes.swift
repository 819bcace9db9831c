/// Bytes of a request's body, wherever they are stored.
package protocol RequestBytes: Sendable {
    /// Provides the bytes to `body`, which must not keep them.
    func withBytes<Answer>(_ body: (UnsafeRawBufferPointer) throws -> Answer) rethrows -> Answer
}
