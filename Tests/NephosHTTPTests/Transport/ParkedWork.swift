import NephosHTTP
import NephosRunner
import NephosTesting

/// Parks every request until the test answers it. Those for `/stuck` never complete instead, those for `/plain` are answered
/// immediately.
final class ParkedWork: Responder {
    struct Arrival: Sendable {
        let target: String
        let parking: Parking

        func answer(_ text: String, whenSent: (@Sendable (Bool) -> Void)? = nil) {
            parking.answer(.answer(RawResponse(body: Array(text.utf8), whenSent: whenSent)))
        }
    }

    let arrivals = RecordedValues<Arrival>()
    let endings = RecordedValues<Parking.Ending>()

    func respond(to request: RawRequest) -> Work {
        switch request.target {
        case "/stuck": .later { _ in }
        case "/plain": .answer(RawResponse(body: Array("plain".utf8)))
        default:
            .parked { parking in
                parking.onEnding { self.endings.record($0) }
                self.arrivals.record(Arrival(target: request.target, parking: parking))
            }
        }
    }
}

/// Answers every request with a stream written by the test.
final class StreamedWork: Responder {
    let head: StreamHead
    let arrivals = RecordedValues<StreamWriter>()
    let endings = RecordedValues<StreamWriter.Ending>()

    init(_ head: StreamHead = StreamHead(endpoint: "stream")) { self.head = head }

    func respond(to request: RawRequest) -> Work {
        if request.target == "/stuck" { return .later { _ in } }
        return .stream(head) { writer in
            writer.onEnding { self.endings.record($0) }
            self.arrivals.record(writer)
        }
    }
}

extension TestServer {
    /// Waits until a request that never completes times out.
    func outlastRequest() async throws -> Int {
        let client = try await client()
        try await client.send("GET /stuck HTTP/1.1\r\n\r\n")
        return try await client.answer().status
    }

    /// Waits until there are no connections and no counted bytes.
    func settle() async throws {
        let isSettled = try await Deadline().awaits { transport.connections == 0 && transport.budget.bytes == 0 }
        guard isSettled else { throw RawClient.Failure.timeout }
    }
}
