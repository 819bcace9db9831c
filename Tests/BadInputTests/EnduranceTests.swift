import Foundation
import NephosTesting
import Testing

/// Clients that are slow, never read, are too many, or send too much (docs/protocol.md, Limits). Each test has its own server, so
/// they run concurrently with the rows of ``BadInput``.
@Suite(.targets, .serialized) struct Endurance {
    /// Connections that begin a request and never end it are closed in time, and do not delay others.
    @Test(.onOneEngine, arguments: ["GET /healthz HT", "POST /x HTTP/1.1\r\nContent-Length: 10000\r\n\r\n{", ""])
    func aSlowClientIsTurnedAway(_ beginning: String) throws {
        // No other limit ends within the patience.
        let long = "\(4 * Patience.seconds)"
        let busy = try Busy([
            "NEPHOS_HEADERS_SECONDS": "1", "NEPHOS_BODY_SECONDS": "1", "NEPHOS_STALLED_READ_SECONDS": long,
            "NEPHOS_REQUEST_SECONDS": long, "NEPHOS_IDLE_SECONDS": long,
        ])
        let slow = try (0..<200).map { _ in try HTTPConnection(port: busy.server.port) }
        for connection in slow { try connection.socket.send(Array(beginning.utf8)) }
        // One more sends a byte per second as long as it is connected.
        let trickle = try HTTPConnection(port: busy.server.port, timeout: 1)
        try trickle.socket.send(Array(beginning.utf8))
        try busy.expectWell()
        #expect(isClosed(trickle), "a client may not live on single bytes")
        for connection in slow {
            if beginning.isEmpty {
                #expect(
                    try connection.socket.receive().isEmpty, "a connection without a request is closed silently")
            } else {
                let response = try connection.response()
                #expect(response.status == 408, "\(response.status)")
                #expect(try response.json["serverErrorCode"] == "BAD_REQUEST")
            }
        }
        try busy.expectWell()
    }

    /// Whether a client that sends one byte per second receives a response or is closed.
    private func isClosed(_ connection: HTTPConnection) -> Bool {
        for _ in 0..<Patience.seconds {
            do {
                try connection.socket.send([UInt8(ascii: "X")])
                _ = try connection.socket.receive()
                return true
            } catch let error as SystemError where error.code == EAGAIN {
                continue
            } catch {
                return true
            }
        }
        return false
    }

    /// Twenty clients repeatedly request pages of 8 MB, and read none of it: they are closed, and their buffers are released. Other
    /// clients are not affected.
    @Test func aClientThatStopsReadingIsClosed() throws {
        let busy = try Busy(["NEPHOS_STALLED_WRITE_SECONDS": "2"])
        try busy.fill(megabytes: 8)
        let target = "/database/1/\(busy.container)/development/private/changes/zone?\(busy.query)"
        let body = Array(#"{"zones":[{"zoneID":{"zoneName":"Big"}}]}"#.utf8)
        let deaf = try (0..<20).map { _ in try HTTPConnection(port: busy.server.port) }
        for connection in deaf {
            for _ in 0..<5 { try connection.send(HTTPRequest("POST", target, body: body)) }
        }
        #expect(
            Deadline().waits { (busy.metric("nephos_buffered_bytes") ?? 0) > 8e6 }, "nothing was kept")
        try busy.expectWell()
        let isFree = Deadline().waits {
            // One connection is that of this request.
            busy.metric("nephos_connections") == 1 && busy.metric("nephos_buffered_bytes") == 0
        }
        #expect(isFree, "deaf clients are still served")
        withExtendedLifetime(deaf) {}
        try busy.expectWell()
    }

    /// More concurrent writers than may wait: each receives either a confirmation that its record is saved, or a request to retry,
    /// and both are true.
    @Test func moreWritersThanMayWaitAreToldToComeAgain() throws {
        let busy = try Busy()
        let count = 1_500
        let writers = try (0..<count).map { _ in try HTTPConnection(port: busy.server.port) }
        #expect(Deadline().waits { busy.metric("nephos_connections") == Double(count + 1) })
        // All of it is pending when the server resumes.
        try busy.server.process.signal(SIGSTOP)
        for (number, writer) in writers.enumerated() { try writer.send(busy.save("w\(number)")) }
        try busy.server.process.signal(SIGCONT)
        var saved: [String] = []
        for (number, writer) in writers.enumerated() {
            let response = try writer.response()
            let json = try response.json
            if response.status == 200 {
                #expect(json["records"][0]["recordName"] == .string("w\(number)"), "\(json)")
                saved.append("w\(number)")
            } else {
                #expect(response.status == 503 && json["serverErrorCode"] == "TRY_AGAIN_LATER", "\(json)")
                #expect((json["retryAfter"].double ?? 0) > 0 && response["Retry-After"] != nil, "\(json)")
            }
        }
        #expect(saved.count >= 1_000, "only \(saved.count) of \(count) writers were let in")
        #expect(try busy.names() == Set(saved), "what was told is not what was done")
    }

    /// Thirty-two clients send 16 MB each concurrently, with a limit of 64 MB: memory stays within 60 MB and twice the limit.
    @Test(.onOneEngine, arguments: [Body.spaces, .oneString, .manyOperations, .manyKeys, .manyFields])
    func aFloodOfBodiesDoesNotFillTheMemory(_ body: Body) throws {
        let room = 64 << 20
        let busy = try Busy(["NEPHOS_BUFFERED_BYTES_MAX": "\(room)"])
        let bytes = body.bytes(16 << 20)
        let port = busy.server.port
        let target = "/database/1/\(busy.container)/development/private/records/modify?\(busy.query)"
        let statuses = Threads.each(32) { _ in
            do {
                return try HTTPConnection(port: port)
                    .exchange(HTTPRequest("POST", target, body: bytes)).status
            } catch {
                // Closed by the server before it had read everything: it had sent the reason, but the client was still sending.
                return 0
            }
        }
        #expect(Set(statuses).isSubset(of: [0, 200, 400, 408, 503]), "\(Set(statuses))")
        let most = try busy.server.usage.residentBytesMax
        #expect(most <= UInt64(60 << 20 + 2 * room), "\(most >> 20) MB with room for \(room >> 20) MB")
        try busy.expectWell()
        #expect(Deadline().waits { busy.metric("nephos_buffered_bytes") == 0 }, "room is lost")
    }

    /// One connection beyond the limit is rejected with a message.
    @Test(.onOneEngine) func oneConnectionTooManyIsToldToComeAgain() throws {
        let busy = try Busy(["NEPHOS_CONNECTIONS_MAX": "50"])
        var open: [HTTPConnection] = []
        for _ in 0..<50 { open.append(try HTTPConnection(port: busy.server.port)) }
        #expect(try open[49].exchange(HTTPRequest("GET", "/healthz")).status == 200)
        let answer = try HTTPConnection(port: busy.server.port).exchange(HTTPRequest("GET", "/healthz"))
        #expect(answer.status == 503)
        #expect(try answer.json["serverErrorCode"] == "TRY_AGAIN_LATER")
        open.removeAll()
        let port = busy.server.port
        let isWell = Deadline().waits {
            (try? HTTPConnection(port: port).exchange(HTTPRequest("GET", "/healthz")).status) == 200
        }
        #expect(isWell, "places are not given back")
    }
}

