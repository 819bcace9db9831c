import CloudKitWire
import NephosDomain
import NephosStorage

/// Has the records sorted for picking follow changes. A save only requests the job, which finds the changes in the feed.
struct FollowPicks: RecordRule {
    /// The delay before the job runs, so that many saves are processed in one transaction.
    static let delay: Milliseconds = 200

    var needsPossibleChanges: Bool { false }

    func concerns(_ type: Name, in catalog: Catalog) -> Bool {
        // If the settings cannot be read, nothing is picked.
        do throws(SectionFailure) { return try catalog.content().types[type] != nil } catch { return false }
    }

    func follow(_ changes: RecordChanges, _ reading: FoundRows, _ rows: inout RuleWrites) {
        guard changes.head.kind == .publicLane else { return }
        for change in changes.all where change.new == nil {
            guard let old = change.old else { continue }
            rows.put(GoneRow(sequence: changes.head.sequence, record: old.number, name: change.name))
        }
        rows.ask(for: Content.picks, at: changes.now + Self.delay)
    }
}
