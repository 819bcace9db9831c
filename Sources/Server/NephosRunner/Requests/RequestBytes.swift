/// Bytes of a request's body, wherever they lie.
package protocol RequestBytes: Sendable {
    /// Lends the bytes to `body`, which must not keep them.
    func withBytes<Answer>(_ body: (UnsafeRawBufferPointer) throws -> Answer) rethrows -> Answer
}
