import CloudKitWire
import NephosRunner
import NephosStorage
import Synchronization

extension CourierEndpoint {
    /// The notifications of a device as server-sent events, on one connection (docs/protocol.md, "Devices").
    func stream(_ visit: Visit, _ hub: LongPollHub) -> Work {
        let head = StreamHead(endpoint: "aps (stream)")
        let seen = visit.lastEvent
        return .stream(head) { writer in
            let stream = NotificationStream(visit, seen, hub, writer, randomSource)
            stream.begin()
        }
    }
}

extension CourierEndpoint.Visit {
    /// The position of the client's last connection; nil for the first, and for an ID that is not valid here.
    fileprivate var lastEvent: StreamToken? {
        let text = call.query.lastEventID.map(String.init) ?? call.request.headers.first(.lastEventID)
        return text.flatMap { StreamToken($0, of: device.key, key: reading.catalog.head.signingKey) }
    }
}

/// One open stream: waits at the hub repeatedly, and writes what it receives.
private final class NotificationStream: Sendable {
    private struct State {
        var ticket: LongPollHub.Ticket = 0
        var isOver = false
    }

    /// The maximum lifetime of a stream, after which its client reconnects and authenticates again.
    private static let lifetime = Duration.seconds(3_600)

    private let device: DeviceKey
    private let tenant: Tenant
    private let key: [UInt8]
    private let hub: LongPollHub
    private let writer: StreamWriter
    private let randomSource: RandomSource
    /// Whether something has changed since the client's last connection, in a database that it subscribed to.
    private let isBehind: Bool
    /// At most until its session expires.
    private let end: ContinuousClock.Instant
    /// The credentials by which the device was admitted.
    private let basis: AdmissionBasis
    /// The position of the databases when the stream began; all of its events have it as their ID. Notifications may be out of
    /// sequence, because later changes are merged into pending ones. If the position advanced with each event, a client that lost
    /// one on the way would appear to have missed nothing.
    private let place: StreamToken
    private let state = Mutex(State())

    init(
        _ visit: CourierEndpoint.Visit, _ before: StreamToken?, _ hub: LongPollHub, _ writer: StreamWriter,
        _ randomSource: RandomSource
    ) {
        let reading = visit.reading
        device = visit.device.key
        tenant = visit.tenant
        self.hub = hub
        self.writer = writer
        self.randomSource = randomSource
        let session = visit.endsAt.map { Duration.milliseconds($0 - visit.call.request.arrivedAt) }
        end = ContinuousClock.now + min(session ?? Self.lifetime, Self.lifetime)
        basis = visit.basis
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

    /// Writes the greeting: the reconnection delay, the position of the databases, and whether something has changed. Delays
    /// differ, so that clients do not all reconnect at the same time.
    func begin() {
        writer.onEnding { [self] _ in
            let ticket = state.withLock { state in
                state.isOver = true
                return state.ticket
            }
            hub.leave(ticket, device, of: tenant)
        }
        var randomSource = randomSource
        let delay = Int.random(in: 500...3_000, using: &randomSource)
        writer.write(
            Array(
                "retry: \(delay)\nid: \(place.sealed(key: key))\nevent: \(isBehind ? "changes" : "ready")\ndata: {}\n\n"
                    .utf8))
        waitForNext()
    }

    private func waitForNext() {
        let ticket = hub.wait(for: device, of: tenant, authenticatedBy: basis, atMost: end - .now) { [self] in take($0)
        }
        let isOver = state.withLock { state in
            // It may already have received a delivery and be waiting under a newer ticket.
            state.ticket = max(state.ticket, ticket)
            return state.isOver
        }
        if isOver { hub.leave(ticket, device, of: tenant) }
    }

    private func take(_ given: LongPollHub.Outcome) {
        // If it was refused, the client learns the reason when it reconnects.
        guard case .delivery(let delivery) = given else { return writer.close() }
        let event =
            Array("id: \(place.sealed(key: key))\nevent: notification\ndata: ".utf8) + delivery.payload
            + Array("\n\n".utf8)
        let (hub, tenant) = (hub, tenant)
        writer.write(event) { hub.settle(delivery, of: tenant, wasSent: $0) }
        if !state.withLock({ $0.isOver }) { waitForNext() }
    }
}
