import CloudKitWire
import NephosStorage

/// Goes through all places of a choice in an order derived from a seed, each once. A client sends it back as `after`, so that
/// nothing is repeated until everything was shown.
///
/// It is exact while the choice is unchanged. If records were added or removed meanwhile, new ones are shown at the end of the
/// round, and a record that filled a gap may be repeated or skipped.
struct PickRound: Sendable, Equatable {
    /// The buckets that it includes; records of others are shown at the end of the round.
    private static let bucketsMax = 256
    /// Places that were shown before the round began: at most those of one response.
    private static let shownMax = ContentQuestion.picksMax

    let seed: UInt64
    private(set) var round: UInt64 = 0
    /// The position in the order.
    var position: Int64 = 0
    /// The buckets with their counts when the round began.
    private(set) var known: [PickChoice.Bucket]
    /// Numbers of places that were shown before the round began.
    private(set) var shown: [Int64]

    /// Begins after a random selection.
    ///
    /// - Parameter shown: The selected places.
    init(_ seed: PickSeed, _ choice: PickChoice, shown: [PickPlace]) {
        self.seed = seed.value
        known = Array(choice.buckets.prefix(Self.bucketsMax))
        self.shown = []
        self.shown = shown.compactMap(number).sorted()
    }

    private func number(_ place: PickPlace) -> Int64? {
        var first: Int64 = 0
        for bucket in known {
            if bucket.group == place.group, .open(bucket.weightClass) == place.state { return first + place.slot }
            first += bucket.count
        }
        return nil
    }

    /// Begins another round over all of a choice, in another order.
    mutating func begin(_ choice: PickChoice) {
        round &+= 1
        (position, shown) = (0, [])
        known = Array(choice.buckets.prefix(Self.bucketsMax))
    }

    /// A permutation of a range of numbers: a Feistel network over the next power of four, repeated until the result is in the
    /// range.
    static func permuted(_ number: Int64, of count: Int64, _ key: UInt64) -> Int64 {
        let half = UInt64(max(1, (Int64.bitWidth - (count - 1).leadingZeroBitCount + 1) / 2))
        let mask = (UInt64(1) << half) - 1
        var value = UInt64(number)
        repeat {
            var (left, right) = (value >> half, value & mask)
            for turn in UInt64(0)..<6 {
                (left, right) = (right, left ^ (PickSeed(key).bits(turn, right) & mask))
            }
            value = left << half | right
        } while value >= UInt64(count)
        return Int64(value)
    }

    // MARK: Bytes

    /// As a marker contains them.
    var bytes: [UInt8] {
        var writer = NumberWriter()
        writer.number(1)
        for number in [Int64(bitPattern: seed), Int64(bitPattern: round), position, Int64(known.count)] {
            writer.number(number)
        }
        for bucket in known {
            writer.number(bucket.group)
            writer.number(Int64(bucket.weightClass))
            writer.number(bucket.count)
        }
        for number in shown { writer.number(number) }
        return writer.bytes
    }

    /// - Returns: nil if the bytes are not valid.
    init?(_ bytes: [UInt8]) {
        var reader = NumberReader(bytes)
        guard reader.number() == 1, let seed = reader.number(), let round = reader.number(),
            let position = reader.number(), (0...Self.numberMax).contains(position), let count = reader.number(),
            (0...Int64(Self.bucketsMax)).contains(count)
        else { return nil }
        (self.seed, self.round, self.position) = (UInt64(bitPattern: seed), UInt64(bitPattern: round), position)
        (known, shown) = ([], [])
        for _ in 0..<count {
            guard let group = reader.number(), (0...Int64(PickGroupRow.most)).contains(group),
                let weightClass = reader.number(), (0...Int64(PickState.classMax)).contains(weightClass),
                let count = reader.number(), (1...Self.numberMax).contains(count)
            else { return nil }
            known.append(PickChoice.Bucket(group: group, weightClass: Int(weightClass), count: count))
        }
        while !reader.isAtEnd {
            guard shown.count < Self.shownMax, let number = reader.number(), (0...Self.numberMax).contains(number)
            else { return nil }
            shown.append(number)
        }
    }

    /// More than the maximum number of records of a type.
    private static let numberMax = Int64(1) << 40
}
