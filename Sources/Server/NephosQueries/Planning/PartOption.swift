import NephosStorage

/// The ranges of one index part that match a condition. If a condition has several options all of them are required, so each
/// alone finds all its records.
struct PartOption {
    /// The index of the condition.
    var condition: Int
    /// Ascending, without overlaps.
    var intervals: [PartInterval]
    /// Records found in exact intervals match the condition.
    var isCovering: Bool
    /// The circle of a cell part; the intervals cover it and some area around it.
    var circle: Circle?

    /// Whether what follows the part in the key is in order, interval by interval.
    var isFixed: Bool { intervals.allSatisfy(\.isPoint) }

    /// The options of a part, the best first: one value before a range.
    ///
    /// - Parameter limit: The maximum size of a string in the part.
    static func options(of part: IndexShape.Part, _ conditions: [PreparedCondition], limit: Int) -> [PartOption] {
        var options: [PartOption] = []
        for (index, condition) in conditions.enumerated() {
            options += Self.options(of: part, condition, index, limit)
        }
        return options.sorted { ($0.isFixed ? 0 : 1) < ($1.isFixed ? 0 : 1) }
    }

    private static func options(
        of part: IndexShape.Part, _ condition: PreparedCondition, _ index: Int, _ limit: Int
    ) -> [PartOption] {
        func option(_ intervals: [PartInterval], isCovering: Bool = true) -> [PartOption] {
            [PartOption(condition: index, intervals: intervals, isCovering: isCovering)]
        }
        func cells() -> [PartOption] {
            [
                PartOption(
                    condition: index, intervals: condition.cells, isCovering: false, circle: condition.circle)
            ]
        }
        switch (part, condition.test) {
        case (.value(let field), let test) where field == condition.field:
            return intervals(test, isDescending: false, limit).map { option($0) } ?? []
        case (.order(let field, let isDescending), .isNear) where field == condition.field:
            return isDescending ? [] : cells()
        case (.order(let field, let isDescending), let test) where field == condition.field:
            return intervals(test, isDescending: isDescending, limit).map { option($0) } ?? []
        case (.cell(let field), .isNear) where field == condition.field:
            return cells()
        case (.member(let field), .holdsAny(let values)) where field == condition.field:
            return option(PartInterval.values(values, limit: limit) + [.overflow])
        case (.member(let field), .holdsAll(let values)) where field == condition.field:
            return values.flatMap { option([.value($0, limit: limit), .overflow], isCovering: values.count == 1) }
        case (.member(let field), .memberBeginsWith(let beginning)) where field == condition.field:
            return option([.beginning(beginning, limit: limit), .overflow])
        case (.token(let fields), .hasTokens(let words, let all)) where Set(condition.fields).isSubset(of: fields):
            let isSame = Set(condition.fields) == Set(fields)
            if !all {
                return option(
                    PartInterval.values(words.map { .bytes($0) }, limit: limit) + [.overflow], isCovering: isSame)
            }
            // Long words are usually rare.
            return words.sorted { $0.count > $1.count }.flatMap {
                option([.value(.bytes($0), limit: limit), .overflow], isCovering: isSame && words.count == 1)
            }
        default: return []
        }
    }

    /// The ranges of matching values; nil for tests that no range answers.
    private static func intervals(
        _ test: QueryCondition.Test, isDescending: Bool, _ limit: Int
    ) -> [PartInterval]? {
        switch test {
        case .isAny(let values): PartInterval.values(values, isDescending: isDescending, limit: limit)
        case .isBetween(let lower, let upper): [.range(lower, upper, isDescending: isDescending, limit: limit)]
        case .beginsWith(let beginning): [.beginning(beginning, isDescending: isDescending, limit: limit)]
        default: nil
        }
    }
}
