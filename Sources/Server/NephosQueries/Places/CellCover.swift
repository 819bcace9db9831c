import NephosStorage

/// Ranges of cells that together cover every place of a circle, and some around it.
enum CellCover {
    static let rangesMax = 16

    /// Ascending, not adjacent, at most ``rangesMax``; ends are cells of the last level.
    static func ranges(_ circle: Circle) -> [ClosedRange<UInt64>] {
        var (cells, ranges) = ([Cell.earth], [Cell.earth.first...Cell.earth.last])
        while let level = cells.first?.level, level < Cell.lastLevel, let finer = finer(cells, circle) {
            (cells, ranges) = finer
        }
        return ranges
    }

    /// The same with cells of the next level; nil if those form too many ranges.
    private static func finer(_ cells: [Cell], _ circle: Circle) -> ([Cell], [ClosedRange<UInt64>])? {
        var finer: [Cell] = []
        var ranges: [ClosedRange<UInt64>] = []
        // Cells are in the order of their numbers, so their ranges are too.
        for cell in cells {
            for quarter in 0..<4 {
                let child = cell.child(quarter)
                guard circle.mayMeet(child.box) else { continue }
                if let previous = ranges.last, previous.upperBound &+ 1 == child.first {
                    ranges[ranges.count - 1] = previous.lowerBound...child.last
                } else {
                    ranges.append(child.first...child.last)
                }
                finer.append(child)
                guard ranges.count <= rangesMax, finer.count <= 64 * rangesMax else { return nil }
            }
        }
        return (finer, ranges)
    }
}
