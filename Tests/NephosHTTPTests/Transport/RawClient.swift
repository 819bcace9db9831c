import Dispatch
import Foundation
import NephosTesting
import Synchronization

#if canImport(Darwin)
    private let streamSocket = SOCK_STREAM
    private let sendFlags: Int32 = 0
#else
    private let streamSocket = Int32(SOCK_STREAM.rawValue)
    /// A server that hangs up must not terminate the test's process.
    private let sendFlags = Int32(MSG_NOSIGNAL)
#endif

/// A client that sends exactly the given bytes, for requests that no well-behaved client would send.
///
/// Its blocking calls run on their own queues, one for each direction. They wait until the server must have hung (``Patience``).
final class RawClient: Sendable {
    enum Failure: Error { case connect(Int32), timeout, notAnAnswer(String) }

    private let socket: Int32
    private let sending = DispatchQueue(label: "raw client, sending")
    private let received = Mutex<ArraySlice<UInt8>>([])
    private let receiving = DispatchQueue(label: "raw client, receiving")

    init(port: Int, receiveBuffer: Int32? = nil) async throws {
        let descriptor = Foundation.socket(AF_INET, streamSocket, 0)
        socket = descriptor
        var patience = timeval(tv_sec: Patience.seconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        if var size = receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let status = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw Failure.connect(errno) }
    }

    deinit { close(socket) }

    private func run<Value: Sendable>(
        on queue: DispatchQueue, _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try body() }) }
        }
    }

    /// Sends everything, or as much as the server accepts before it hangs up, and returns the number of bytes.
    @discardableResult func send(_ text: String) async throws -> Int { try await send(Array(text.utf8)) }

    @discardableResult func send(_ bytes: [UInt8]) async throws -> Int {
        try await run(on: sending) { [socket] in
            var left = bytes[...]
            while !left.isEmpty {
                let count = left.withUnsafeBytes { Foundation.send(socket, $0.baseAddress, $0.count, sendFlags) }
                guard count > 0 else { break }
                left = left.dropFirst(count)
            }
            return bytes.count - left.count
        }
    }

    func closeWriting() async throws {
        try await run(on: sending) { [socket] in _ = shutdown(socket, Int32(SHUT_WR)) }
    }

    /// Makes the connection end with a reset when this client is released.
    func resetAtEnd() {
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
    }

    /// One response. For a HEAD request it has no body.
    func answer(toHEAD: Bool = false) async throws -> RawAnswer {
        let answer = try await answerHead()
        return try await run(on: receiving) { [self] in
            var answer = answer
            let length = toHEAD ? 0 : Int(answer.headers["content-length"] ?? "") ?? 0
            while answer.body.count < length {
                let more = try next(length - answer.body.count)
                if more.isEmpty { break }
                answer.body += more
            }
            return answer
        }
    }

    /// Status and headers of one response.
    func answerHead() async throws -> RawAnswer {
        try await run(on: receiving) { [self] in
            var head: [UInt8] = []
            while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
                guard let byte = try next(1).first else {
                    throw Failure.notAnAnswer(String(decoding: head, as: UTF8.self))
                }
                head.append(byte)
            }
            return try RawAnswer(head: String(decoding: head, as: UTF8.self))
        }
    }

    /// What has arrived, or arrives next, of everything; empty at the end.
    func bytes() async throws -> ArraySlice<UInt8> { try await run(on: receiving) { [self] in try next(65_536) } }

    /// Reads what has arrived, pauses, and so on, until `total` milliseconds have passed. - Returns: How many bytes were read.
    ///
    /// All of it on the client's own thread, so that other tests, which run at the same time, cannot lengthen the pauses.
    func bytesRead(pausing pause: Int64, for total: Int64) async throws -> Int {
        try await run(on: receiving) { [self] in
            let start = ContinuousClock.now
            var count = 0
            while ContinuousClock.now - start < .milliseconds(total) {
                count += try next(65_536).count
                usleep(UInt32(pause * 1_000))
            }
            return count
        }
    }

    /// The bytes of one chunk of a streamed response; nil for the last chunk.
    func chunk() async throws -> String? {
        try await run(on: receiving) { [self] in
            var line: [UInt8] = []
            while !line.suffix(2).elementsEqual("\r\n".utf8) {
                guard let byte = try next(1).first else { throw Failure.notAnAnswer("no chunk") }
                line.append(byte)
            }
            guard let length = Int(String(decoding: line.dropLast(2), as: UTF8.self), radix: 16) else {
                throw Failure.notAnAnswer(String(decoding: line, as: UTF8.self))
            }
            var bytes: [UInt8] = []
            while bytes.count < length + 2 {
                let more = try next(length + 2 - bytes.count)
                if more.isEmpty { throw Failure.notAnAnswer("half a chunk") }
                bytes += more
            }
            return length == 0 ? nil : String(decoding: bytes.dropLast(2), as: UTF8.self)
        }
    }

    /// Receives `count` bytes, or everything until the server closes, and returns how many satisfied `matches`, which is called
    /// with bytes and their offset.
    func take(_ count: Int, _ matches: @escaping @Sendable (UnsafeRawBufferPointer, Int) -> Bool) async throws -> Int {
        try await run(on: receiving) { [self] in
            var taken = 0
            while taken < count {
                let more = try next(count - taken)
                guard !more.isEmpty, more.withUnsafeBytes({ matches($0, taken) }) else { break }
                taken += more.count
            }
            return taken
        }
    }

    /// Everything until the server closes.
    func rest() async throws -> [UInt8] {
        try await run(on: receiving) { [self] in
            var bytes: [UInt8] = []
            while true {
                let more = try next(65_536)
                if more.isEmpty { return bytes }
                bytes += more
            }
        }
    }

    /// Up to `count` bytes; empty if the server closed or reset the connection.
    private func next(_ count: Int) throws -> ArraySlice<UInt8> {
        try received.withLock { received in
            if received.isEmpty {
                var bytes = [UInt8](repeating: 0, count: 65_536)
                let got = recv(socket, &bytes, bytes.count, 0)
                if got < 0, errno == EAGAIN { throw Failure.timeout }
                received = bytes.prefix(max(got, 0))
            }
            defer { received = received.dropFirst(count) }
            return received.prefix(count)
        }
    }
}

/// A response as received.
struct RawAnswer: Sendable {
    var status: Int
    /// Names in lower case.
    var headers: [String: String]
    var body: [UInt8] = []

    init(head: String) throws {
        let lines = head.components(separatedBy: "\r\n")
        guard let status = lines[0].split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw RawClient.Failure.notAnAnswer(head)
        }
        self.status = status
        headers = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2 { headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces) }
        }
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as a JSON object. All bodies must be JSON.
    var json: [String: any Sendable] {
        get throws {
            let object = try JSONSerialization.jsonObject(with: Data(body)) as? [String: any Sendable]
            return object ?? [:]
        }
    }

    var code: String? { get throws { try json["serverErrorCode"] as? String } }
    var reason: String? { get throws { try json["reason"] as? String } }
}
