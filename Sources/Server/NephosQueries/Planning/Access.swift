import NephosStorage

/// Neighbouring keys of an index.
struct KeyInterval {
    var lower: [UInt8] = []
    /// Left out itself; nil for the end of the index.
    var upper: [UInt8]?
    /// Bytes of the fixed parts that stand in front of the order key; the same in all keys here.
    var offset = 0
    /// Records found here pass the covered conditions without being looked at.
    var isExact = true

    func joined(_ part: PartInterval) -> KeyInterval {
        var next = self
        next.lower = lower + part.lower
        next.upper = part.upper.map { lower + $0 } ?? lower.successor
        next.isExact = isExact && part.isExact
        return next
    }
}

/// How one index finds records.
struct Access {
    var index: IndexNumber
    var intervals = [KeyInterval()]
    /// Conditions that need no comparing where intervals are exact, by their index.
    var covered: [Int] = []
    /// Conditions that leave only a part of the index, by their index.
    var narrowing: [Int] = []
    /// Parts that are fixed to values.
    var fixedCount = 0
    /// What the last of the narrowing parts, a cell, lies in or near.
    private var circle: Circle?

    init(index: IndexNumber, fixedCount: Int = 0) {
        self.index = index
        self.fixedCount = fixedCount
    }

    /// Whether the record of an entry that was found in `interval` may meet the conditions, as far as its key can tell.
    func mayPass(_ entry: IndexEntry, in interval: KeyInterval) -> Bool {
        guard let circle, let cell = entry.key.dropFirst(interval.lower.count - KeyPart.cellLength).partNumber() else {
            return true
        }
        return circle.mayHold(cell: cell)
    }

    /// Goes on by another part behind parts that are all fixed; false when that makes too many intervals.
    fileprivate mutating func narrow(_ option: PartOption, intervalsMax: Int) -> Bool {
        guard intervals.count * option.intervals.count <= intervalsMax else { return false }
        intervals = intervals.flatMap { interval in option.intervals.map { interval.joined($0) } }
        narrowing.append(option.condition)
        if option.isCovering { covered.append(option.condition) }
        circle = option.circle
        return true
    }
}

/// Finds what indexes can do for a query.
struct AccessPlanner {
    /// Most ranges that are walked side by side, but a few for each zone in any case.
    static let rangesMax = 256
    private static let rangesOfZone = 4
    /// Of many words that must all be there, so many are tried for which is rarest.
    private static let choicesMax = 8

    let conditions: [PreparedCondition]
    let orders: [QueryOrder]
    let zones: Int

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
    }

    private var intervalsMax: Int { max(Self.rangesOfZone, Self.rangesMax / max(1, zones)) }

    /// The order parts that an index must have to be walked in the order of the query.
    var orderParts: [IndexShape.Part] {
        orders.map { .order($0.field, isDescending: $0.origin == nil && $0.isDescending) }
    }

    /// A walk in the order of the query; nil where the index has another order or fixes what the query does not.
    func ordered(_ index: IndexRow) -> Access? {
        let fixed = index.shape.fixedParts
        guard index.shape.orderParts.elementsEqual(orderParts) else { return nil }
        var access = Access(index: index.number, fixedCount: fixed.count)
        for part in fixed {
            let options = PartOption.options(of: part, conditions, limit: KeyPart.fixedLimit)
            guard let option = options.first, option.isFixed, access.narrow(option, intervalsMax: intervalsMax)
            else { return nil }
        }
        for index in access.intervals.indices { access.intervals[index].offset = access.intervals[index].lower.count }
        if orders.allSatisfy({ $0.origin == nil }) { bound(&access) }
        return access
    }

    /// Narrows a walk by what is asked of the first key of the order.
    private func bound(_ access: inout Access) {
        let limit = KeyPart.orderLimit(keys: orders.count)
        guard let first = orderParts.first,
            var option = PartOption.options(of: first, conditions, limit: limit).first
        else { return }
        if access.narrow(option, intervalsMax: intervalsMax) { return }
        option.intervals = PartInterval.hull(option.intervals)
        _ = access.narrow(option, intervalsMax: access.intervals.count)
    }

    /// Ways to find all records of the query without an order, those first that use most conditions. Of indexes that
    /// use the same ones, one is enough.
    func unordered(_ indexes: [IndexRow]) -> [Access] {
        var ways: [Access] = []
        var seen: Set<[Int]> = []
        for index in indexes {
            for (choice, way) in unordered(index).enumerated() where seen.insert(way.narrowing + [choice]).inserted {
                ways.append(way)
            }
        }
        return ways.sorted { $0.narrowing.count > $1.narrowing.count }
    }

    /// Words and members that must all be there each make a way of their own.
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
            // Records without the value are not in the index, and may be meant.
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

    /// Whether a record may have several entries by it.
    var hasSeveral: Bool {
        switch self {
        case .member, .token: true
        case .value, .cell, .order: false
        }
    }
}
