package import CloudKitWire
import Crypto
import NephosDomain
package import NephosRunner
package import NephosStorage

/// A webhook that was just created.
package struct NewWebhook: Sendable {
    package let id: String
    /// The key that signs its calls, in hexadecimal digits. It is shown only once.
    package let secret: String
    /// The user record name of the server key as which it acts.
    package let user: String
    package let subscriptionID: Name
    /// Set if it is this machine, or in a private network: servers call such a host only if they are permitted to.
    package let privateHost: String?
}

/// The changes that a webhook is notified of: of records of one type in the public database.
package struct WebhookScope: Sendable {
    package var recordType: String
    package var firesOn: [String]
    /// `filterBy` of a query, as JSON.
    package var filters: [UInt8]
    /// Fields whose values are included in the call; at most three.
    package var fields: [String]

    package init(recordType: String, firesOn: [String], filters: [UInt8], fields: [String] = []) {
        self.recordType = recordType
        self.firesOn = firesOn
        self.filters = filters
        self.fields = fields
    }
}

extension Administration {
    private static let webhooksMax = 1_000

    /// Creates a webhook: an address that is called for changes of records in the public database.
    ///
    /// It is a device of a server-to-server key, and is notified of what that key may read.
    /// - Parameter key: The ID of a registered key; nil creates one for it whose private half is discarded.
    /// - Throws: ``AdminError/refused(_:)`` for a URL or a query that is refused; ``AdminError/noKey(_:container:)``,
    ///   ``AdminError/noType(_:_:)``.
    package func createWebhook(
        in tenant: Tenant, url: String, for scope: WebhookScope, key: String? = nil
    ) async throws(AdminError) -> NewWebhook {
        let address: WebhookAddress
        do { address = try WebhookAddress(url) } catch { throw .refused("\(error)") }
        let store = try store(tenant)
        let catalog = try read(store).catalog
        let type = Name(scope.recordType)
        guard catalog.types[type] != nil else { throw .noType(type, tenant) }
        let id = inputs.randomBytes(DeviceRow.idBytes)
        let enrolment: Enrolment?
        let user: UserID
        if let key {
            guard let known = catalog.keys[key], known.revokedAt == 0 else {
                throw .noKey(key, container: tenant.container)
            }
            (enrolment, user) = (nil, known.user)
        } else {
            user = inputs.userID()
            // The private half is discarded.
            let key = ServerKey.makePrivateKey(by: inputs.randomBytes).publicKey
            enrolment = .key(key, newID: user, now: inputs.now())
        }
        let secret = inputs.randomBytes(32)
        let device = DeviceRow(
            key: DeviceKey(database: 1, user: user, id: id), channel: .webhook, address: address.url,
            secret: secret, createdAt: inputs.now())
        let name = DeviceRow.webhookSubscription(id)
        do {
            let request = try SubscriptionsModifyRequest(json: scope.request(named: name)[...])
            let making = CreateWebhook(device, request, name, enrolment)
            try await write(to: store, try making.reading(catalog), making.decide)
        } catch {
            throw AdminError(error)
        }
        return NewWebhook(
            id: Hexadecimal.text(id), secret: Hexadecimal.text(secret), user: user.recordName,
            subscriptionID: name, privateHost: address.isPrivate ? address.host : nil)
    }

    /// All webhooks, in order of creation.
    package func webhooks(of tenant: Tenant) throws(AdminError) -> [DeviceRow] {
        var set = ReadSet()
        let all = DeviceRow.all(.webhook, limit: Self.webhooksMax)
        set.ask(all)
        return try read(try store(tenant), set)[all].sorted { $0.createdAt < $1.createdAt }
    }

    /// Removes a webhook, with the subscriptions created for it. - Throws: ``AdminError/noWebhook(_:_:)``.
    package func deleteWebhook(_ id: String, in tenant: Tenant) async throws(AdminError) {
        let (store, device) = (try store(tenant), try webhook(id, in: tenant))
        let name = DeviceRow.webhookSubscription(device.key.id)
        var set = ReadSet()
        set.databases = [1]
        let devices = DeviceRow.keyed([device.key])
        set.ask(devices)
        let subscriptions = SubscriptionRow.of(device.key.user, in: 1)
        set.ask(subscriptions)
        try await commit(to: store, set) { reading in
            var writes = WriteSet()
            writes.heads = reading.databases.compactMap { $0 }
            for device in reading[devices] { writes.remove(device) }
            for row in reading[subscriptions] where row.name == name { writes.remove(row) }
            return .write(writes, ())
        }
    }

    /// Removes webhooks whose secret cannot be decrypted, with their subscriptions. - Returns: How many.
    func deleteClosedWebhooks(of tenant: Tenant) async throws(AdminError) -> Int {
        let closed = try webhooks(of: tenant).filter(\.hasClosedSecret)
        for hook in closed { try await deleteWebhook(Hexadecimal.text(hook.key.id), in: tenant) }
        return closed.count
    }

    /// Repeats the calls of a webhook since a time, and makes pending ones immediately.
    ///
    /// - Returns: The number of calls.
    package func replayWebhook(
        _ id: String, in tenant: Tenant, since: Milliseconds, limit: Int
    ) async throws(AdminError) -> Int {
        let device = try webhook(id, in: tenant)
        guard try !read(try store(tenant)).catalog.isRevokedKey(device.key.user) else {
            throw .refused("The key of webhook \(id) was revoked. Create another webhook.")
        }
        let replay = ReplayDeliveries(to: device.key, since: since, limit: limit, now: inputs.now())
        return try await commit(to: try store(tenant), replay.reading, replay.decide)
    }

    /// - Parameter id: The ID, or a unique beginning of it.
    private func webhook(_ id: String, in tenant: Tenant) throws(AdminError) -> DeviceRow {
        let found = try webhooks(of: tenant).filter { Hexadecimal.text($0.key.id).hasPrefix(id.lowercased()) }
        guard let device = found.first, !id.isEmpty else { throw .noWebhook(id, tenant) }
        guard found.count == 1 else { throw .refused("\(found.count) webhooks begin with \(id). Type more of it.") }
        return device
    }
}

extension WebhookScope {
    fileprivate func request(named name: Name) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("operations")
        json.beginArray()
        json.beginObject()
        json.member("operationType", "create")
        json.key("subscription")
        json.beginObject()
        json.member("subscriptionID", name)
        json.member("subscriptionType", "query")
        json.key("query")
        json.beginObject()
        json.member("recordType", recordType)
        json.member("filterBy", raw: filters[...])
        json.endObject()
        json.key("firesOn")
        json.beginArray()
        for change in firesOn { json.string(change) }
        json.endArray()
        if !fields.isEmpty {
            json.key("notificationInfo")
            json.beginObject()
            json.key("additionalFields")
            json.beginArray()
            for field in fields { json.string(field) }
            json.endArray()
            json.endObject()
        }
        json.endObject()
        json.endObject()
        json.endArray()
        json.endObject()
        return json.bytes
    }
}
