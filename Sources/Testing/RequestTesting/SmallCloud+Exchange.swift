import Foundation
import NephosBackend
import NephosDelivery
import NephosDomain
package import NephosRunner
import NephosSQLite
package import NephosStorage
import NephosTesting

extension SmallCloud {
    /// Sends a request and returns its response. - Throws: An error if there is none.
    package func ask(
        _ method: String, _ target: String, _ body: String = "", headers: [(String, String)] = [], as caller: Caller
    ) throws -> RawResponse {
        try answer(to: request(method, target, headers: headers, body: Array(body.utf8), as: caller))
    }

    /// Returns an immediate response.
    package func answer(to request: RawRequest) throws -> RawResponse {
        guard case .answer(let answer) = responder.outcome(of: request) else {
            throw SystemError("\(request.method) \(request.path)", code: EIO)
        }
        return answer
    }

    /// Begins to answer a request as a connection does.
    ///
    /// - Parameter failed: Called with unexpected errors.
    package func begin(
        _ request: RawRequest, failed: @escaping @Sendable (any Error, RequestID) -> Void
    ) -> LocalExchange {
        let exchange = LocalExchange(
            responder, threads: threads, isHEAD: request.method == .head, id: request.id, failed: failed)
        exchange.begin(request)
        return exchange
    }

    /// Runs a server's background work, including polling for news, during `body`.
    package func running<Value>(_ body: () async throws -> Value) async throws -> Value {
        let running = Task { [backend] in await backend.run() }
        let result: Result<Value, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        running.cancel()
        await running.value
        return try result.get()
    }

    /// Delivers notifications to devices during `body`.
    package func delivering<Value>(_ body: () async throws -> Value) async throws -> Value {
        // Before the task, whose start may be delayed: otherwise changes made before it listens would be missed.
        for feature in backend.features { feature.listen?() }
        let delivery = Task { [features = backend.features] in
            await withDiscardingTaskGroup { group in
                for run in features.compactMap(\.run) { group.addTask { await run() } }
            }
        }
        let result: Result<Value, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        delivery.cancel()
        await delivery.value
        return try result.get()
    }

    /// Whether a delivery is pending for the device with this target.
    ///
    /// - Parameter target: Path and query of a `webcourierURL`.
    package func hasDeliveries(for target: String) throws -> Bool {
        guard let store = try engine.open(Self.tenant) else { throw StorageError.noSuchTenant }
        let token = URLComponents(string: target)?.queryItems?.first { $0.name == "tok" }?.value ?? ""
        let device = try CourierToken(token, key: store.read(ReadSet()).catalog.head.signingKey).device
        return try !store.rows(DeliveryRow.of(device, limit: 1)).isEmpty
    }

    /// Whether all changes have been delivered to their devices, as far as these poll, and nothing is leased.
    package func isSettled() throws -> Bool { try isSettled(Self.tenant) }

    /// The same of another container.
    package func isSettled(_ tenant: Tenant) throws -> Bool {
        guard let store = try engine.open(tenant) else { throw StorageError.noSuchTenant }
        guard try store.rows(ChangeEventRow.oldest(limit: 1)).isEmpty else { return false }
        let devices = try store.rows(DeviceRow.all(.courier, limit: 1_000))
        let now = inputs.now
        return try devices.allSatisfy { device in
            try store.rows(DeliveryRow.of(device.key, limit: 1_000)).allSatisfy { $0.leasedUntil <= now }
        }
    }
}
