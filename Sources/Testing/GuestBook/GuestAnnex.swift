import NephosStorage

/// Recent additions and removals by day: counted in the head of its database by the save itself, and folded into rows later.
struct GuestAnnex {
    struct Day: Equatable {
        var day: Int64
        var signed: Int64 = 0
        var removed: Int64 = 0
    }

    private static let dayBytes = 24
    private static let daysMax = HeadAnnex.bytesMax / dayBytes

    /// In order.
    private(set) var days: [Day] = []

    init(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { bytes in
            func number(_ place: Int) -> Int64 {
                Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: Int64.self))
            }
            days = stride(from: 0, to: bytes.count - bytes.count % Self.dayBytes, by: Self.dayBytes).map { place in
                Day(day: number(place), signed: number(place + 8), removed: number(place + 16))
            }
        }
    }

    var bytes: [UInt8] {
        days.flatMap { [$0.day, $0.signed, $0.removed] }.flatMap { number in
            withUnsafeBytes(of: number.littleEndian) { Array($0) }
        }
    }

    /// Counts a change at a time. If there is no room for another day until folding, it counts for the last day.
    mutating func count(signed: Int64 = 0, removed: Int64 = 0, at time: Milliseconds) {
        let today = time / 86_400_000
        let place: Int
        if let last = days.indices.last, days[last].day == today || days.count == Self.daysMax {
            place = last
        } else {
            days.append(Day(day: today))
            place = days.count - 1
        }
        days[place].signed += signed
        days[place].removed += removed
    }
}
