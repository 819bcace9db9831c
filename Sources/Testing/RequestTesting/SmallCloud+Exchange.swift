import NephosBackend
import NephosDelivery
package import NephosRunner
import NephosSQLite
import NephosStorage
import NephosTesting

extension SmallCloud {
    /// Begins to answer a request as a connection does.
    ///
    /// - Parameter failed: Told of errors that nobody foresaw.
    package func begin(
        _ request: RawRequest, failed: @escaping @Sendable (any Error, RequestID) -> Void
    ) -> LocalExchange {
        let exchange = LocalExchange(
            responder, threads: threads, isHEAD: request.method == .head, id: request.id, failed: failed)
        exchange.begin(request)
        return exchange
    }

    /// Has devices told of changes while `body` runs.
    package func telling(_ body: () async throws -> Void) async throws {
        let telling = Task { [delivery = backend.delivery] in await delivery?.run() }
        let result: Result<Void, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        telling.cancel()
        await telling.value
        try result.get()
    }

    /// Whether all changes have come to those who are to be told of them, as far as they ask, and nothing is in hand.
    package func isSettled() throws -> Bool {
        guard let store = try engine.open(Self.tenant) else { throw StorageError.noSuchTenant }
        guard try store.rows(ChangeEventRow.oldest(limit: 1)).isEmpty else { return false }
        let devices = try store.rows(DeviceRow.all(.courier, limit: 1_000))
        let now = inputs.now
        return try devices.allSatisfy { device in
            try store.rows(DeliveryRow.of(device.key, limit: 1_000)).allSatisfy { $0.leasedUntil <= now }
        }
    }
}
