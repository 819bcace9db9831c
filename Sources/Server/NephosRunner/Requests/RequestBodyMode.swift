/// The request body mode: how a body is received (``Responder/bodyMode(of:bodyBytes:)``).
package enum RequestBodyMode: Sendable {
    /// Buffered until it is complete, and passed with the request (``Responder/respond(to:)``).
    case whole
    /// Passed piece by piece, because it may be larger than memory. The closure is called immediately on the connection's event
    /// loop, where blocking is not allowed; it keeps the ``BodyReader`` for the code that reads and answers.
    /// ``Responder/respond(to:)`` is not called.
    ///
    /// - Parameter bytesMax: A longer body is answered with 413: immediately if its length is announced, and then the closure is
    ///   not called; otherwise when the limit is exceeded.
    case pieces(bytesMax: Int64, @Sendable (BodyReader) -> Void)
    /// Not received. The closure answers the request without its body, on the connection's event loop, like
    /// ``Responder/respond(to:)``; the connection closes after the answer, and what arrives of the body until then is discarded.
    case unread(@Sendable (RawRequest) -> Work)
    /// Determined on a thread that may block. The body stays in the socket meanwhile, as with ``later(_:)``.
    case blocking(@Sendable () -> RequestBodyMode)
    /// Determined asynchronously. The closure is called immediately, where blocking is not allowed; it calls its argument once,
    /// then or later, from any thread.
    case later(@Sendable (@escaping @Sendable (RequestBodyMode) -> Void) -> Void)
}