extension Endurance {
    /// 16 MB in one request, in ways with different parsing costs.
    enum Body: String, CustomTestStringConvertible, Sendable {
        case spaces, oneString, manyOperations, manyKeys, manyFields

        var testDescription: String { rawValue }

        func bytes(_ count: Int) -> [UInt8] {
            switch self {
            case .spaces: return Array("{}".utf8) + [UInt8](repeating: 0x20, count: count - 2)
            case .oneString: return filled(#"{"operations":["#, "x", "", count, quoted: true)
            case .manyOperations: return filled(#"{"operations":["#, "[],", "[]]}", count)
            case .manyKeys: return filled("{", #""a":[],"#, #""operations":[]}"#, count, numbered: true)
            case .manyFields:
                let start = #"{"operations":[{"operationType":"create","record":{"recordType":"T","fields":{"#
                return filled(start, #":{"value":[1,2,3]},"#, #""z":{}}}}]}"#, count, numbered: true)
            }
        }

        /// `start`, as many `piece`s as fit, and `end`.
        private func filled(
            _ start: String, _ piece: String, _ end: String, _ count: Int, quoted: Bool = false, numbered: Bool = false
        ) -> [UInt8] {
            var bytes = Array(start.utf8)
            bytes.reserveCapacity(count + 64)
            if quoted { bytes.append(UInt8(ascii: "\"")) }
            let most = count - end.utf8.count - piece.utf8.count - 16
            let piece = numbered && piece.hasPrefix("\"") ? Array(":1,".utf8) : Array(piece.utf8)
            var number = 0
            while numbered, bytes.count < most {
                bytes += Array("\"k\(number)\"".utf8)
                bytes += piece
                number += 1
            }
            // Adding sixteen million pieces one by one would take seconds.
            let many = Array((0..<4_096).map { _ in piece }.joined())
            while bytes.count < most - many.count { bytes += many }
            while bytes.count < most { bytes += piece }
            if quoted { bytes += Array("\"]}".utf8) }
            return bytes + Array(end.utf8)
        }
    }
}
