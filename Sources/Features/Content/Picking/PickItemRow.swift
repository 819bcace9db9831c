import CloudKitWire
import NephosStorage

/// The place of a content record among those sorted for picking (table `content_items`). The row of its group has the number of
/// records in each state; places of a state are numbered without gaps, so that any number drawn is a valid place.
struct PickItemRow: Sendable, Equatable {
    var database = Content.database
    var type: TypeNumber
    /// ``PickGroupRow/group``.
    var group: Int64
    var state: PickState
    /// From 0.
    var slot: Int64
    /// The name of the record.
    var name: Name
    /// From 1 to 1,000.
    var weight: Int64
    /// When it began to be shown; ``notShown`` while it is not shown.
    var shownFrom: Milliseconds
    /// When it begins or ends next; ``never`` for never.
    var moment: Milliseconds

    static let never = Milliseconds.max
    static let notShown = Milliseconds.min

    var place: PickPlace { PickPlace(group: group, state: state, slot: slot) }
}

/// The state of a content record.
enum PickState: Sendable, Hashable, Comparable {
    /// It is shown, and its weight is more than 2ⁿ⁻¹ and at most 2ⁿ.
    case open(Int)
    case early
    case ended
    /// A field is not valid: the record is counted, and never picked.
    case unreadable

    /// The class of the largest weight.
    static let classMax = 10

    init(openWithWeight weight: Int64) {
        self = .open(Int64.bitWidth - max(weight - 1, 0).leadingZeroBitCount)
    }

    /// The stored number, which determines the order.
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

/// The place of one record of a type.
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
        guard let state = PickState(number: number) else {
            throw .corrupt("state: \(number) is not a state of content")
        }
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

    /// The last items of one state of a group.
    static func last(_ count: Int, of type: TypeNumber, _ group: Int64, _ state: PickState) -> Scan<Self> {
        Scan(
            .database(Content.database), .int(Int64(type)), .int(group), .int(state.number), descending: true,
            limit: count)
    }

    /// Items that begin or end by a given time.
    static func due(_ type: TypeNumber, at now: Milliseconds, limit: Int) -> Scan<Self> {
        Scan(
            by: "content_items_moment", .database(Content.database), .int(Int64(type)), below: [.int(now + 1)],
            limit: limit)
    }

    /// Items that begin or end next.
    static func next(_ type: TypeNumber, limit: Int) -> Scan<Self> {
        Scan(by: "content_items_moment", .database(Content.database), .int(Int64(type)), limit: limit)
    }

    /// Shown items, newest first. - Parameter place: Only those after this one.
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
