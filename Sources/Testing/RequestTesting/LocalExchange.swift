import CloudKitWire
import Foundation
import NephosNetwork
package import NephosRunner
package import NephosStorage
package import NephosTesting
import Synchronization

/// One request to a responder, and its response: what a connection does, without a socket.
///
/// It has no timeouts, no compression, and no slow readers: tests of these need a socket.
package final class LocalExchange: LocalAnswer {
    private struct State {
        var head: HTTPResponse?
        var pieces: [[UInt8]] = []
        var isEnded = false
        var hasLeft = false
        /// The rest of the request body, which is not passed on yet.
        var rest: ArraySlice<UInt8> = []
        var parking: Parking?
        var stream: StreamWriter?
    }

    /// Number of bytes of a body passed on at a time.
    private static let pieceBytes = 64 << 10
    /// Maximum number of unread bytes of a stream.
    private static let unsentMax = 256 << 10

    private let responder: any Responder
    private let threads: any WaitingThreads
    private let isHEAD: Bool
    private let id: RequestID
    private let failed: @Sendable (any Error, RequestID) -> Void
    private let abandonment = Abandonment()
    private let condition = NSCondition()
    private let state = Mutex(State())

    /// - Parameter failed: Called with unexpected errors.
    package init(
        _ responder: any Responder, threads: any WaitingThreads, isHEAD: Bool, id: RequestID = .next(),
        failed: @escaping @Sendable (any Error, RequestID) -> Void
    ) {
        self.responder = responder
        self.threads = threads
        self.isHEAD = isHEAD
        self.id = id
        self.failed = failed
    }

    /// - Parameter origin: The server's scheme, address and port.
    package func begin(_ request: HTTPRequest, at now: Milliseconds, origin: String) {
        var headers = [(name: "Host", value: String(origin.dropFirst("http://".count)))]
        headers += request.headers.map { ($0.name, $0.value) }
        if let body = request.body { headers.append(("Content-Length", "\(body.count)")) }
        begin(
            RawRequest(
                method: RequestMethod(rawValue: request.method), target: request.target,
                headers: RequestHeaders(headers), body: request.body ?? [], id: id, arrivedAt: now,
                peer: Peer(
                    isProxy: false, address: NetworkAddress("127.0.0.1"), origin: origin, abandonment: abandonment)))
    }

    /// - Parameter request: Its ID is that of the exchange.
    package func begin(_ request: RawRequest) {
        if request.method == .options { return finish(Preflight.answer(to: request)) }
        if request.body.isEmpty, [.get, .head].contains(request.method) {
            return carry(responder.respond(to: request), canWait: false)
        }
        var head = request
        head.body = []
        take(responder.bodyMode(of: head, bodyBytes: request.body.count), head, request.body)
    }

    // MARK: The body

    private func take(_ bodyMode: RequestBodyMode, _ request: RawRequest, _ body: [UInt8]) {
        switch bodyMode {
        case .whole:
            var request = request
            request.body = body
            carry(responder.respond(to: request), canWait: false)
        case .unread(let answer): carry(answer(request), canWait: false)
        case .blocking(let find): onThread { self.take(find(), request, body) }
        case .later(let begin): begin { self.take($0, request, body) }
        case .pieces(let bytesMax, let begin):
            guard body.count <= bytesMax else {
                return finish(
                    RawResponse(
                        413, .badRequest, "The body is longer than \(bytesMax) bytes: send less in one request.", id: id
                    ))
            }
            state.withLock { $0.rest = body[...] }
            begin(reader(request))
        }
    }

    private func reader(_ request: RawRequest) -> BodyReader {
        let place = Mutex<BodyReader?>(nil)
        let reader = BodyReader(
            request, ask: { self.onThread { place.withLock { $0 }?.hand(self.nextPiece()) } },
            deliver: { work in
                place.withLock { $0 = nil }
                self.carry(work, canWait: false)
            })
        place.withLock { $0 = reader }
        return reader
    }

    private func nextPiece() -> BodyPiece {
        state.withLock { state in
            guard !state.rest.isEmpty else { return .end }
            let piece = state.rest.prefix(Self.pieceBytes)
            state.rest = state.rest.dropFirst(Self.pieceBytes)
            return .bytes(Bytes(bytes: Array(piece)))
        }
    }

    private struct Bytes: RequestBytes {
        let bytes: [UInt8]

        func withBytes<Answer>(_ body: (UnsafeRawBufferPointer) throws -> Answer) rethrows -> Answer {
            try bytes.withUnsafeBytes(body)
        }
    }

    // MARK: Work

    /// - Parameter canWait: Whether this thread may block.
    private func carry(_ work: Work, canWait: Bool) {
        switch work {
        case .answer(let answer): finish(answer)
        case .blocking(let job):
            guard canWait else { return onThread { self.carry(work, canWait: true) } }
            do { carry(try job(), canWait: true) } catch { carry(.failed(error), canWait: true) }
        case .later(let begin): begin { self.carry($0, canWait: false) }
        case .parked(let begin): park(begin)
        case .stream(let head, let begin): stream(head, begin)
        case .file(let answer): onThread { self.finish(answer) }
        case .failed(let error):
            failed(error, id)
            finish(.unforeseen(id: id))
        }
    }

    private func onThread(_ job: @escaping @Sendable () -> Void) { threads.perform { _ in job() } }

    private func park(_ begin: @Sendable (Parking) -> Void) {
        let parking = Parking { self.carry($0, canWait: false) }
        let hasLeft = state.withLock { state in
            state.parking = parking
            return state.hasLeft
        }
        if !hasLeft { begin(parking) }
    }

    private func stream(_ head: StreamHead, _ begin: @Sendable (StreamWriter) -> Void) {
        settle(
            self.head(
                head.status, head.contentType,
                head.headers + [("Cache-Control", "no-cache, no-transform"), ("Connection", "close")],
                isForAllOrigins: true, length: nil))
        let writer = StreamWriter(
            budget: BodyBudget(bytesMax: Self.unsentMax), unsentMax: Self.unsentMax, wake: { self.fetch() })
        let hasLeft = state.withLock { state in
            state.stream = writer
            return state.hasLeft
        }
        if hasLeft || isHEAD { end() } else { begin(writer) }
    }

    /// Fetches what was written to a stream.
    private func fetch() {
        guard let writer = state.withLock({ $0.stream }) else { return }
        let (pieces, ending) = writer.fetch()
        change { $0.pieces += pieces.map(\.bytes).filter { !$0.isEmpty } }
        writer.settle(pieces, sent: true)
        guard ending != nil else { return }
        end()
        writer.end()
    }

    // MARK: The answer

    private func finish(_ answer: RawResponse) {
        var response = head(
            answer.status, answer.contentType, answer.headers, isForAllOrigins: answer.isForAllOrigins,
            length: answer.status == 304 ? nil : Int64(answer.body.count))
        if !isHEAD { response.body = answer.body }
        settle(response)
        end()
        answer.whenSent?(true)
    }

    private func finish(_ answer: FileAnswer) {
        var response = head(
            answer.status, answer.contentType, answer.headers, isForAllOrigins: true, length: answer.length)
        if !isHEAD, answer.status != 304, answer.length > 0, let whole = answer.whole {
            response.body = whole
        } else if !isHEAD, answer.status != 304, answer.length > 0 {
            response.body = [UInt8](repeating: 0, count: Int(answer.length))
            do {
                try response.body.withUnsafeMutableBytes { try answer.source.fill($0, at: answer.offset) }
            } catch {
                answer.whenSent?(false)
                return carry(.failed(error), canWait: true)
            }
        }
        settle(response)
        end()
        answer.whenSent?(true)
    }

    private func head(
        _ status: Int, _ contentType: String, _ headers: [(name: String, value: String)], isForAllOrigins: Bool,
        length: Int64?
    ) -> HTTPResponse {
        var all = CommonHeaders.ofAll + (isForAllOrigins ? CommonHeaders.ofAllOrigins : [])
        all += [("X-Apple-Request-UUID", id.text), ("Content-Type", contentType)]
        all += headers.map { ($0.name, $0.value) }
        if let length { all.append(("Content-Length", "\(length)")) }
        return HTTPResponse(status: status, headers: all.map { HTTPHeader($0.0, $0.1) }, body: [])
    }

    private func settle(_ response: HTTPResponse) { change { $0.head = response } }

    private func end() { change { $0.isEnded = true } }

    private func change(_ body: (inout State) -> Void) {
        condition.lock()
        state.withLock { body(&$0) }
        condition.broadcast()
        condition.unlock()
    }

    // MARK: LocalAnswer

    package func head(within seconds: Int) throws -> HTTPResponse {
        try wait(seconds) { $0.head }
    }

    package func piece(within seconds: Int) throws -> [UInt8]? {
        let piece: [UInt8]?? = try wait(seconds) { state in
            if !state.pieces.isEmpty { return .some(state.pieces.removeFirst()) }
            return state.isEnded ? .some(nil) : nil
        }
        return piece ?? nil
    }

    private func wait<Value>(_ seconds: Int, for value: (inout State) -> Value?) throws -> Value {
        let until = Date(timeIntervalSinceNow: Double(seconds))
        condition.lock()
        defer { condition.unlock() }
        while true {
            if let value = state.withLock({ value(&$0) }) { return value }
            guard condition.wait(until: until) else { throw SystemError("wait for an answer", code: ETIMEDOUT) }
        }
    }

    package func leave() { leave(.clientGone, .clientGone) }

    /// Ends the exchange because the server stops.
    package func stop() { leave(.serverStops, .serverStops) }

    private func leave(_ ending: Parking.Ending, _ streamEnding: StreamWriter.Ending) {
        let (parking, stream, isEnded) = state.withLock { state in
            if ending == .clientGone { state.hasLeft = true }
            return (state.parking, state.stream, state.isEnded)
        }
        guard !isEnded else { return }
        if ending == .clientGone { abandonment.abandon() }
        parking?.end(ending)
        guard let stream else { return }
        stream.seal(streamEnding)
        fetch()
    }
}
