import CloudKitWire
import NIOHTTP1
import NephosDelivery
import NephosDomain
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
        return reading(store) {
            do {
                let visit = try self.visit(call, store)
                return visit.wantsStream ? self.stream(visit, desk) : self.poll(visit, desk)
            } catch StorageError.noSuchTenant {
                return self.answer(StorageError.noSuchTenant, call)
            } catch {
                return self.answer(error, call)
            }
        }
    }

    /// A device that asks for its notifications.
    struct Visit: Sendable {
        let device: DeviceRow
        let reading: Reading
        let call: Call

        var tenant: Tenant { call.path.tenant }
        var wantsStream: Bool {
            call.request.headers[canonicalForm: "Accept"].contains { $0 == "text/event-stream" }
        }
    }

    private func visit(_ call: Call, _ store: any TenantStore) throws -> Visit {
        guard let text = call.query.courierToken else {
            throw Refusal.authenticationFailed("the URL lacks tok: use webcourierURL as tokens/create answered it")
        }
        let key = try store.read(ReadSet()).catalog.head.signingKey
        let token = try CourierToken(String(text), key: key)
        var set = ReadSet()
        set.devices = [.keyed([token.device])]
        set.databases = [token.device.database, 1]
        set.subscriptions = set.databases.map {
            SubscriptionScan(database: $0, which: .of(token.device.user), limit: 1)
        }
        let reading = try store.read(set)
        guard let device = reading.devices[0].first else {
            throw Refusal.authenticationFailed(
                "this token was not used for long, or made room for newer ones: ask tokens/create for another")
        }
        guard !reading.catalog.isRevokedKey(device.key.user) else {
            throw Refusal.authenticationFailed("the key that made this token was revoked")
        }
        let now = call.request.arrivedAt
        if !device.secret.isEmpty {
            var set = ReadSet()
            set.sessions = [device.secret]
            let session = try store.read(set).sessions[0]
            guard let session, session.revokedAt == 0, session.expiresAt > now else {
                throw Refusal.authenticationFailed("the session that made this token has ended: sign in again")
            }
        }
        if device.usedAt + HearOfDevice.resolution < now {
            let hear = HearOfDevice(device.key, now: now)
            // When this fails, the next poll does it.
            store.commit(hear.reading, decide: hear.decide) { _ in }
        }
        return Visit(device: device, reading: reading, call: call)
    }

    private func poll(_ visit: Visit, _ desk: CourierDesk) -> Work {
        let (device, tenant) = (visit.device.key, visit.tenant)
        return .parked { parking in
            let ticket = desk.wait(for: device, of: tenant) { delivery in
                guard let delivery else { return _ = parking.answer(.answer(Self.nothing)) }
                parking.answer(
                    .answer(
                        RawResponse(body: Array(delivery.payload), endpoint: Endpoint.courier.rawValue) {
                            desk.settle(delivery, of: tenant, wasSent: $0)
                        }))
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
