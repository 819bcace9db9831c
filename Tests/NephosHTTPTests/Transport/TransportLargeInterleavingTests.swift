import NIOHTTP1
import NIOPosix
import NephosHTTP
import NephosRunner
import Synchronization
import Testing

@Suite("Random interleavings of events with large bodies and files", .serialized)
struct TransportLargeInterleavingTests {
    @Test("Every callback is called exactly once, and nothing stays counted", arguments: 1...12)
    func random(seed: UInt64) async throws {
        let threads = NIOThreadPool(numberOfThreads: 2)
        threads.start()
        let record = Record(threads: threads)
        let limits = testLimits { limits in
            limits.shutdownMilliseconds = 100
            limits.requestMilliseconds = 300
            limits.bufferedBytesMax = 3_000_000
        }
        try await withServer(record, limits: limits) { server in
            var dice = TransportInterleavingTests.Dice(state: seed)
            var clients: [RawClient] = []
            for _ in 0..<300 {
                if clients.count < 10 || dice.roll(3) == 0 { clients.append(try await server.client()) }
                let which = dice.roll(clients.count)
                let size = 1 + dice.roll(40_000)
                switch dice.roll(9) {
                case 0, 1:
                    let head = "POST /up\(dice.roll(6)) HTTP/1.1\r\nContent-Length: \(size)\r\n\r\n"
                    try await clients[which].send(head)
                    try await clients[which].send(Pattern.bytes(0..<size - dice.roll(2) * dice.roll(size)))
                case 2:
                    let chunk = String(repeating: "x", count: size)
                    try await clients[which].send(
                        "POST /up\(dice.roll(6)) HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
                            + "\(String(size, radix: 16))\r\n\(chunk)\r\n" + (dice.roll(2) == 0 ? "0\r\n\r\n" : ""))
                case 3, 4: try await clients[which].send("GET /file\(dice.roll(40)) HTTP/1.1\r\n\r\n")
                case 5: clients.remove(at: which)
                case 6:
                    clients[which].resetAtEnd()
                    clients.remove(at: which)
                case 7: try await clients[which].closeWriting()
                default: try await clients[which].send("GET /plain HTTP/1.1\r\n\r\n")
                }
            }
            // As in the other suite: after this one the server has all connections.
            let last = try await server.client()
            try await last.send("GET /plain HTTP/1.1\r\n\r\n")
            #expect(try await last.answer().status == 200)
            await server.stop()
        }
        // By then all remaining notifications have arrived.
        try await threads.shutdownGracefully()
        record.verify()
    }

    /// Receives and sends, and counts its notifications.
    private final class Record: Responder {
        private let threads: NIOThreadPool
        private let source = PatternSource()
        /// For each body: how often its end was reported. For each file: how often the result of sending it was reported.
        private let told = Mutex<(bodies: [Int], files: [Int])>(([], []))

        init(threads: NIOThreadPool) { self.threads = threads }

        func bodyMode(of head: RawRequest, bodyBytes: Int?) -> RequestBodyMode {
            guard head.target.hasPrefix("/up") else { return .whole }
            return .pieces(bytesMax: 30_000) { self.take($0) }
        }

        private func take(_ reader: BodyReader) {
            switch reader.request.target {
            case "/up0": reader.answer(.answer(RawResponse(status: 403, body: [])))
            // The owner requests a piece once, answers then or never, and is not notified of the end.
            case "/up1": reader.next { _ in reader.answer(self.file(1_000_000)) }
            case "/up2": reader.next { _ in }
            default:
                let index = told.withLock { told in
                    told.bodies.append(0)
                    return told.bodies.count - 1
                }
                reader.forEach(on: threads, consume: { _ in }) { _ in
                    self.told.withLock { $0.bodies[index] += 1 }
                    return self.file(10_000)
                }
            }
        }

        func respond(to request: RawRequest) -> Work {
            guard request.target.hasPrefix("/file") else { return .answer(RawResponse(body: [])) }
            let size = Int64(request.target.dropFirst(5)) ?? 0
            return size % 2 == 0 ? file(size * 100_000) : .blocking { self.file(size * 100_000) }
        }

        private func file(_ size: Int64) -> Work {
            let index = told.withLock { told in
                told.files.append(0)
                return told.files.count - 1
            }
            return source.answer(size, whenSent: { _ in self.told.withLock { $0.files[index] += 1 } })
        }

        func verify() {
            told.withLock { told in
                #expect(told.bodies.allSatisfy { $0 == 1 })
                #expect(told.files.allSatisfy { $0 == 1 })
                #expect(!told.bodies.isEmpty && !told.files.isEmpty)
            }
        }
    }
}
