import Audience
import CloudKitWire
import NephosDomain
import NephosStorage

/// The groups of a type of content, made ready to be asked: one version of them, which a request compares with that which is stored.
final class PickDirectory: Sendable {
    /// One of them.
    struct Group: Sendable {
        let row: PickGroupRow
        /// nil for everybody.
        let condition: Condition?
        /// Whether records of it are judged one by one.
        var isShared: Bool { row.group == PickGroupRow.shared }
    }

    let index: PickIndexRow
    /// In the order of their numbers.
    let groups: [Group]
    /// Whether what somebody may have depends on their roles.
    let asksForRoles: Bool

    init(_ index: PickIndexRow, _ rows: [PickGroupRow]) {
        self.index = index
        groups = rows.map { row in
            do throws(WireError) {
                return Group(row: row, condition: try ContentAudience.condition(row.key.audience))
            } catch {
                // What cannot be read is in no group but as unreadable; should it be, it is for nobody.
                return Group(row: row, condition: .newer("unreadable"))
            }
        }
        asksForRoles = groups.contains { group in
            // An audience of the settings may ask for one.
            group.row.key.access.contains { $0.hasPrefix("role:") }
                || group.condition.map { $0.asks { if case .role = $0 { true } else { $0.isNamed } } } ?? false
        }
    }
}

/// Whom content is picked for, and of what.
struct PickAsker: Sendable {
    let context: EvaluationContext
    /// Words that are proved (``ContentType/isProof(_:)``).
    let proofs: Set<String>
    /// Empty for all.
    var collections: Set<Bytes>
    let audiences: AudienceBook

    /// Whether somebody may have what says this.
    func verdict(_ access: [String], _ condition: Condition?) -> PickWhy.Reason? {
        guard access.isEmpty || access.contains(where: proofs.contains) else { return .access }
        guard let condition else { return nil }
        switch audiences.verdict(of: condition, for: context) {
        case .yes: return nil
        case .unknown(.missingAudience): return .unreadable
        case .unknown: return .audience
        case .no:
            return switch audiences.miss(of: condition, for: context) {
            case .locale: .locale
            case .version: .version
            case .platform: .platform
            case .other: .audience
            }
        }
    }

    func wants(_ collection: Bytes) -> Bool { collections.isEmpty || collections.contains(collection) }
}

/// How many records of those that were asked for are out of reach, and why: each counts once, by what comes first.
struct PickWhy: Sendable, Equatable {
    enum Reason: String, Sendable, CaseIterable {
        case early, ended, locale, version, access, unreadable
        /// These are left out of an answer where there is none.
        case platform, audience
    }

    private var counts: [Reason: Int64] = [:]

    subscript(_ reason: Reason) -> Int64 {
        get { counts[reason] ?? 0 }
        set { counts[reason] = newValue }
    }

    func write(to json: inout JSONWriter) {
        json.beginObject()
        for reason in Reason.allCases where self[reason] > 0 || ![.platform, .audience].contains(reason) {
            json.key(named: Name(reason.rawValue))
            json.int64(self[reason])
        }
        json.endObject()
    }
}

/// What somebody may have, by the counts of groups: exact, and never found by looking through records.
struct PickChoice: Sendable {
    /// Records of one group and weight class.
    struct Bucket: Sendable, Hashable {
        let group: Int64
        let weightClass: Int
        let count: Int64

        func place(_ slot: Int64) -> PickPlace { PickPlace(group: group, state: .open(weightClass), slot: slot) }
    }

    /// In the order of groups and classes, none empty.
    private(set) var buckets: [Bucket] = []
    private(set) var eligible: Int64 = 0
    private(set) var why = PickWhy()
    /// When time alone may change it next; nil for never.
    private(set) var changesAt: Milliseconds?
    private let asker: PickAsker
    private var keys: Set<PickGroupKey> = []

    init(_ directory: PickDirectory, for asker: PickAsker) {
        self.asker = asker
        var next = directory.index.moment
        for group in directory.groups {
            let key = group.row.key
            guard group.isShared || asker.wants(key.collection) else { continue }
            for (state, reason) in [
                (PickState.early, PickWhy.Reason.early), (.ended, .ended), (.unreadable, .unreadable),
            ] {
                why[reason] += group.row.counts[state] ?? 0
            }
            let open = group.row.counts.filter(\.key.isOpen)
            if let condition = group.condition,
                let edge = asker.audiences.nextEdge(of: condition, after: asker.context.now)
            {
                next = min(next, edge)
            }
            if !group.isShared, let reason = asker.verdict(key.access, group.condition) {
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
        changesAt = next == PickItemRow.never ? nil : next
    }

    /// Whether somebody may have a record, by what it says by now.
    func admits(_ placement: PickPlacement?) -> Bool {
        guard let placement, placement.state.isOpen else { return false }
        if keys.contains(placement.key) { return true }
        guard asker.wants(placement.key.collection) else { return false }
        do throws(WireError) {
            let condition = try ContentAudience.condition(placement.key.audience)
            return asker.verdict(placement.key.access, condition) == nil
        } catch {
            return false
        }
    }
}
