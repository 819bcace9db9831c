import NephosStorage

/// Ranges of cells that together hold every place of a circle, and some around it.
enum CellCover {
    static let rangesMax = 16

    /// Ascending, not touching, at most ``rangesMax``; ends are cells of the last level.
    static func ranges(around place: Place, metres: Double) -> [ClosedRange<UInt64>] {
        var cells = [Cell.earth]
        var ranges = joined(cells)
        while let level = cells.first?.level, level < Cell.lastLevel {
            // Cells come in the order of their numbers, so their ranges do.
            let finer = cells.flatMap(\.children).filter { $0.box.distance(from: place) <= metres }
            let next = joined(finer)
            guard next.count <= rangesMax, finer.count <= 64 * rangesMax else { break }
            (cells, ranges) = (finer, next)
        }
        return ranges
    }

    private static func joined(_ cells: [Cell]) -> [ClosedRange<UInt64>] {
        var ranges: [ClosedRange<UInt64>] = []
        for cell in cells {
            if let previous = ranges.last, previous.upperBound &+ 1 == cell.first {
                ranges[ranges.count - 1] = previous.lowerBound...cell.last
            } else {
                ranges.append(cell.first...cell.last)
            }
        }
        return ranges
    }
}
