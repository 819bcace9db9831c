import Audience
import CloudKitWire
import NephosDomain
import NephosStorage

/// The records that somebody may have, from the counts of groups: exact, without examining records.
struct PickChoice: Sendable {
    /// Records of one group and weight class.
    struct Bucket: Sendable, Hashable {
        let group: Int64
        let weightClass: Int
        let count: Int64

        func place(_ slot: Int64) -> PickPlace { PickPlace(group: group, state: .open(weightClass), slot: slot) }
    }

    /// Ordered by group and class; none is empty.
    private(set) var buckets: [Bucket] = []
    private(set) var eligible: Int64 = 0
    private(set) var why = PickExclusions()
    private let directory: PickDirectory
    private let caller: PickCaller
    private var keys: Set<PickGroupKey> = []

    init(_ directory: PickDirectory, for caller: PickCaller) {
        (self.directory, self.caller) = (directory, caller)
        for group in directory.groups {
            let key = group.row.key
            guard group.isShared || caller.wants(key.collection) else { continue }
            for (state, reason) in [
                (PickState.early, PickExclusions.Reason.early), (.ended, .ended), (.unreadable, .unreadable),
            ] {
                why[reason] += group.row.counts[state] ?? 0
            }
            let open = group.row.counts.filter(\.key.isOpen)
            if !group.isShared, let reason = directory.denial(key.access, group.condition, for: caller) {
                why[reason] += open.values.reduce(0, +)
                continue
            }
            if !group.isShared { keys.insert(key) }
            for (state, count) in open.sorted(by: { $0.key < $1.key }) {
                guard case .open(let weightClass) = state else { continue }
                buckets.append(Bucket(group: group.row.group, weightClass: weightClass, count: count))
                eligible += count
            }
        }
    }

    /// Whether the caller may have a record in its current version.
    func admits(_ placement: PickPlacement?) -> Bool {
        guard let placement, placement.state.isOpen else { return false }
        if keys.contains(placement.key) { return true }
        guard caller.wants(placement.key.collection) else { return false }
        do throws(WireError) {
            let condition = try AudienceText.condition(placement.key.audience)
            return directory.denial(placement.key.access, condition, for: caller) == nil
        } catch {
            return false
        }
    }
}
