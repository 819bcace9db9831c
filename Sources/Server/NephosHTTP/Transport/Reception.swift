/// How the body of a request is taken (``Responder/reception(of:)``).
package enum Reception: Sendable {
    /// Kept until all of it is there, and handed over with the request (``Responder/respond(to:)``).
    case whole
    /// Handed over piece by piece, since it may be larger than memory. The closure is called at once on the connection's
    /// event loop, where it must not wait; it keeps the ``BodyReader`` for whoever will read and answer.
    /// ``Responder/respond(to:)`` is not called.
    ///
    /// - Parameter bytesMax: A body longer than this is answered 413: at once when it is announced, and then the closure is
    ///   not called, else when it has become so long.
    case pieces(bytesMax: Int64, @Sendable (BodyReader) -> Void)
}
