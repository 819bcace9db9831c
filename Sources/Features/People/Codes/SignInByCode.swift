import CloudKitWire
import NephosDomain
import NephosNetwork
import NephosRunner
import NephosStorage

/// Signs people in to programs without a page (RFC 8628): the program shows a code, the person types it at ``DeviceVisit/path``
/// on any device with a browser, and the program polls until they have answered.
struct SignInByCode: Sendable {
    static let grantType = "urn:ietf:params:oauth:grant-type:device_code"
    /// Seconds between polls, initially; polling too often increases the interval each time.
    static let interval: Int64 = 5, intervalMax: Int64 = 60
    /// Pending codes per network.
    static let networkMax = 20

    let services: SignInServices

    var endpoints: [Endpoint] {
        [endpoint("sign-in/device-code", begin), endpoint("sign-in/token", token)]
    }

    private func endpoint(
        _ name: String, _ answer: @escaping @Sendable (Call, FormFields, any TenantStore) throws -> RawResponse
    ) -> Endpoint {
        // A client ID proves nothing, so these requests queue with those of unknown clients.
        var admission = EndpointCredential(
            isIssuedHere: { _, _ in false }, unknown: { _ in CodeProblem.client.refusal })
        admission.page = { refusal, call in CodeProblem(refusal).answer(call) }
        admission.alwaysWaits = true
        return Endpoint(name, at: .container, methods: [.post], admitting: admission) { call, store in
            do {
                guard let form = FormFields(call.request) else { throw CodeProblem.form }
                return .answer(try answer(call, form, store))
            } catch let problem as CodeProblem {
                return .answer(problem.answer(call))
            }
        }
    }

    /// Hash of the API token given as the form's client ID.
    private func client(_ form: FormFields, _ store: any TenantStore) throws -> [UInt8] {
        let hash = APIToken.hash(form.value(of: "client_id"))
        guard try store.read(ReadSet()).catalog.tokens[hash]?.revokedAt == 0 else { throw CodeProblem.client }
        return hash
    }

    // MARK: Creating codes

    private func begin(_ call: Call, _ form: FormFields, _ store: any TenantStore) throws -> RawResponse {
        let token = try client(form, store)
        let (key, now, randomSource) = (
            try services.key.bytes(at: call.request.arrivedAt), call.request.arrivedAt, services.host.randomSource
        )
        let secret = DeviceSecret.make(randomSource)
        var code = SignInCode(randomSource)
        func isNew() throws -> Bool {
            try add(
                DeviceCodeRow(
                    code: code.hash(key: key), device: DeviceSecret.hash(secret), container: store.tenant.container,
                    environment: store.tenant.environment, token: token,
                    network: call.request.network.text, site: call.request.network.siteText, createdAt: now,
                    interval: Self.interval))
        }
        while try !isNew() { code = SignInCode(randomSource) }
        var json = JSONWriter()
        json.beginObject()
        json.member("device_code", secret)
        json.member("user_code", code.text)
        json.member("verification_uri", SignInRequest.pages(for: call, services.party) + DeviceVisit.path)
        json.member("expires_in", DeviceCodeRow.lifetime / 1_000)
        json.member("interval", Self.interval)
        json.endObject()
        return RawResponse(body: json.bytes, headers: SessionAnswer.headers, endpoint: call.path.endpoint.label)
    }

    /// - Returns: Whether the code was free.
    private func add(_ row: DeviceCodeRow) throws -> Bool {
        let others = DeviceCodeRow.keyed(row.code)
        let since = row.createdAt - DeviceCodeRow.lifetime
        let share = NetworkShare<DeviceCodeRow>(
            network: row.network, site: row.site, most: Self.networkMax,
            from: { DeviceCodeRow.from($0, after: since, limit: $1) },
            fromSite: { DeviceCodeRow.from(site: $0, after: since, limit: $1) })
        var set = ReadSet()
        set.ask(others)
        share.ask(&set)
        return try services.directory.commit(set) { reading -> Decision<Bool> in
            if let oldest = share.full(reading)?.first {
                let left = oldest.createdAt + DeviceCodeRow.lifetime - row.createdAt
                throw CodeProblem.tooMany(Int(left / 1_000) + 1)
            }
            var writes = WriteSet()
            let other = reading[others].first
            guard other?.isValid(at: row.createdAt) != true else { return .write(writes, false) }
            writes.put(row, replacing: other)
            return .write(writes, true)
        }
    }

    // MARK: Polling

    private func token(_ call: Call, _ form: FormFields, _ store: any TenantStore) throws -> RawResponse {
        let client = try client(form, store)
        guard form.value(of: "grant_type") == Self.grantType else { throw CodeProblem.grantType }
        guard !form.value(of: "device_code").isEmpty else { throw CodeProblem.deviceCode }
        let scan = DeviceCodeRow.of(device: DeviceSecret.hash(form.value(of: "device_code")))
        let known = try services.directory.rows(scan).first
        let session = try known.flatMap { try store.rows(SessionRow.keyed([$0.session])).first }
        let now = call.request.arrivedAt
        let poll = PollCode(scan: scan, tenant: store.tenant, client: client, session: session, now: now)
        var set = ReadSet()
        set.ask(scan)
        let made = try services.directory.commit(set, decide: poll.decide).get()
        guard try isStaying(made, store, at: now) else { throw CodeProblem.denied }
        return try SessionAnswer(made, nonce: services.host.randomSource.next(), now: now).answer(call)
    }
}

extension SignInByCode {
    /// Whether the account of the session's person is not being deleted: they may have requested deletion after allowing the
    /// program.
    private func isStaying(_ session: SessionRow, _ store: any TenantStore, at now: Milliseconds) throws -> Bool {
        guard let user = try store.rows(UserRow.keyed([session.user])).first, user.source == .account else {
            return false
        }
        return try services.host.runner.stays(user.sourceID, at: now)
    }
}

/// Decides the response to a poll.
private struct PollCode: Sendable {
    let scan: Scan<DeviceCodeRow>
    let tenant: Tenant
    /// Hash of the API token.
    let client: [UInt8]
    /// The session created for the code; nil if there is none yet.
    let session: SessionRow?
    let now: Milliseconds

    /// The tolerated difference between the clocks of servers.
    private static let leniency: Milliseconds = 1_000

    func decide(_ reading: Reading) -> Decision<Result<SessionRow, CodeProblem>> {
        var writes = WriteSet()
        guard let old = reading[scan].first, old.tenant == tenant, old.token == client else {
            return .write(writes, .failure(.grant))
        }
        guard old.isValid(at: now) else { return .write(writes, .failure(.expired)) }
        var row = old
        row.polledAt = max(now, 1)
        if old.polledAt > 0, now - old.polledAt < old.interval * 1_000 - Self.leniency {
            row.interval = min(old.interval + SignInByCode.interval, SignInByCode.intervalMax)
            writes.put(row, replacing: old)
            return .write(writes, .failure(.slowDown(row.interval)))
        }
        switch old.state {
        case .allowed where session?.id == old.session:
            // The code is valid once, even if several requests arrive at the same time.
            writes.remove(old)
            guard let session, session.isLive(at: now) else { return .write(writes, .failure(.denied)) }
            return .write(writes, .success(session))
        case .refused:
            writes.remove(old)
            return .write(writes, .failure(.denied))
        // If it has just been allowed, the session is still being created.
        case .waiting, .allowed:
            writes.put(row, replacing: old)
            return .write(writes, .failure(.pending(old.interval)))
        }
    }
}
