import NephosQueries
import NephosStorage

/// Index entries that were fetched before a query needs them. A query reads each range in small steps, and many ranges in
/// parallel; a step that is available here costs no round trip.
struct EntriesAhead {
    /// A range that is being read.
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
        /// There are no more rows after these.
        let isComplete: Bool
        /// The number of rows that were taken, and the position after them.
        var taken = 0
        var lower: Bytes
        var afterRecord: RecordNumber?
    }

    private var answers: [Line: Answer] = [:]

    /// Keeps the first entries of a range, at most `limit`, in each of the given zones until they are taken.
    mutating func keep(_ rows: ArraySlice<Rows>, of range: EntryRange, zones: [ZoneNumber], limit: Int) {
        if answers.count + zones.count > answersMax { answers.removeAll() }
        for (zone, rows) in zip(zones, rows) {
            answers[Line(range.moved(to: zone))] = Answer(
                rows: rows, isComplete: rows.count < limit, lower: range.lower, afterRecord: range.afterRecord)
        }
    }

    /// Appends the first entries of a range, at most `limit`.
    ///
    /// - Returns: False if they are not available here.
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

/// Maximum number of results that are kept.
private let answersMax = 1_024

extension EntryRange {
    /// The same range in another zone.
    func moved(to zone: ZoneNumber) -> EntryRange {
        var range = self
        range.zone = zone
        return range
    }
}
