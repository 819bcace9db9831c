import Foundation
package import NephosRunner
import Synchronization

/// What a request comes to without a connection.
package enum RequestOutcome: Sendable {
    case answer(RawResponse)
    /// Answered with a file.
    case file(FileAnswer)
    /// Waits for something to happen.
    case parked
    /// Answered in pieces, as they come.
    case stream(StreamHead)
    /// The body is taken piece by piece, for which a connection is needed.
    case pieces
    /// An error that nobody foresaw. Clients are answered INTERNAL_ERROR.
    case failed(any Error)
}

extension Responder {
    /// Does with a request what a connection does, right here: no socket, no event loop, no second thread but those that the
    /// responder has itself.
    package func outcome(of request: RawRequest) -> RequestOutcome {
        guard ![.get, .head, .options].contains(request.method) else { return Self.finish(respond(to: request)) }
        var head = request
        head.body = []
        switch Self.settle(reception(of: head, bodyBytes: request.body.count)) {
        case .unread(let answer): return Self.finish(answer(request))
        case .pieces: return .pieces
        case .whole, .blocking, .later: return Self.finish(respond(to: request))
        }
    }

    /// How a body is taken, once that is found out.
    private static func settle(_ reception: Reception) -> Reception {
        switch reception {
        case .whole, .pieces, .unread: reception
        case .blocking(let find): settle(find())
        case .later(let begin): settle(waiting(begin) ?? .whole)
        }
    }

    /// What `begin` calls its argument with.
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

/// A responder said that it has answered, and had not.
private struct NoAnswer: Error {}
