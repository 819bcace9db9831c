import NephosQueries
import NephosStorage

/// Entries of indexes that were fetched before a query asked for them. A query goes through each range in small steps,
/// and through many ranges side by side; a step that is here costs no round trip.
struct EntriesAhead {
    /// Where a range is walked.
    private struct Line: Hashable {
        let index: IndexNumber
        let zone: ZoneNumber
        let upper: Bytes?

        init(_ range: EntryRange) {
            index = range.index
            zone = range.zone
            upper = range.upper
        }
    }

    private struct Answer {
        let rows: Rows
        /// There is nothing behind the rows.
        let isComplete: Bool
        /// Rows that were taken, and where the walk stands behind them.
        var taken = 0
        var lower: Bytes
        var afterRecord: RecordNumber?
    }

    private var answers: [Line: Answer] = [:]

    /// Keeps the first entries of a range, at most `limit`, in each of some zones until they are asked for.
    mutating func keep(_ rows: ArraySlice<Rows>, of range: EntryRange, zones: [ZoneNumber], limit: Int) {
        if answers.count + zones.count > answersMax { answers.removeAll() }
        for (zone, rows) in zip(zones, rows) {
            answers[Line(range.moved(to: zone))] = Answer(
                rows: rows, isComplete: rows.count < limit, lower: range.lower, afterRecord: range.afterRecord)
        }
    }

    /// Appends the first entries of a range, at most `limit`.
    ///
    /// - Returns: False when they are not here.
    mutating func take(_ range: EntryRange, limit: Int, into entries: inout [IndexEntry]) -> Bool {
        let line = Line(range)
        guard var answer = answers[line], answer.lower == range.lower, answer.afterRecord == range.afterRecord else {
            return false
        }
        let left = answer.rows.count - answer.taken
        guard limit <= left || answer.isComplete else { return false }
        let part = answer.taken..<answer.taken + min(limit, left)
        EntryReader.read(answer.rows, part, into: &entries)
        if !part.isEmpty, let last = entries.last {
            answer.taken = part.upperBound
            answer.lower = last.key
            answer.afterRecord = last.record
        }
        answers[line] = answer
        return true
    }
}

/// Answers that are kept at a time.
private let answersMax = 1_024

extension EntryRange {
    /// The same range in another zone.
    func moved(to zone: ZoneNumber) -> EntryRange {
        var range = self
        range.zone = zone
        return range
    }
}
