import CloudKitWire
import NephosRunner
import NephosStorage
import Synchronization

extension CourierEndpoint {
    /// The notifications of a device as server-sent events, on one connection (docs/protocol.md, "Event streams").
    func stream(_ visit: Visit, _ desk: CourierDesk) -> Work {
        let head = StreamHead(endpoint: "aps (stream)")
        let seen = visit.lastEvent
        return .stream(head) { writer in
            let stream = NotificationStream(visit, seen, desk, writer, chance)
            stream.begin()
        }
    }
}

extension CourierEndpoint.Visit {
    /// Where the client stood when it was connected last; nil for the first time, and for what is no id of ours.
    fileprivate var lastEvent: StreamToken? {
        let text = call.query.lastEventID.map(String.init) ?? call.request.headers.first(.lastEventID)
        return text.flatMap { StreamToken($0, of: device.key, key: reading.catalog.head.signingKey) }
    }
}

/// One stream that is open: waits at the desk, again and again, and writes what it is given.
private final class NotificationStream: Sendable {
    private struct State {
        var ticket: CourierDesk.Ticket = 0
        var isOver = false
    }

    /// A stream ends after so long, so that its client comes again and shows who he is.
    private static let lifetime = Duration.seconds(3_600)

    private let device: DeviceKey
    private let tenant: Tenant
    private let key: [UInt8]
    private let desk: CourierDesk
    private let writer: StreamWriter
    private let chance: Chance
    /// Something happened since the client was connected last, in a database that it subscribed to.
    private let isBehind: Bool
    /// No later than its session.
    private let end: ContinuousClock.Instant
    /// By what the device was let in.
    private let letIn: LetIn
    /// Where the databases stood when the stream began, which all of its events have in their id. One notification may
    /// overtake another in number, since changes are merged into what was to be told first; a place that moved with them
    /// would say of a client that lost the other one on its way that it has missed nothing.
    private let place: StreamToken
    private let state = Mutex(State())

    init(
        _ visit: CourierEndpoint.Visit, _ before: StreamToken?, _ desk: CourierDesk, _ writer: StreamWriter,
        _ chance: Chance
    ) {
        let reading = visit.reading
        device = visit.device.key
        tenant = visit.tenant
        self.desk = desk
        self.writer = writer
        self.chance = chance
        let session = visit.endsAt.map { Duration.milliseconds($0 - visit.call.request.arrivedAt) }
        end = ContinuousClock.now + min(session ?? Self.lifetime, Self.lifetime)
        letIn = visit.letIn
        key = reading.catalog.head.signingKey
        let now = StreamToken(
            device: device, own: reading.databases[0]?.sequence ?? 0, shared: reading.databases[1]?.sequence ?? 0)
        isBehind =
            before.map { before in
                (visit.watches.own && before.own < now.own)
                    || (visit.watches.shared && before.shared < now.shared)
            } ?? false
        place = now
    }

    /// Greets the client: how soon to come back when the connection is lost, where the databases stand, and whether that is
    /// news. Each client gets another delay, so that not all come back at once.
    func begin() {
        writer.onEnding { [self] _ in
            let ticket = state.withLock { state in
                state.isOver = true
                return state.ticket
            }
            desk.leave(ticket, device, of: tenant)
        }
        var chance = chance
        let delay = Int.random(in: 500...3_000, using: &chance)
        writer.write(
            Array(
                "retry: \(delay)\nid: \(place.sealed(key: key))\nevent: \(isBehind ? "changes" : "ready")\ndata: {}\n\n"
                    .utf8))
        waitForNext()
    }

    private func waitForNext() {
        let ticket = desk.wait(for: device, of: tenant, judgedBy: letIn, atMost: end - .now) { [self] in take($0) }
        let isOver = state.withLock { state in
            // It may have been given something already, and wait again under a newer one.
            state.ticket = max(state.ticket, ticket)
            return state.isOver
        }
        if isOver { desk.leave(ticket, device, of: tenant) }
    }

    private func take(_ given: CourierDesk.Given) {
        // A client that comes again is told why it was refused.
        guard case .delivery(let delivery) = given else { return writer.close() }
        let event =
            Array("id: \(place.sealed(key: key))\nevent: notification\ndata: ".utf8) + delivery.payload
            + Array("\n\n".utf8)
        let (desk, tenant) = (desk, tenant)
        writer.write(event) { desk.settle(delivery, of: tenant, wasSent: $0) }
        if !state.withLock({ $0.isOver }) { waitForNext() }
    }
}
