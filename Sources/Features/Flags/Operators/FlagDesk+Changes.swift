import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension FlagDesk {
    private static let attemptsMax = 8

    /// Carries out each by itself: what became of it, in order; nil for done.
    func carryOut(_ saves: [FlagSave]) async throws -> [Refusal?] {
        var refusals: [Refusal?] = []
        for start in stride(from: 0, to: saves.count, by: FlagSave.most) {
            let request = try FlagSave.request(saves[start..<min(start + FlagSave.most, saves.count)])
            let place = RecordPlace(tenant: tenant, scope: .public, session: nil)
            refusals += try await administration.modifyRecords(request, in: place).map { outcome in
                if case .refused(let refusal) = outcome { refusal } else { nil }
            }
        }
        return refusals
    }

    /// Changes a flag by what it is; where somebody else changes it meanwhile, by what it is then.
    ///
    /// - Parameter change: Called once for each attempt; nil leaves the flag as it is.
    /// - Returns: The flag as it was before.
    @discardableResult
    func change(_ id: String, _ change: (StoredFlag) throws -> FlagSave.Kind?) async throws -> StoredFlag {
        for _ in 0..<Self.attemptsMax {
            let flag = try flag(id)
            guard let kind = try change(flag) else { return flag }
            let save = FlagSave(id: id, type: type, old: flag.record, kind: kind)
            switch try await carryOut([save]).first ?? nil {
            case nil: return flag
            case .conflict?, .recordNotFound?: continue
            case let refusal?: throw refusal
            }
        }
        throw Failure("Somebody else keeps changing flag \(id); nothing was changed. Try again.")
    }
}
