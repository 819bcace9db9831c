/// How the body of a request is taken (``Responder/reception(of:bodyBytes:)``).
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
    /// Not at all. The closure answers the request without it, on the connection's event loop, as ``Responder/respond(to:)``
    /// does; the connection closes behind the answer, and what comes of the body until then is thrown away.
    case unread(@Sendable (RawRequest) -> Work)
    /// Is found out on a thread that may wait. The body stays in the socket meanwhile, as with ``later(_:)``.
    case blocking(@Sendable () -> Reception)
    /// Is found out elsewhere. The closure is called at once, where it must not wait; it calls its argument once, then or
    /// later, from any thread.
    case later(@Sendable (@escaping @Sendable (Reception) -> Void) -> Void)
}
