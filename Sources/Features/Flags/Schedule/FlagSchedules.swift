import Audience
import CloudKitWire
import NephosDomain
import NephosStorage

/// Has what a flag's schedule says folded into its state once it has come: ``NephosRunner/Job/foldSchedules(_:)``.
struct FlagSchedules: RecordRule {
    /// The background work that does it in a tenant.
    static let job = "flag-schedules"

    func concerns(_ type: Name, in catalog: Catalog) -> Bool { (try? catalog.flagType()) == type }

    func follow(_ changes: RecordChanges, _ reading: FoundRows, _ rows: inout FollowingRows) {
        guard changes.head.kind == .publicLane else { return }
        let next = changes.all.compactMap(\.new).compactMap { record in
            (try? Flag(record))?.schedule.first { $0.at > changes.now }?.at
        }.min()
        if let next { rows.ask(for: Self.job, at: next) }
    }
}
