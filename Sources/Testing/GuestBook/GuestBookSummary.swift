import CloudKitWire
import NephosStorage

/// The number of signatures per day: rows and annex of one snapshot, so it is exact immediately.
struct GuestBookSummary: Sendable {
    /// Newest first.
    let days: [GuestAnnex.Day]

    private static let scan = GuestDayRow.newest(in: GuestBook.database, limit: 1_000)

    static var reading: ReadSet {
        var set = ReadSet()
        set.databases = [GuestBook.database]
        set.ask(scan)
        return set
    }

    init(_ reading: Reading) {
        var days: [Int64: GuestAnnex.Day] = [:]
        let counted = GuestAnnex(reading.databases[0]?.annex[GuestBook.name] ?? []).days
        let folded = reading[Self.scan].map { GuestAnnex.Day(day: $0.day, signed: $0.signed, removed: $0.removed) }
        for day in counted + folded {
            days[day.day, default: GuestAnnex.Day(day: day.day)].signed += day.signed
            days[day.day]?.removed += day.removed
        }
        self.days = days.values.sorted { $0.day > $1.day }
    }

    var signed: Int64 { days.reduce(0) { $0 + $1.signed } }
    var removed: Int64 { days.reduce(0) { $0 + $1.removed } }
    /// Unique to a state, because both numbers only increase.
    var version: String { "\(signed).\(removed)" }

    var json: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.member("signatures", signed - removed)
        json.member("signed", signed)
        json.member("removed", removed)
        json.endObject()
        return json.bytes
    }
}

extension GuestAnnex.Day {
    var date: String { String(ISO8601.text(day * 86_400_000).prefix(10)) }
}
