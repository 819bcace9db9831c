/// Answers requests.
package protocol Responder: Sendable {
    /// Returns how the body after `head`, a request without its body, is received. Called on the connection's event loop before any byte of the body
    /// is kept, so it must not block and should cost next to nothing; not called if there is no body, nor for OPTIONS.
    ///
    /// - Parameter bodyBytes: The announced length of the body; nil if none is announced, or if the client waits for `100 Continue`.
    func bodyMode(of head: RawRequest, bodyBytes: Int?) -> RequestBodyMode

    /// Returns how `request` is answered. Runs on the connection's event loop, so it must not block: not for a disk, not for a
    /// lock held longer than a few microseconds, not for another thread. Blocking code goes into the ``Work`` that it returns.
    func respond(to request: RawRequest) -> Work

    /// Ends work that no request waits for any more. Called once, after all connections have closed.
    func stop() async
}

extension Responder {
    package func bodyMode(of head: RawRequest, bodyBytes: Int?) -> RequestBodyMode { .whole }

    package func stop() async {}
}

/// The state of answering a request.
package enum Work: Sendable {
    /// Complete.
    case answer(RawResponse)
    /// Continues on a thread that may block. An error of the closure is treated as ``failed(_:)``.
    case blocking(@Sendable () throws -> Work)
    /// Continues elsewhere. The closure is called immediately, on the current thread, and must not block; it calls its argument
    /// once, then or later, from any thread.
    case later(@Sendable (@escaping @Sendable (Work) -> Void) -> Void)
    /// Waits long. The closure is called on the connection's event loop, so it must not block; it keeps the ``Parking`` for the
    /// code that will answer. It is not called if the client has already disconnected.
    ///
    /// A client that closes its side of the connection counts as disconnected, whether it still reads or not. Requests that it
    /// sends after this one wait for its answer.
    case parked(@Sendable (Parking) -> Void)
    /// Sends a response in pieces for as long as they are written: chunked, or for HTTP/1.0 clients up to the end of the
    /// connection. The closure is called like that of ``parked(_:)``, and not for HEAD; it keeps the ``StreamWriter`` for the
    /// code that will write. Never compressed, and the last response on its connection.
    case stream(StreamHead, @Sendable (StreamWriter) -> Void)
    /// Responds with a file, or something as large. Later requests on the connection wait.
    indirect case file(FileAnswer)
    /// An unexpected error. It is logged with the request's id and answered with INTERNAL_ERROR without detail.
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
