import Audience
import CloudKitWire
import NephosDomain
import NephosStorage

/// Requests that past switches of a flag's schedule are folded into its state: ``NephosRunner/Job/foldSchedules(_:)``.
struct FlagSchedules: RecordRule {
    /// The name of the job.
    static let job = "flag-schedules"

    func concerns(_ type: Name, in catalog: Catalog) -> Bool { (try? catalog.flagType()) == type }

    func follow(_ changes: RecordChanges, _ reading: FoundRows, _ rows: inout RuleWrites) {
        guard changes.head.kind == .publicLane else { return }
        let next = changes.all.compactMap(\.new).compactMap { record in
            (try? Flag(record))?.schedule.first { $0.at > changes.now }?.at
        }.min()
        if let next { rows.ask(for: Self.job, at: next) }
    }
}
