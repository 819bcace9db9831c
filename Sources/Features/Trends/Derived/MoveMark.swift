import CloudKitWire
import NephosDomain
import NephosStorage

/// What is new for somebody, and that they have seen it.
struct MoveMark: Sendable {
    struct Look: Sendable {
        let figures: DerivedTrends.Figures
        /// What was seen the last time; nil for never.
        let mark: TrendMarkRow?
    }

    let derived: DerivedTrends
    let catalog: Catalog
    let viewer: String
    let now: Milliseconds
    /// The mark moves; else it stays where it was.
    var isMoved = true

    var reading: ReadSet {
        var set = derived.reading(catalog)
        // Whoever moves marks waits for others who do.
        set.ask(TrendMarkRow.all)
        return set
    }

    func look(_ reading: Reading) throws -> Look {
        Look(
            figures: try derived.figures(reading, now: now),
            mark: reading[TrendMarkRow.all].first { $0.viewer == viewer })
    }

    /// Answers what was new up to now.
    ///
    /// - Throws: ``Refusal/limitExceeded(_:)`` for too many viewers.
    func decide(_ reading: Reading) throws -> Decision<Look> {
        let look = try look(reading)
        guard isMoved else { return .write(WriteSet(), look) }
        guard look.mark != nil || reading[TrendMarkRow.all].count < TrendMarkRow.most else {
            throw Refusal.limitExceeded(
                "there are marks of \(TrendMarkRow.most) viewers: POST viewer=NAME&forget=1 for one who does not look any more"
            )
        }
        var writes = WriteSet()
        writes.put(TrendMarkRow(viewer, at: now, look.figures.figures), replacing: look.mark)
        return .write(writes, look)
    }
}
