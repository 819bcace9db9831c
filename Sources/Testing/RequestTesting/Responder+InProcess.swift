import Foundation
package import NephosRunner
import Synchronization

/// The outcome of a request without a connection.
package enum RequestOutcome: Sendable {
    case answer(RawResponse)
    /// Responds with a file.
    case file(FileAnswer)
    /// Waits for an event.
    case parked
    /// Responds in pieces, as they are produced.
    case stream(StreamHead)
    /// The body is received piece by piece, which requires a connection.
    case pieces
    /// An unexpected error. Clients receive INTERNAL_ERROR.
    case failed(any Error)
}

extension Responder {
    /// Processes a request as a connection would, on the current thread: without a socket or an event loop, and without other
    /// threads except the responder's own.
    package func outcome(of request: RawRequest) -> RequestOutcome {
        guard ![.get, .head, .options].contains(request.method) else { return Self.finish(respond(to: request)) }
        var head = request
        head.body = []
        switch Self.settle(bodyMode(of: head, bodyBytes: request.body.count)) {
        case .unread(let answer): return Self.finish(answer(request))
        case .pieces: return .pieces
        case .whole, .blocking, .later: return Self.finish(respond(to: request))
        }
    }

    /// Resolves how a body is received.
    private static func settle(_ bodyMode: RequestBodyMode) -> RequestBodyMode {
        switch bodyMode {
        case .whole, .pieces, .unread: bodyMode
        case .blocking(let find): settle(find())
        case .later(let begin): settle(waiting(begin) ?? .whole)
        }
    }

    /// Blocks until `begin` calls its argument, and returns the value.
    private static func waiting<Value: Sendable>(_ begin: (@escaping @Sendable (Value) -> Void) -> Void) -> Value? {
        let result = Mutex<Value?>(nil)
        let isThere = DispatchSemaphore(value: 0)
        begin { value in
            result.withLock { $0 = value }
            isThere.signal()
        }
        isThere.wait()
        return result.withLock { $0 }
    }

    private static func finish(_ work: Work) -> RequestOutcome {
        switch work {
        case .answer(let answer): return .answer(answer)
        case .file(let answer): return .file(answer)
        case .parked: return .parked
        case .stream(let head, _): return .stream(head)
        case .failed(let error): return .failed(error)
        case .blocking(let job):
            do { return finish(try job()) } catch { return .failed(error) }
        case .later(let begin):
            guard let work = waiting(begin) else { return .failed(NoAnswer()) }
            return finish(work)
        }
    }
}

/// A responder reported a response without sending one.
private struct NoAnswer: Error {}
