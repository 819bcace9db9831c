/// Answers requests.
package protocol Responder: Sendable {
    /// Says how the body that follows `head`, a request without its body, is taken. Asked on the connection's event loop before any byte of it is kept,
    /// so it must not wait and should cost next to nothing; not asked where there is no body, nor for OPTIONS.
    ///
    /// - Parameter bodyBytes: How long the body is said to be; nil where nothing is said, or `100 Continue` is waited for.
    func reception(of head: RawRequest, bodyBytes: Int?) -> Reception

    /// Says how `request` is answered. Runs on the connection's event loop, so it must not wait: not for a disk, not for
    /// a lock held longer than a few microseconds, not for another thread. What waits goes into the ``Work`` it returns.
    func respond(to request: RawRequest) -> Work

    /// Ends work that no request waits for any more. Called once, when all connections are closed.
    func stop() async
}

extension Responder {
    package func reception(of head: RawRequest, bodyBytes: Int?) -> Reception { .whole }

    package func stop() async {}
}

/// How far the answer to a request is.
package enum Work: Sendable {
    /// Done.
    case answer(RawResponse)
    /// Goes on on a thread that may wait. What the closure throws is treated as ``failed(_:)``.
    case blocking(@Sendable () throws -> Work)
    /// Goes on elsewhere. The closure is called at once, where the work is, and must not wait; it calls its argument
    /// once, then or later, from any thread.
    case later(@Sendable (@escaping @Sendable (Work) -> Void) -> Void)
    /// Waits for long. The closure is called on the connection's event loop, so it must not wait; it keeps the ``Parking``
    /// for whoever will answer. It is not called when the client is gone already.
    ///
    /// A client that closes its side of the connection is taken for gone, whether it still reads or not. Requests that it
    /// sends behind this one wait for its answer.
    case parked(@Sendable (Parking) -> Void)
    /// Is answered in pieces for as long as they come: chunked, or for clients of HTTP/1.0 up to the end of the connection.
    /// The closure is called as that of ``parked(_:)``, and not for HEAD either; it keeps the ``StreamWriter`` for whoever
    /// will write. Never compressed, and the last answer on its connection.
    case stream(StreamHead, @Sendable (StreamWriter) -> Void)
    /// Is answered with a file, or something as large. Requests behind it wait.
    indirect case file(FileAnswer)
    /// An error that nobody foresaw. It is logged with the request's id and answered as INTERNAL_ERROR without detail.
    case failed(any Error)
}

extension Work {
    /// The request was given up meanwhile, so the work is not carried out.
    package func discard() {
        switch self {
        case .answer(let answer): answer.whenSent?(false)
        case .file(let answer): answer.whenSent?(false)
        case .blocking, .later, .parked, .stream, .failed: break
        }
    }
}
