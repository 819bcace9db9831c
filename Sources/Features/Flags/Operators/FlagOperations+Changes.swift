import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension FlagOperations {
    /// Performs each save independently and returns the results in order; nil for success.
    func carryOut(_ saves: [RecordSave]) async throws -> [Refusal?] {
        try await administration.carryOut(saves, in: tenant)
    }

    /// Changes a flag based on its current value; retries with the new value if it is changed concurrently.
    ///
    /// - Parameter change: Called once per attempt; nil leaves the flag unchanged.
    /// - Returns: The flag before the change.
    @discardableResult
    func change(_ id: String, _ change: (StoredFlag) throws -> RecordSave.Kind?) async throws -> StoredFlag {
        try await administration.change("flag \(id)", in: tenant) {
            try flag(id)
        } save: { flag in
            try change(flag).map { RecordSave(name: id, type: type, old: flag.record, kind: $0) }
        }
    }
}
