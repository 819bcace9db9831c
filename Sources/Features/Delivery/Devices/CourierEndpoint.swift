import CloudKitWire
import NephosDomain
package import NephosRunner
import NephosStorage

/// Responds to `webcourierURL`: with the next notification, once there is one; or, for clients that accept it, with a stream of
/// them.
package struct CourierEndpoint: Sendable {
    static let name = "aps"

    let runner: Runner
    /// The hub where devices wait; nil if devices are not notified.
    let hub: LongPollHub?
    let randomSource: RandomSource

    package init(runner: Runner, hub: LongPollHub?, randomSource: RandomSource) {
        self.runner = runner
        self.hub = hub
        self.randomSource = randomSource
    }

    package var endpoint: Endpoint {
        let admission = EndpointCredential(
            isIssuedHere: { call, key in
                call.query.courierToken.map { (try? CourierToken(String($0), key: key)) != nil } ?? false
            }, unknown: { $0.query.courierToken == nil ? CourierToken.missing : CourierToken.unknown })
        return Endpoint(
            Self.name, at: .device(isBelowDatabase: false), methods: [.get, .post], admitting: admission, answer: answer
        )
    }

    private func answer(_ call: Call, _ store: any TenantStore) throws -> Work {
        guard let hub else { throw Refusal.tryAgainLater("this server sends no notifications", seconds: 60) }
        let visit = try visit(call, store)
        return visit.wantsStream ? stream(visit, hub) : poll(visit, hub)
    }

    /// A device that requests its notifications.
    struct Visit: Sendable {
        let device: DeviceRow
        /// When its session expires; nil without one.
        let endsAt: Milliseconds?
        /// Whether it has subscriptions in its home database, and in the public one.
        let watches: (own: Bool, shared: Bool)
        let reading: Reading
        let call: Call

        var tenant: Tenant { call.tenant }
        var basis: AdmissionBasis { AdmissionBasis(by: reading.catalog, session: device.sessionID) }
        var wantsStream: Bool {
            call.request.headers.list(.accept).contains("text/event-stream")
        }
    }

    private func visit(_ call: Call, _ store: any TenantStore) throws -> Visit {
        guard let text = call.query.courierToken else {
            throw CourierToken.missing
        }
        return try runner.read(from: store) { catalog in
            let asking = try AskForNotifications(String(text), key: catalog.head.signingKey)
            return (asking.reading, asking)
        } answer: { reading, asking in
            try visit(call, store, asking, reading)
        }
    }

    private func visit(
        _ call: Call, _ store: any TenantStore, _ asking: AskForNotifications, _ reading: Reading
    ) throws -> Visit {
        let now = call.request.arrivedAt
        let admitted = try asking.answer(reading, now: now)
        let device = admitted.device
        runner.uses.note(Admission(device).used, of: call.path.tenant, at: now)
        if device.usedAt + NoteDevicePoll.resolution < now {
            let poll = NoteDevicePoll(device.key, now: now)
            // If this fails, the next poll repeats it.
            store.commit(poll.reading, decide: poll.decide) { _ in }
        }
        return Visit(
            device: device, endsAt: admitted.endsAt, watches: asking.watches(reading), reading: reading, call: call)
    }

    private func poll(_ visit: Visit, _ hub: LongPollHub) -> Work {
        let (device, tenant, call) = (visit.device.key, visit.tenant, visit.call)
        let basis = visit.basis
        return .parked { parking in
            let ticket = hub.wait(for: device, of: tenant, authenticatedBy: basis) { given in
                switch given {
                case .delivery(let delivery):
                    parking.answer(
                        .answer(
                            RawResponse(body: Array(delivery.payload), endpoint: Self.name) {
                                hub.settle(delivery, of: tenant, wasSent: $0)
                            }))
                case .nothing: parking.answer(.answer(Self.nothing))
                case .refusal(let refusal): parking.answer(.answer(Answers.refusal(refusal, call)))
                }
            }
            parking.onEnding { ending in
                hub.leave(ticket, device, of: tenant)
                if ending == .serverStops { parking.answer(.answer(Self.nothing)) }
            }
        }
    }

    /// CloudKit JS ignores this response and polls again.
    private static var nothing: RawResponse {
        RawResponse(body: Array("null".utf8), endpoint: Self.name)
    }
}
