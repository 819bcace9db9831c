import NephosStorage

/// Adjacent parts of keys.
struct PartInterval {
    var lower: [UInt8]
    /// Exclusive; nil for no end.
    var upper: [UInt8]?
    /// A single part, so that what follows it in the key is in order.
    var isPoint = false
    /// Records found here match the condition without a comparison.
    var isExact = true

    /// All parts with this prefix.
    init(beginning: [UInt8], isPoint: Bool, isExact: Bool = true) {
        lower = beginning
        upper = beginning.successor
        self.isPoint = isPoint
        self.isExact = isExact
    }

    init(lower: [UInt8], upper: [UInt8]?, isExact: Bool = true) {
        self.lower = lower
        self.upper = upper
        self.isExact = isExact
    }

    /// Every value that is present.
    static let present = PartInterval(beginning: [KeyPart.present], isPoint: false)
    /// Records with too many members or words.
    static let overflow = PartInterval(beginning: [KeyPart.overflow], isPoint: true, isExact: false)

    static func value(_ value: QueryValue, isDescending: Bool = false, limit: Int) -> PartInterval {
        var part: [UInt8] = []
        let isWhole = part.appendPart(value, isDescending: isDescending, limit: limit)
        return PartInterval(beginning: part, isPoint: true, isExact: isWhole)
    }

    /// Ascending, distinct: values that were cut may be equal.
    static func values(_ values: [QueryValue], isDescending: Bool = false, limit: Int) -> [PartInterval] {
        var intervals = values.map { value($0, isDescending: isDescending, limit: limit) }
        if intervals.count < 2 { return intervals }
        intervals.sort { compareKeys($0.lower[...], $1.lower[...]) < 0 }
        var last: [UInt8] = []
        intervals.removeAll { interval in
            defer { last = interval.lower }
            return interval.lower == last
        }
        return intervals
    }

    static func beginning(_ bytes: Bytes, isDescending: Bool = false, limit: Int) -> PartInterval {
        var part: [UInt8] = []
        let isWhole = part.appendBeginning(bytes, isDescending: isDescending, limit: limit)
        return PartInterval(beginning: part, isPoint: false, isExact: isWhole)
    }

    static func range(
        _ lower: QueryCondition.Bound?, _ upper: QueryCondition.Bound?, isDescending: Bool = false, limit: Int
    ) -> PartInterval {
        var interval = present
        // In a descending part, the upper bound of the values is the lower bound of the keys.
        if let first = isDescending ? upper : lower {
            let part = value(first.value, isDescending: isDescending, limit: limit)
            interval.isExact = part.isExact
            interval.lower = first.isIncluded || !part.isExact ? part.lower : part.upper ?? part.lower
        }
        if let last = isDescending ? lower : upper {
            let part = value(last.value, isDescending: isDescending, limit: limit)
            interval.isExact = interval.isExact && part.isExact
            interval.upper = last.isIncluded || !part.isExact ? part.upper : part.lower
        }
        return interval
    }

    static func cells(_ circle: Circle) -> [PartInterval] {
        CellCover.ranges(circle).map { range in
            var lower: [UInt8] = []
            lower.appendPart(cell: range.lowerBound)
            var last: [UInt8] = []
            last.appendPart(cell: range.upperBound)
            return PartInterval(lower: lower, upper: last.successor)
        }
    }

    /// One interval around ascending ones.
    static func hull(_ intervals: [PartInterval]) -> [PartInterval] {
        guard let first = intervals.first, let last = intervals.last else { return [] }
        return [PartInterval(lower: first.lower, upper: last.upper, isExact: false)]
    }
}
