import CloudKitWire
import NephosStorage

/// Sorts records of one type for picking: each leaves its place and gets another, and the last record fills the gap.
/// ``tails(of:_:)`` must be read first.
struct PickBook {
    private let type: TypeNumber
    /// As read.
    private let stored: [Int64: PickGroupRow]
    private var groups: [Int64: PickGroupRow]
    private var numbers: [PickGroupKey: Int64]
    /// The current places of records, as far as they are known.
    private var places: [Name: PickItemRow] = [:]
    private var before: [PickPlace: PickItemRow] = [:]
    private var after: [PickPlace: PickItemRow?] = [:]

    /// - Parameters:
    ///   - groups: All of the type.
    ///   - items: The existing items of the records that are sorted.
    ///   - tails: ``tails(of:_:)``.
    init(_ type: TypeNumber, _ groups: [PickGroupRow], _ items: [PickItemRow], tails: [PickItemRow]) {
        self.type = type
        stored = Dictionary(groups.map { ($0.group, $0) }) { first, _ in first }
        self.groups = stored
        numbers = Dictionary(groups.filter { $0.group != PickGroupRow.shared }.map { ($0.key, $0.group) }) { first, _ in
            first
        }
        for item in items + tails { (before[item.place], places[item.name]) = (item, item) }
    }

    /// The items that fill the gaps left by records: the last of each state of a group, as many as leave it.
    static func tails(of items: [PickItemRow], _ type: TypeNumber) -> [Scan<PickItemRow>] {
        var leaving: [Bucket: Int] = [:]
        for item in items { leaving[Bucket(item.place), default: 0] += 1 }
        return leaving.sorted { $0.key < $1.key }.map { PickItemRow.last($1, of: type, $0.group, $0.state) }
    }

    /// The records of a group that have the same state.
    private struct Bucket: Hashable, Comparable {
        let group: Int64
        let state: PickState

        init(_ place: PickPlace) { (group, state) = (place.group, place.state) }

        static func < (left: Self, right: Self) -> Bool { (left.group, left.state) < (right.group, right.state) }
    }

    // MARK: Sorting

    /// - Parameter placement: nil for a record that was deleted, or is a draft.
    /// - Returns: Whether anything changed.
    @discardableResult
    mutating func place(_ name: Name, _ placement: PickPlacement?) -> Bool {
        let old = places[name]
        guard let placement else {
            if let old { leave(old) }
            return old != nil
        }
        let group = number(of: placement.key)
        if let old, old.group == group, old.state == placement.state {
            let new = placement.row(name, type, group: group, slot: old.slot)
            if new != old { put(new) }
            return new != old
        }
        if let old { leave(old) }
        let slot = groups[group]?.counts[placement.state] ?? 0
        put(placement.row(name, type, group: group, slot: slot))
        groups[group]?.counts[placement.state] = slot + 1
        return true
    }

    private mutating func put(_ item: PickItemRow) {
        after[item.place] = .some(item)
        places[item.name] = item
    }

    private mutating func leave(_ item: PickItemRow) {
        let last = (groups[item.group]?.counts[item.state] ?? 1) - 1
        groups[item.group]?.counts[item.state] = last > 0 ? last : nil
        let end = PickPlace(group: item.group, state: item.state, slot: last)
        let moved = end == item.place ? nil : after[end] ?? before[end]
        after[end] = .some(nil)
        places[item.name] = nil
        if var moved {
            moved.slot = item.slot
            put(moved)
        }
    }

    private mutating func number(of key: PickGroupKey) -> Int64 {
        if let number = numbers[key] { return number }
        let number = (1...Int64(PickGroupRow.most)).first { groups[$0].map(\.isEmpty) ?? true } ?? PickGroupRow.shared
        if let old = groups[number], number != PickGroupRow.shared { numbers[old.key] = nil }
        if number != PickGroupRow.shared {
            numbers[key] = number
            groups[number] = PickGroupRow(type: type, group: number, key: key, counts: [:])
        } else if groups[number] == nil {
            groups[number] = PickGroupRow(type: type, group: number, key: PickGroupKey(), counts: [:])
        }
        return number
    }

    // MARK: Writing

    /// The number of places whose record has changed, or was replaced or removed.
    var touched: Int { after.count }

    func touches(_ item: PickItemRow) -> Bool { after[item.place] != nil }

    /// When the next of these records begins or ends.
    var nextMoment: Milliseconds { after.values.lazy.compactMap { $0?.moment }.min() ?? PickItemRow.never }

    func write(to set: inout WriteSet) {
        for (place, new) in after.sorted(by: { $0.key < $1.key }) {
            let old = before[place]
            if let new {
                if new != old { set.put(new, replacing: old) }
            } else if let old {
                set.remove(old)
            }
        }
        for (number, group) in groups.sorted(by: { $0.key < $1.key }) where group != stored[number] {
            if group.isEmpty {
                if let old = stored[number] { set.remove(old) }
            } else {
                set.put(group, replacing: stored[number])
            }
        }
    }
}

extension PickGroupRow {
    /// Whether it has no records.
    var isEmpty: Bool { counts.isEmpty }
}
