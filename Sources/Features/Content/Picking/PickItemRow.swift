import CloudKitWire
import NephosStorage

/// Where a record of content stands among those that may be picked (table `content_items`). Which places there are, and how many records each
/// has, says the row of its group; places of one state are numbered without a gap, so that any is found by a number that was drawn.
struct PickItemRow: Sendable, Equatable {
    var database = Content.database
    var type: TypeNumber
    /// ``PickGroupRow/group``.
    var group: Int64
    var state: PickState
    /// From 0 on.
    var slot: Int64
    /// Of the record.
    var name: Name
    /// From 1 to 1,000.
    var weight: Int64
    /// When it is shown from; ``notShown`` while it is not.
    var shownFrom: Milliseconds
    /// When it begins or ends next; ``never`` where it does not.
    var moment: Milliseconds

    static let never = Milliseconds.max
    static let notShown = Milliseconds.min

    var place: PickPlace { PickPlace(group: group, state: state, slot: slot) }
}

/// How a record of content stands.
enum PickState: Sendable, Hashable, Comparable {
    /// It is shown, and weighs more than 2ⁿ⁻¹ and at most 2ⁿ.
    case open(Int)
    case early
    case ended
    /// What it says cannot be read: it is counted, and never picked.
    case unreadable

    /// For the largest weight.
    static let classMax = 10

    init(openWithWeight weight: Int64) {
        self = .open(Int64.bitWidth - max(weight - 1, 0).leadingZeroBitCount)
    }

    /// As it is stored, and in what order.
    var number: Int64 {
        switch self {
        case .open(let weightClass): Int64(weightClass)
        case .early: 100
        case .ended: 101
        case .unreadable: 102
        }
    }

    init?(number: Int64) {
        switch number {
        case 0...Int64(Self.classMax): self = .open(Int(number))
        case 100: self = .early
        case 101: self = .ended
        case 102: self = .unreadable
        default: return nil
        }
    }

    static func < (left: Self, right: Self) -> Bool { left.number < right.number }

    var isOpen: Bool { if case .open = self { true } else { false } }
}

/// A place that one record of a type has.
struct PickPlace: Sendable, Hashable, Comparable {
    var group: Int64
    var state: PickState
    var slot: Int64

    static func < (left: Self, right: Self) -> Bool {
        (left.group, left.state, left.slot) < (right.group, right.state, right.slot)
    }
}

extension PickItemRow: StoredRow {
    static let table = Table(
        of: Self.self, "content_items", .database, key: ["db", "type_no", "group_no", "state", "slot"],
        indexes: [
            Table.Index("content_items_name", ["db", "type_no", "name"]),
            Table.Index("content_items_moment", ["db", "type_no", "moment"]),
            Table.Index("content_items_newest", ["db", "type_no", "shown_from", "name"]),
        ])
    static let sample = PickItemRow(
        type: 1, group: 0, state: .early, slot: 0, name: "", weight: 1, shownFrom: 0, moment: 0)

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.database(&database)
        try columns.type("type_no", &type)
        try columns.int("group_no", &group)
        var number = state.number
        try columns.int("state", &number)
        guard let state = PickState(number: number) else { throw .corrupt("state: \(number) is none of content") }
        self.state = state
        try columns.int("slot", &slot)
        try columns.name("name", &name)
        try columns.int("weight", &weight)
        try columns.int("shown_from", &shownFrom)
        try columns.int("moment", &moment)
    }

    // MARK: Scans

    static func at(_ places: [PickPlace], of type: TypeNumber) -> Scan<Self> {
        Scan(
            .database(Content.database), .int(Int64(type)),
            among: places.map { [.int($0.group), .int($0.state.number), .int($0.slot)] })
    }

    static func of(_ names: [Name], type: TypeNumber) -> Scan<Self> {
        Scan(
            by: "content_items_name", .database(Content.database), .int(Int64(type)), among: names.map { [.name($0)] })
    }

    /// The last of one state of a group.
    static func last(_ count: Int, of type: TypeNumber, _ group: Int64, _ state: PickState) -> Scan<Self> {
        Scan(
            .database(Content.database), .int(Int64(type)), .int(group), .int(state.number), descending: true,
            limit: count)
    }

    /// Those that begin or end by a time.
    static func due(_ type: TypeNumber, at now: Milliseconds, limit: Int) -> Scan<Self> {
        Scan(
            by: "content_items_moment", .database(Content.database), .int(Int64(type)), below: [.int(now + 1)],
            limit: limit)
    }

    /// Those that begin or end next.
    static func next(_ type: TypeNumber, limit: Int) -> Scan<Self> {
        Scan(by: "content_items_moment", .database(Content.database), .int(Int64(type)), limit: limit)
    }

    /// Those that are shown, the newest first. - Parameter place: After this one.
    static func newest(
        _ type: TypeNumber, after place: (shownFrom: Milliseconds, name: Name)?, limit: Int
    ) -> Scan<Self> {
        guard let place else {
            return Scan(
                by: "content_items_newest", .database(Content.database), .int(Int64(type)), descending: true,
                limit: limit)
        }
        return Scan(
            by: "content_items_newest", .database(Content.database), .int(Int64(type)),
            below: [.int(place.shownFrom), .name(place.name)], descending: true, limit: limit)
    }

    static func all(of type: TypeNumber, after place: PickPlace? = nil, limit: Int) -> Scan<Self> {
        guard let place else { return Scan(.database(Content.database), .int(Int64(type)), limit: limit) }
        return Scan(
            .database(Content.database), .int(Int64(type)),
            above: [.int(place.group), .int(place.state.number), .int(place.slot)], limit: limit)
    }
}
