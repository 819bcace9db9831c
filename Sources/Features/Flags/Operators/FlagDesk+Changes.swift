import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension FlagDesk {
    /// Carries out each by itself: what became of it, in order; nil for done.
    func carryOut(_ saves: [RecordSave]) async throws -> [Refusal?] {
        try await administration.carryOut(saves, in: tenant)
    }

    /// Changes a flag by what it is; where somebody else changes it meanwhile, by what it is then.
    ///
    /// - Parameter change: Called once for each attempt; nil leaves the flag as it is.
    /// - Returns: The flag as it was before.
    @discardableResult
    func change(_ id: String, _ change: (StoredFlag) throws -> RecordSave.Kind?) async throws -> StoredFlag {
        try await administration.change("flag \(id)", in: tenant) {
            try flag(id)
        } save: { flag in
            try change(flag).map { RecordSave(name: id, type: type, old: flag.record, kind: $0) }
        }
    }
}
