import CloudKitWire
import NephosDelivery
import NephosDomain
import NephosRunner
import NephosStorage

extension CloudKitResponder {
    /// `tokens/create` and `tokens/register`.
    func register(_ step: Step, _ request: PushTokenRequest) throws -> Work {
        let operation =
            step.call.endpoint == .tokensCreate
            ? try RegisterDevice(creating: request, context: step.context, newID: Self.newDeviceID())
            : try RegisterDevice(registering: request, context: step.context)
        return commit(step, operation.reading, decide: operation.decide) { device in
            var json = JSONWriter()
            step.dictionary(of: device).write(to: &json)
            return json.bytes
        }
    }

    /// Nobody can guess it, though its token is what protects it.
    private static func newDeviceID() -> [UInt8] {
        var random = SystemRandomNumberGenerator()
        return (0..<DeviceRow.idBytes).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    }

    // MARK: Courier

    /// What `webcourierURL` answers: the next notification, once there is one; or, to clients that accept it, a stream of
    /// them.
    func courier(_ call: Call, _ store: any TenantStore) -> Work {
        guard let desk else {
            return answer(Refusal.tryAgainLater("this server tells nobody of changes", seconds: 60), call)
        }
        @Sendable func begin() -> Work {
            do {
                let visit = try self.visit(call, store)
                return visit.wantsStream ? self.stream(visit, desk) : self.poll(visit, desk)
            } catch {
                return self.answer(error, call)
            }
        }
        return hasGoodToken(call) ? reading(store, begin) : meeting(call, store, begin)
    }

    /// Whether a device's token is one that this container made, as far as is known without asking anybody.
    private func hasGoodToken(_ call: Call) -> Bool {
        guard let text = call.query.courierToken, let catalog = runner.memory(of: call.path.tenant).catalog else {
            return false
        }
        return (try? CourierToken(String(text), key: catalog.head.signingKey)) != nil
    }

    /// A device that asks for its notifications.
    struct Visit: Sendable {
        let device: DeviceRow
        /// When its session is over; nil without one.
        let endsAt: Milliseconds?
        /// Whether it has subscriptions in its home database, and in the public one.
        let watches: (own: Bool, shared: Bool)
        let reading: Reading
        let call: Call

        var tenant: Tenant { call.path.tenant }
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
        if device.usedAt + HearOfDevice.resolution < now {
            let hear = HearOfDevice(device.key, now: now)
            // When this fails, the next poll does it.
            store.commit(hear.reading, decide: hear.decide) { _ in }
        }
        return Visit(
            device: device, endsAt: admitted.endsAt, watches: asking.watches(reading), reading: reading, call: call)
    }

    private func poll(_ visit: Visit, _ desk: CourierDesk) -> Work {
        let (device, tenant, call) = (visit.device.key, visit.tenant, visit.call)
        let version = visit.reading.catalog.version
        return .parked { parking in
            let ticket = desk.wait(for: device, of: tenant, judgedBy: version) { given in
                switch given {
                case .delivery(let delivery):
                    parking.answer(
                        .answer(
                            RawResponse(body: Array(delivery.payload), endpoint: Endpoint.courier.rawValue) {
                                desk.settle(delivery, of: tenant, wasSent: $0)
                            }))
                case .nothing: parking.answer(.answer(Self.nothing))
                case .refusal(let refusal): parking.answer(.answer(Answers.refusal(refusal, call)))
                }
            }
            parking.onEnding { ending in
                desk.leave(ticket, device, of: tenant)
                if ending == .serverStops { parking.answer(.answer(Self.nothing)) }
            }
        }
    }

    /// What CloudKit JS passes over in silence before it asks again.
    private static var nothing: RawResponse {
        RawResponse(body: Array("null".utf8), endpoint: Endpoint.courier.rawValue)
    }
}

extension CloudKitResponder.Step {
    fileprivate func dictionary(of device: DeviceRow) -> PushTokenDictionary {
        let environment: APNsEnvironment = device.isDevelopment ? .development : .production
        guard device.channel == .courier else {
            return PushTokenDictionary(
                apnsEnvironment: environment, apnsToken: device.address, webcourierURL: nil)
        }
        let token = CourierToken(device.key).sealed(key: context.catalog.head.signingKey)
        return PushTokenDictionary(
            apnsEnvironment: environment, apnsToken: token, webcourierURL: call.courierURL(token))
    }
}

extension Call {
    /// How long the URL says that it is good, in seconds. It is good for as long as it is used.
    private static let timeToLive = 43_200

    fileprivate func courierURL(_ token: String) -> String {
        let tenant = path.tenant
        return "\(publicURL)/device/1/\(tenant.container)/\(tenant.environment.rawValue)/\(Endpoint.courier.rawValue)"
            + "?tok=\(PercentCoding.encode(token))&ttl=\(Self.timeToLive)"
    }
}
