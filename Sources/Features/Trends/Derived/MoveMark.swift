import CloudKitWire
import NephosDomain
import NephosStorage

/// Returns what is new for a viewer, and records that they have seen it.
struct MoveMark: Sendable {
    struct Look: Sendable {
        let figures: DerivedTrends.Figures
        /// The previous mark; nil if there is none.
        let mark: TrendMarkRow?
    }

    let derived: DerivedTrends
    let catalog: Catalog
    let viewer: String
    let now: Milliseconds
    /// Whether the mark moves; otherwise it stays where it was.
    var isMoved = true

    var reading: ReadSet {
        var set = derived.reading(catalog)
        // Concurrent moves of marks wait for each other.
        set.ask(TrendMarkRow.all)
        return set
    }

    func look(_ reading: Reading) throws -> Look {
        Look(
            figures: try derived.figures(reading, now: now),
            mark: reading[TrendMarkRow.all].first { $0.viewer == viewer })
    }

    /// Returns what is new.
    ///
    /// - Throws: ``Refusal/limitExceeded(_:)`` for too many viewers.
    func decide(_ reading: Reading) throws -> Decision<Look> {
        let look = try look(reading)
        guard isMoved else { return .write(WriteSet(), look) }
        guard look.mark != nil || reading[TrendMarkRow.all].count < TrendMarkRow.most else {
            throw Refusal.limitExceeded(
                "there are already marks of \(TrendMarkRow.most) viewers: remove one with POST viewer=NAME&forget=1"
            )
        }
        var writes = WriteSet()
        writes.put(TrendMarkRow(viewer, at: now, look.figures.figures), replacing: look.mark)
        return .write(writes, look)
    }
}
