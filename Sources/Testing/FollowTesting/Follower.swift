import NephosTesting
import Synchronization

/// A device that follows its user's private and shared databases and the watched records of the public one.
final class Follower: Sendable {
    enum Way: String, Sendable, CaseIterable {
        case stream = "event stream", poll = "long poll", plain = "plain polling"
    }

    let name: String
    /// The index of its user.
    let person: Int
    let way: Way
    let copy: Mutex<Copy>
    /// The error that stopped it.
    let fault = Mutex<String?>(nil)
    private let world: World
    private let journal: Journal
    private let mustCut = Atomic<Bool>(false)
    private let seen = Mutex<Set<String>>([])

    init(_ name: String, of person: Int, _ way: Way, _ world: World, _ journal: Journal) {
        self.name = name
        self.person = person
        self.way = way
        self.world = world
        self.journal = journal
        copy = Mutex(Copy(of: person, in: world))
    }

    /// Makes it lose its connection, with everything received and not yet read.
    func cut() { mustCut.store(true, ordering: .relaxed) }

    /// Follows until the journal ends.
    ///
    /// - Throws: ``UnexpectedAnswer``, or errors of the setup.
    func run() throws {
        let target = way == .plain ? nil : try world.register(name, of: person)
        let client = world.client(person, name)
        var lastEvent = ""
        while !journal.isOver {
            do {
                switch way {
                case .stream: try listen(target ?? "", client, &lastEvent)
                case .poll: try poll(target ?? "", client)
                case .plain: try ask(client)
                }
            } catch let surprise as UnexpectedAnswer where !world.isDown {
                throw surprise
            } catch {
                // The server is down or the connection is lost: retry a moment later.
                client.close()
                _ = Deadline(seconds: 0.01).waits { journal.isOver }
            }
        }
    }

    private struct Cut: Error {}

    /// Waits until data can be read.
    ///
    /// - Returns: False when the run has ended.
    /// - Throws: ``Cut`` if the connection is to be cut.
    private func waits(for sockets: SocketSet) throws -> Bool {
        while !journal.isOver {
            let isReady = !sockets.ready(within: 20).isEmpty
            if mustCut.exchange(false, ordering: .relaxed) { throw Cut() }
            if isReady { return true }
        }
        return false
    }

    // MARK: Ways

    private func listen(_ target: String, _ client: CloudKitClient, _ lastEvent: inout String) throws {
        let socket = try Socket(port: world.port)
        var headers = [HTTPHeader("Accept", "text/event-stream")]
        if !lastEvent.isEmpty { headers.append(HTTPHeader("Last-Event-ID", lastEvent)) }
        try socket.send(HTTPRequest("GET", target, headers: headers).bytes(host: "127.0.0.1:\(world.port)"))
        copy.withLock { $0.tally.connections += 1 }
        let sockets = SocketSet([socket])
        var stream = EventStream()
        while try waits(for: sockets) {
            let bytes = try socket.receive()
            guard !bytes.isEmpty else { throw Cut() }
            for event in try stream.take(bytes) {
                switch event.name {
                case "notification": try take(JSON(reading: Array(event.data.utf8)), client)
                // This event reports missed changes.
                case "changes": try catchUp(client, isBehind: true)
                default: try catchUp(client, isBehind: false)
                }
                // Only now: a device that is cut before this has not processed the event.
                lastEvent = event.id
            }
        }
    }

    private func poll(_ target: String, _ client: CloudKitClient) throws {
        // Data in transit on the lost connection may be lost, too.
        copy.withLock { $0.isBehind = true }
        let connection = try HTTPConnection(port: world.port)
        let sockets = SocketSet([try connection.socket])
        try connection.send(HTTPRequest("GET", target))
        copy.withLock { $0.tally.connections += 1 }
        try catchUp(client, isBehind: false)
        while try waits(for: sockets) {
            let response = try connection.response()
            guard response.status == 200 else {
                throw UnexpectedAnswer(description: "\(target) answered \(response.status)")
            }
            let notification = try response.json
            if notification != .null { try take(notification, client) }
            guard connection.isReusable else { throw Cut() }
            try connection.send(HTTPRequest("GET", target))
        }
    }

    /// Fetches without notifications, each time after some changes or a short time.
    private func ask(_ client: CloudKitClient) throws {
        let before = journal.changes
        if mustCut.exchange(false, ordering: .relaxed) { client.close() }
        try catchUp(client, isBehind: true)
        _ = Deadline(seconds: 0.5).waits { journal.isOver || journal.changes > before + 20 }
    }

    // MARK: Fetching

    private func catchUp(_ client: CloudKitClient, isBehind: Bool) throws {
        try copy.withLock { copy in
            copy.isBehind = copy.isBehind || isBehind
            guard copy.isBehind else { return }
            try copy.fetchAll(client, journal)
            copy.isBehind = false
        }
    }

    private func take(_ notification: JSON, _ client: CloudKitClient) throws {
        let ck = notification["ck"]
        let event = ["met", "fet", "qry"].first { !ck[$0].isAbsent } ?? ""
        guard let id = ck["nid"].string, let subscription = ck[event]["sid"].string else {
            throw UnexpectedAnswer(description: "a notification: \(notification)")
        }
        let isNew = seen.withLock { $0.insert("\(id) \(subscription)").inserted }
        try copy.withLock { copy in
            copy.tally.notifications += 1
            if !isNew { copy.tally.repeated += 1 }
            // The notification is not repeated if this fails.
            let wasBehind = copy.isBehind
            copy.isBehind = true
            switch event {
            case "met": try copy.fetchZones(client, journal)
            case "fet":
                try copy.fetch(Zone(owner: person, name: ck[event]["zid"].string ?? ""), client, journal)
            default: try copy.fetchWatched(client, journal)
            }
            copy.isBehind = wasBehind
        }
        try catchUp(client, isBehind: false)
    }
}
