import NephosStorage

/// Counts per quarter of an hour, added up by period: fast if they arrive in order, as those of a year of many types do.
struct PeriodSums {
    private(set) var counts: [TrendCounts]
    /// The net change after the last period.
    private(set) var after: Int64 = 0
    /// The quarters in which periods begin, and the end of the last: at least one.
    private let limits: [Int64]
    /// The period of the last addition: -1 before the first, and the number of periods after the last.
    private var place = -1

    init(_ limits: [Int64]) {
        self.limits = limits
        counts = Array(repeating: TrendCounts(), count: max(0, limits.count - 1))
    }

    mutating func add(_ more: TrendCounts, _ quarter: Int64) {
        move(to: quarter)
        if place == counts.count {
            after += more.net
        } else if place >= 0 {
            counts[place] += more
        }
    }

    private mutating func move(to quarter: Int64) {
        while quarter < lowest { place -= 1 }
        while quarter >= highest { place += 1 }
    }

    /// Where the period at ``place`` begins and ends.
    private var lowest: Int64 { place < 0 ? .min : limits[place] }
    private var highest: Int64 { place == counts.count ? .max : limits[place + 1] }

    /// - Throws: ``NephosStorage/StorageError/corrupt(_:)`` for bytes that are not valid counts.
    mutating func add(_ row: TrendMonthRow) throws(StorageError) {
        let start = TrendMonth.start(of: row.month)
        var reader = row.reader
        while !reader.isAtEnd {
            if !row.hasMoved, start < limits[limits.count - 1] { addSmall(row.counts, &reader, start) }
            guard let (quarter, more) = try reader.next() else { return }
            add(more, start + quarter)
        }
    }

    /// A fast path without a call per number, as long as all numbers have one byte, which most have, and are in requested
    /// periods.
    private mutating func addSmall(_ bytes: [UInt8], _ reader: inout MonthReader, _ start: Int64) {
        let (end, last, periods) = (bytes.count - 4, start + TrendMonth.quartersMax, counts.count)
        guard periods > 0 else { return }
        var (at, quarter) = reader.position
        quarter += start
        var place = max(0, min(place, periods - 1))
        bytes.withUnsafeBufferPointer { bytes in
            limits.withUnsafeBufferPointer { limits in
                counts.withUnsafeMutableBufferPointer { counts in
                    while at <= end {
                        let (step, created, deleted, restored) = (
                            bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]
                        )
                        let next = quarter + Int64(step)
                        guard step | created | deleted | restored < 0x80, step > 0, next < last else { return }
                        while place + 1 < periods, next >= limits[place + 1] { place += 1 }
                        guard next >= limits[place], next < limits[place + 1] else { return }
                        quarter = next
                        at += 4
                        counts[place].created += Int64(created)
                        counts[place].deleted += Int64(deleted)
                        counts[place].restored += Int64(restored)
                    }
                }
            }
        }
        self.place = place
        reader.position = (at, quarter - start)
    }
}
