import NephosStorage

/// Adjacent keys of an index.
struct KeyInterval {
    var lower: [UInt8] = []
    /// Exclusive; nil for the end of the index.
    var upper: [UInt8]?
    /// The size of the fixed parts before the order key; the same in all keys of the interval.
    var offset = 0
    /// Records found here match the covered conditions without a comparison.
    var isExact = true

    func joined(_ part: PartInterval) -> KeyInterval {
        var next = self
        next.lower = lower + part.lower
        next.upper = part.upper.map { lower + $0 } ?? lower.successor
        next.isExact = isExact && part.isExact
        return next
    }
}

/// How one index is used to find records.
struct Access {
    var index: IndexNumber
    var intervals = [KeyInterval()]
    /// The indices of conditions that need no comparison in exact intervals.
    var covered: [Int] = []
    /// The indices of conditions that narrow the range of the index.
    var narrowing: [Int] = []
    /// The number of parts that are fixed to values.
    var fixedCount = 0
    /// The circle for the last narrowing part, if that is a cell.
    private var circle: Circle?

    init(index: IndexNumber, fixedCount: Int = 0) {
        self.index = index
        self.fixedCount = fixedCount
    }

    /// Whether the record of an entry found in `interval` may match the conditions, as far as its key shows.
    func mayPass(_ entry: IndexEntry, in interval: KeyInterval) -> Bool {
        guard let circle, let cell = entry.key.dropFirst(interval.lower.count - KeyPart.cellLength).partNumber() else {
            return true
        }
        return circle.mayHold(cell: cell)
    }

    /// Adds another part after parts that are all fixed; returns false if that makes too many intervals.
    fileprivate mutating func narrow(_ option: PartOption, intervalsMax: Int) -> Bool {
        guard intervals.count * option.intervals.count <= intervalsMax else { return false }
        intervals = intervals.flatMap { interval in option.intervals.map { interval.joined($0) } }
        narrowing.append(option.condition)
        if option.isCovering { covered.append(option.condition) }
        circle = option.circle
        return true
    }
}

/// Finds the access paths that indexes provide for a query.
struct AccessPlanner {
    /// The maximum number of ranges that are merged, but a few for each zone in any case.
    static let rangesMax = 256
    private static let rangesOfZone = 4
    /// Of many required words, this many are tried to find the rarest.
    private static let choicesMax = 8

    /// The maximum number of ranges of a query for somebody who is in some shares of a zone.
    private static let rangesOfShares = 1_024

    let conditions: [PreparedCondition]
    let orders: [QueryOrder]
    let zones: Int
    /// The index of the condition that restricts the query to shares. Only what it leaves is examined: otherwise limits would show how
    /// much is hidden.
    let restricting: Int?

    init(conditions: [PreparedCondition], orders: [QueryOrder], zones: Int) {
        self.conditions = conditions.map { condition in
            guard case .isNear(let place, let metres) = condition.test else { return condition }
            var located = condition
            let circle = Circle(place, metres: metres)
            located.circle = circle
            located.cells = PartInterval.cells(circle)
            return located
        }
        self.orders = orders
        self.zones = zones
        restricting =
            orders.first?.field == .share
            ? nil
            : conditions.firstIndex { condition in
                if case .isAny = condition.test { condition.field == .share } else { false }
            }
    }

    /// The maximum number of ranges in each zone.
    var intervalsMax: Int {
        restricting == nil ? max(Self.rangesOfZone, Self.rangesMax / max(1, zones)) : Self.rangesOfShares
    }

    private func isRestricted(_ access: Access) -> Bool { restricting.map(access.narrowing.contains) ?? true }

    /// The order parts that an index must have to be walked in the order of the query.
    var orderParts: [IndexShape.Part] {
        orders.map { .order($0.field, isDescending: $0.origin == nil && $0.isDescending) }
    }

    /// A walk in the order of the query; nil if the index has another order or a fixed part without a condition.
    func ordered(_ index: IndexRow) -> Access? {
        let fixed = index.shape.fixedParts
        guard index.shape.orderParts.elementsEqual(orderParts) else { return nil }
        var access = Access(index: index.number, fixedCount: fixed.count)
        for part in fixed {
            let options = PartOption.options(of: part, conditions, limit: KeyPart.fixedLimit)
            guard let option = options.first, option.isFixed, access.narrow(option, intervalsMax: intervalsMax)
            else { return nil }
        }
        guard isRestricted(access) else { return nil }
        for index in access.intervals.indices { access.intervals[index].offset = access.intervals[index].lower.count }
        if orders.allSatisfy({ $0.origin == nil }) { bound(&access) }
        return access
    }

    /// Narrows a walk by the conditions on the first key of the order.
    private func bound(_ access: inout Access) {
        let limit = KeyPart.orderLimit(keys: orders.count)
        guard let first = orderParts.first,
            var option = PartOption.options(of: first, conditions, limit: limit).first
        else { return }
        if access.narrow(option, intervalsMax: intervalsMax) { return }
        option.intervals = PartInterval.hull(option.intervals)
        _ = access.narrow(option, intervalsMax: access.intervals.count)
    }

    /// Access paths for all records of the query without an order, those with the most conditions first. Of indexes that use the
    /// same conditions, one is enough.
    func unordered(_ indexes: [IndexRow]) -> [Access] {
        var ways: [Access] = []
        var seen: Set<[Int]> = []
        for index in indexes {
            for (choice, way) in unordered(index).enumerated()
            where isRestricted(way) && seen.insert(way.narrowing + [choice]).inserted {
                ways.append(way)
            }
        }
        return ways.sorted { $0.narrowing.count > $1.narrowing.count }
    }

    /// Required words and members each give a separate access path.
    private func unordered(_ index: IndexRow) -> [Access] {
        var ways: [Access] = []
        var choice = 0
        while let (access, choices) = unordered(index, choice) {
            ways.append(access)
            choice += 1
            if choice >= min(choices, Self.choicesMax) { break }
        }
        return ways
    }

    private func unordered(_ index: IndexRow, _ choice: Int) -> (Access, choices: Int)? {
        var access = Access(index: index.number)
        var isOpen = true
        var choices = 1
        let orderLimit = KeyPart.orderLimit(keys: index.shape.orderParts.count)
        for part in index.shape.parts {
            let limit = part.isOrder ? orderLimit : KeyPart.fixedLimit
            let options = PartOption.options(of: part, conditions, limit: limit)
            // Records without the value are not in the index, and may be part of the result.
            guard part.isOrder || !options.isEmpty else { return nil }
            guard isOpen, !options.isEmpty else {
                isOpen = false
                continue
            }
            let isSeveral = part.hasSeveral
            if isSeveral { choices = options.count }
            let option = options[isSeveral ? min(choice, options.count - 1) : 0]
            isOpen = access.narrow(option, intervalsMax: intervalsMax) && option.isFixed
        }
        return (access, choices)
    }
}

extension IndexShape {
    var fixedParts: ArraySlice<Part> { parts[..<(parts.firstIndex(where: \.isOrder) ?? parts.count)] }
    var orderParts: ArraySlice<Part> { parts[(parts.firstIndex(where: \.isOrder) ?? parts.count)...] }
}

extension IndexShape.Part {
    var isOrder: Bool { if case .order = self { true } else { false } }

    /// Whether a record may have several entries because of it.
    var hasSeveral: Bool {
        switch self {
        case .member, .token: true
        case .value, .cell, .order: false
        }
    }
}
