import NIOCore
import NephosHTTP
import NephosRunner
import Synchronization
import Testing

@Suite("Random interleavings of events")
struct TransportInterleavingTests {
    @Test("Every callback is called exactly once, and nothing stays counted", arguments: 1...12)
    func random(seed: UInt64) async throws {
        let record = Record()
        let limits = testLimits { limits in
            limits.streamUnsentBytesMax = 20_000
            limits.heartbeatMilliseconds = 10
            limits.shutdownMilliseconds = 100
        }
        try await withServer(record, limits: limits) { server in
            var dice = Dice(state: seed)
            var clients: [RawClient] = []
            for _ in 0..<400 {
                if clients.count < 10 || dice.roll(3) == 0 {
                    clients.append(try await server.client(receiveBuffer: 4_096))
                }
                let which = dice.roll(clients.count)
                switch dice.roll(8) {
                case 0, 1: try await clients[which].send("GET /poll HTTP/1.1\r\n\r\n")
                case 2: try await clients[which].send("GET /stream HTTP/1.1\r\n\r\n")
                case 3: clients.remove(at: which)
                case 4:
                    clients[which].resetAtEnd()
                    clients.remove(at: which)
                case 5: try await clients[which].closeWriting()
                default: record.act(&dice)
                }
            }
            // The server does not wait for connections that it accepts while stopping; after this one it has them all.
            let last = try await server.client()
            try await last.send("GET /plain HTTP/1.1\r\n\r\n")
            #expect(try await last.answer().status == 200)
            async let stopped: Void = server.stop()
            for _ in 0..<50 { record.act(&dice) }
            await stopped
        }
        record.verify()
    }

    /// Pseudo-random numbers that are the same every time.
    struct Dice {
        var state: UInt64
        mutating func roll(_ sides: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % sides
        }
    }

    /// Parks and streams, answers and writes at random, and counts its notifications.
    final class Record: Responder {
        private struct State {
            var parkings: [Parking] = []
            var writers: [StreamWriter] = []
            /// For each parking and writer: how often its end was reported.
            var endings: [ObjectIdentifier: Int] = [:]
            /// Parked requests whose response was accepted.
            var answered: Set<ObjectIdentifier> = []
            /// For each response and piece: how often the result of sending it was reported.
            var sent: [Int] = []
        }

        private let state = Mutex(State())

        func respond(to request: RawRequest) -> Work {
            if request.target == "/plain" { return .answer(RawResponse(body: [])) }
            if request.target == "/stream" {
                return .stream(StreamHead()) { writer in
                    self.state.withLock { $0.writers.append(writer) }
                    writer.onEnding { _ in self.ended(writer) }
                }
            }
            return .parked { parking in
                // Every other one is answered when the server stops.
                let answers = self.state.withLock { state in
                    state.parkings.append(parking)
                    return state.parkings.count % 2 == 0
                }
                parking.onEnding { ending in
                    self.ended(parking)
                    if ending == .serverStops, answers { self.answer(parking, bytes: 10) }
                }
            }
        }

        private func ended(_ object: AnyObject) {
            state.withLock { $0.endings[ObjectIdentifier(object), default: 0] += 1 }
        }

        private func expectSent() -> @Sendable (Bool) -> Void {
            let index = state.withLock { state in
                state.sent.append(0)
                return state.sent.count - 1
            }
            return { _ in self.state.withLock { $0.sent[index] += 1 } }
        }

        private func answer(_ parking: Parking, bytes: Int) {
            let told = expectSent()
            let answer = Work.answer(RawResponse(body: [UInt8](repeating: 32, count: bytes), whenSent: told))
            let needsWork = bytes % 3 == 0
            if parking.answer(needsWork ? .blocking { answer } : answer) {
                state.withLock { _ = $0.answered.insert(ObjectIdentifier(parking)) }
            } else if needsWork {
                // The work was not executed, so there was no response.
                told(false)
            }
        }

        /// Answers or writes something, on the caller's thread.
        func act(_ dice: inout Dice) {
            let (parkings, writers) = state.withLock { ($0.parkings, $0.writers) }
            if !parkings.isEmpty, dice.roll(2) == 0 {
                answer(parkings[dice.roll(parkings.count)], bytes: dice.roll(3_000))
            }
            guard !writers.isEmpty else { return }
            let writer = writers[dice.roll(writers.count)]
            switch dice.roll(10) {
            case 0: writer.close()
            case 1:
                for _ in 0..<20 { writer.write([UInt8](repeating: 97, count: 1_500), whenSent: expectSent()) }
            default: writer.write([UInt8](repeating: 97, count: dice.roll(300)), whenSent: expectSent())
            }
        }

        func verify() {
            state.withLock { state in
                #expect(state.sent.allSatisfy { $0 == 1 })
                for writer in state.writers { #expect(state.endings[ObjectIdentifier(writer)] == 1) }
                for parking in state.parkings {
                    let endings = state.endings[ObjectIdentifier(parking)] ?? 0
                    let isAnswered = state.answered.contains(ObjectIdentifier(parking))
                    #expect(isAnswered ? endings <= 1 : endings == 1)
                }
            }
        }
    }
}
