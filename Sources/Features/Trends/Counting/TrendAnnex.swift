import NephosDomain
import NephosStorage

/// What was created and deleted in a database since the last fold, as stored in the annex of its head: by type and quarter of an
/// hour.
///
/// One byte for the version, then entries of 20 bytes, each five little-endian numbers of 4 bytes: the number of the type, the
/// quarter since 1970, created, deleted, restored. Entries have a fixed size and are changed in place, which keeps the cost of a
/// save low.
struct TrendAnnex {
    /// The counts of one type in one quarter.
    struct Entry: Equatable {
        var type: TypeNumber
        var quarter: Int64
        var counts: TrendCounts
    }

    private static let version: UInt8 = 1
    private static let entryBytes = 20
    /// The number of entries that fit into an annex; further ones are stored as rows.
    static let entriesMax = (HeadAnnex.bytesMax - 1) / entryBytes

    private(set) var bytes: [UInt8]

    /// - Parameter bytes: As stored; empty for a database in which nothing has been counted yet.
    init(_ bytes: [UInt8]) { (self.bytes, isNothing) = (bytes.isEmpty ? [Self.version] : bytes, bytes.isEmpty) }

    /// Nothing was counted.
    var isEmpty: Bool { bytes.count <= 1 }
    /// There was no annex at all, so no scan finds the head because of it.
    let isNothing: Bool

    /// Counts some records. - Returns: false, with nothing changed, if there is no room.
    mutating func add(_ tally: RecordTally) -> Bool {
        let quarter = Self.quarter(of: tally.at)
        let type = UInt32(bitPattern: tally.type)
        let place = find(type, quarter)
        if place == bytes.count {
            guard bytes.count + Self.entryBytes <= HeadAnnex.bytesMax else { return false }
            bytes += [UInt8](repeating: 0, count: Self.entryBytes)
            put(type, at: place)
            put(quarter, at: place + 4)
        }
        let at = place + 8 + 4 * tally.event.place
        let (sum, isTooMuch) = number(at: at).addingReportingOverflow(UInt32(clamping: tally.count))
        guard !isTooMuch, UInt32(exactly: tally.count) != nil else { return false }
        put(sum, at: at)
        return true
    }

    /// Adds an entry of another annex, which had room for it.
    mutating func add(_ entry: Entry) {
        let start = bytes.count
        bytes += [UInt8](repeating: 0, count: Self.entryBytes)
        let counts = [entry.counts.created, entry.counts.deleted, entry.counts.restored]
        put(UInt32(bitPattern: entry.type), at: start)
        put(UInt32(truncatingIfNeeded: entry.quarter), at: start + 4)
        for (place, count) in counts.enumerated() {
            put(UInt32(truncatingIfNeeded: count), at: start + 8 + 4 * place)
        }
    }

    /// All entries, in no particular order.
    var entries: [Entry] {
        stride(from: 1, to: bytes.count - Self.entryBytes + 1, by: Self.entryBytes).map { at in
            Entry(
                type: TypeNumber(bitPattern: number(at: at)), quarter: Int64(number(at: at + 4)),
                counts: TrendCounts(
                    created: Int64(number(at: at + 8)), deleted: Int64(number(at: at + 12)),
                    restored: Int64(number(at: at + 16))))
        }
    }

    private static func quarter(of time: Milliseconds) -> UInt32 { UInt32(clamping: max(0, time) / Trends.quarter) }

    /// The position of an entry, or the end.
    private func find(_ type: UInt32, _ quarter: UInt32) -> Int {
        // A linear search: what is counted now was usually counted a moment ago.
        var at = 1
        while at + Self.entryBytes <= bytes.count {
            if number(at: at) == type, number(at: at + 4) == quarter { return at }
            at += Self.entryBytes
        }
        return bytes.count
    }

    private func number(at place: Int) -> UInt32 {
        UInt32(bytes[place]) | UInt32(bytes[place + 1]) << 8 | UInt32(bytes[place + 2]) << 16
            | UInt32(bytes[place + 3]) << 24
    }

    private mutating func put(_ number: UInt32, at place: Int) {
        for byte in 0..<4 { bytes[place + byte] = UInt8(truncatingIfNeeded: number >> (8 * UInt32(byte))) }
    }
}

extension RecordTally.Event {
    fileprivate var place: Int {
        switch self {
        case .created: 0
        case .deleted: 1
        case .restored: 2
        }
    }
}
