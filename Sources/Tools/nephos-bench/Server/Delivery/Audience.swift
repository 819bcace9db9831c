import NephosTesting

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Devices that wait for their notifications, each on its own connection: with long polls, or with streams.
final class Audience {
    enum Way { case poll, stream }

    private let requests: [HTTPRequest]
    private let ways: [Way]
    private let port: Int
    private let set: SocketSet
    private var received: [[UInt8]]

    /// All devices begin to wait; streams have received their greeting.
    ///
    /// - Parameter saver: Another connection to watch, at the index after all others.
    init(_ targets: [String], port: Int, saver: Socket? = nil, _ way: (Int) -> Way) throws {
        self.port = port
        let ways = targets.indices.map(way)
        self.ways = ways
        requests = zip(targets, ways).map { target, way in
            HTTPRequest("GET", target, headers: way == .stream ? [HTTPHeader("Accept", "text/event-stream")] : [])
        }
        let sockets = try targets.map { _ in try Socket(port: port) }
        set = SocketSet(sockets + (saver.map { [$0] } ?? []))
        received = Array(repeating: [], count: sockets.count)
        for place in sockets.indices { try ask(place) }
        for place in sockets.indices where ways[place] == .stream { try waitForGreeting(place) }
    }

    private func ask(_ place: Int) throws {
        try set.sockets[place].send(requests[place].bytes(host: "127.0.0.1:\(port)"))
    }

    private func waitForGreeting(_ place: Int) throws {
        var text = ""
        while !text.contains("event: ready") {
            let bytes = try set.sockets[place].receive()
            guard !bytes.isEmpty else { throw Wrk.Failure(description: "a stream was refused: \(text)") }
            text += String(decoding: bytes, as: UTF8.self)
        }
    }

    /// Whether there is no unread data on any connection.
    var isSilent: Bool { self.set.ready(within: 0).isEmpty }

    /// When each device was notified, and when the saver received its response, in microseconds.
    struct Arrivals {
        var answered: Double?
        var byDevice: [Int: Double] = [:]
    }

    /// Sends a request over the saver's connection, and waits for its response and for the notifications of `awaited`.
    func wait(for awaited: Set<Int>, after request: [UInt8], seconds: Double = 30) throws -> Arrivals {
        guard let saver = set.sockets.last else { return Arrivals() }
        let (start, deadline) = (ContinuousClock.now, Deadline(seconds: seconds))
        var arrivals = Arrivals()
        try saver.send(request)
        while arrivals.answered == nil || !awaited.isSubset(of: arrivals.byDevice.keys) {
            guard !deadline.hasPassed else {
                throw Wrk.Failure(description: "\(awaited.count - arrivals.byDevice.count) devices were not notified")
            }
            for place in set.ready(within: 100) {
                let bytes = try set.sockets[place].receive()
                let time = (ContinuousClock.now - start) / .microseconds(1)
                guard !bytes.isEmpty else { throw Wrk.Failure(description: "a connection was closed") }
                if place == received.count {
                    guard bytes.starts(with: Array("HTTP/1.1 200".utf8)) else {
                        throw Wrk.Failure(description: "save: \(String(decoding: bytes, as: UTF8.self))")
                    }
                    arrivals.answered = arrivals.answered ?? time
                } else if try take(bytes, place) {
                    arrivals.byDevice[place] = time
                }
            }
        }
        return arrivals
    }

    /// - Returns: Whether a complete notification has arrived. A polling device then sends the next request.
    private func take(_ bytes: [UInt8], _ place: Int) throws -> Bool {
        received[place] += bytes
        guard String(decoding: received[place], as: UTF8.self).contains(#""nid""#) else { return false }
        received[place] = []
        if ways[place] == .poll { try ask(place) }
        return true
    }

    /// Raises this process's limit of open files to the system's maximum.
    static func allowManyConnections() {
        var limit = rlimit()
        #if canImport(Glibc)
            let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let files = RLIMIT_NOFILE
        #endif
        guard getrlimit(files, &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(files, &limit)
    }
}
