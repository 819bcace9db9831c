import CloudKitWire
package import NephosDelivery
import NephosRunner
package import NephosStorage
import Synchronization

/// Sends one delivery over the channel of its device. Keeps one client for each push key.
package final class PostOffice: Post {
    private let clients = Mutex<[PushKeyRow: APNsClient]>([:])
    private let client: GuardedClient
    private let webhooks: WebhookClient
    private let apnsHost: APNsHost?
    private let roots: [UInt8]
    private let timeout: Duration

    /// When to check again whether the operator has fixed the configuration.
    private static let waitForOperator = Duration.seconds(600)

    /// - Parameters:
    ///   - apnsHost: Replaces Apple's own: a proxy, or a stand-in.
    ///   - roots: Certificates to trust in addition to the system's, in PEM.
    ///   - webhookHosts: Hosts that may be called whatever their addresses.
    ///   - timeout: For a whole push or call, from resolving the name to the end of the response.
    /// - Throws: ``InvalidRoots``.
    package init(
        apnsHost: APNsHost? = nil, roots: [UInt8] = [], webhookHosts: [String] = [], timeout: Duration = .seconds(10)
    ) throws {
        self.apnsHost = apnsHost
        self.roots = roots
        self.timeout = timeout
        client = try GuardedClient(timeout: timeout, roots: roots, allowing: webhookHosts)
        webhooks = WebhookClient(client, timeout: timeout)
    }

    package func send(_ delivery: DeliveryRow, to device: DeviceRow, _ catalog: Catalog) async -> SendOutcome {
        switch device.channel {
        case .courier: .refused(reason: "this device requests its notifications itself")
        case .webhook: await call(delivery, device)
        case .apns: await push(delivery, device, catalog)
        }
    }

    private func call(_ delivery: DeliveryRow, _ device: DeviceRow) async -> SendOutcome {
        guard let secret = device.secret.bytes else {
            return .failed(
                reason: "the webhook's secret is sealed under a key that is missing here",
                retryAfter: Self.waitForOperator)
        }
        do {
            let address = try WebhookAddress(device.address)
            return await webhooks.send(
                WebhookCall(
                    address: address, body: Array(delivery.payload), id: DeliveryID(of: delivery),
                    secret: secret))
        } catch {
            return .refused(reason: "the webhook's URL is not allowed")
        }
    }

    // MARK: Apple's push service

    private func push(_ delivery: DeliveryRow, _ device: DeviceRow, _ catalog: Catalog) async -> SendOutcome {
        guard let row = catalog.pushKeys.first(where: { $0.isDevelopment == device.isDevelopment }) else {
            let which = device.isDevelopment ? " --sandbox" : ""
            return .failed(
                reason: "no key for Apple's push service: run nephos push configure\(which)",
                retryAfter: Self.waitForOperator)
        }
        do {
            let client = try await client(row)
            let push = try APNsPush(
                deviceToken: device.address, payload: Array(delivery.payload),
                kind: PushPayload.isShown(delivery.payload) ? .alert : .background,
                collapseID: CollapseID(delivery.collapseID.text), id: DeliveryID(of: delivery),
                expiration: delivery.createdAt / 1_000 + RetryPolicy.apns.keepFor.components.seconds)
            return await client.send(push)
        } catch let error as APNsPushError {
            return .refused(reason: "\(error)")
        } catch {
            return .failed(reason: "the key for Apple's push service: \(error)", retryAfter: Self.waitForOperator)
        }
    }

    private func client(_ row: PushKeyRow) async throws -> APNsClient {
        if let known = clients.withLock({ $0[row] }) { return known }
        guard let pem = row.pem.text else { throw ClosedPushKey() }
        let key = try APNsKey(pem: pem, teamID: row.team, keyID: row.keyID)
        let host = apnsHost ?? (row.isDevelopment ? .sandbox : .production)
        let client = try APNsClient(
            APNsConfiguration(key: key, topic: row.topic, host: host, roots: roots, timeout: timeout))
        // Two tasks may have created one at the same time.
        let (used, unused) = clients.withLock { clients -> (APNsClient, APNsClient?) in
            if let known = clients[row] { return (known, client) }
            clients[row] = client
            return (client, nil)
        }
        if let unused { try? await unused.shutdown() }
        return used
    }

    package func close() async {
        let clients = clients.withLock { clients in
            defer { clients = [:] }
            return Array(clients.values)
        }
        // Errors of closing connections are irrelevant.
        for client in clients { try? await client.shutdown() }
        try? await webhooks.shutdown()
    }
}

/// A key that is sealed with a secret key that this process does not have.
private struct ClosedPushKey: Error, CustomStringConvertible {
    var description: String {
        "it is sealed under a key that is missing here (docs/running.md, \"The secret key\")"
    }
}

extension DeliveryID {
    /// The same for every attempt at a delivery, and another one after more changes were merged into it.
    init(of delivery: DeliveryRow) {
        var sum = Checksum()
        sum.add(delivery.key.device)
        sum.add(delivery.key.subscription.bytes)
        for number in [delivery.key.database, delivery.key.source, delivery.createdAt, delivery.changes] {
            sum.add(number)
        }
        let high = UInt64(bitPattern: sum.value)
        sum.add(delivery.payload)
        self.init(high: high, low: UInt64(bitPattern: sum.value))
    }
}
