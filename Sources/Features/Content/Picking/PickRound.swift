import CloudKitWire
import NephosStorage

/// Goes through all places of a choice in an order that follows from a seed, each once: what a client carries as `after`, so that nothing comes
/// again until all was shown.
///
/// It is exact while the choice stays as it is. Where records came or went meanwhile, what came is shown at the end of the round, and a record that
/// filled a hole may come again or be left out.
struct PickRound: Sendable, Equatable {
    /// Bytes of its text.
    static let textMax = 8_192
    /// Buckets that it knows; records of others are shown at the end of the round.
    private static let bucketsMax = 256
    /// Places that were shown before the round began: those of one answer.
    private static let shownMax = ContentQuestion.picksMax

    fileprivate let seed: UInt64
    fileprivate private(set) var round: UInt64 = 0
    /// Of the order.
    fileprivate var position: Int64 = 0
    /// How many each had when the round began.
    fileprivate private(set) var known: [PickChoice.Bucket]
    /// Numbers of places that were shown before the round began.
    fileprivate private(set) var shown: [Int64]

    /// After a draw.
    ///
    /// - Parameter shown: What was drawn.
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

    /// All of a choice, once more, in another order.
    fileprivate mutating func begin(_ choice: PickChoice) {
        round &+= 1
        (position, shown) = (0, [])
        known = Array(choice.buckets.prefix(Self.bucketsMax))
    }

    /// A permutation of so many numbers: a Feistel network over the next power of four, walked until it leads back among them.
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

    // MARK: Text

    var text: String {
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
        return Base64.text(writer.bytes, .urlSafe)
    }

    /// - Returns: nil for what none of these is.
    init?(_ text: String) {
        guard text.utf8.count <= Self.textMax, let bytes = Base64.bytes(exactly: text, .urlSafe) else { return nil }
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

    /// More records than a type may have.
    private static let numberMax = Int64(1) << 40
}

/// A round on its way through a choice. A client brings the round: whatever it says, a step takes little.
struct PickWalk: Sendable {
    private struct Key: Hashable {
        let group: Int64
        let weightClass: Int
    }

    /// What a round is of, made ready.
    private struct Order {
        /// Of ``PickRound/known``: the numbers of their first places, and of the place after the last.
        var starts: [Int64] = [0]
        var shown: Set<Int64>
        /// Buckets that have more than when the round began, from which slot on, and how many these are with those before.
        var newer: [(bucket: PickChoice.Bucket, from: Int64, count: Int64)] = []

        init(_ round: PickRound, _ choice: PickChoice) {
            shown = Set(round.shown)
            var before: [Key: Int64] = [:]
            for bucket in round.known {
                starts.append(starts[starts.count - 1] + bucket.count)
                before[Key(group: bucket.group, weightClass: bucket.weightClass)] = bucket.count
            }
            for bucket in choice.buckets {
                let from = before[Key(group: bucket.group, weightClass: bucket.weightClass)] ?? 0
                if bucket.count > from {
                    newer.append((bucket, from, bucket.count - from + (newer.last?.count ?? 0)))
                }
            }
        }

        var count: Int64 { starts[starts.count - 1] }
    }

    private(set) var round: PickRound
    private let choice: PickChoice
    private let now: [Key: Int64]
    private var order: Order

    init(_ round: PickRound, _ choice: PickChoice) {
        (self.round, self.choice) = (round, choice)
        now = Dictionary(
            choice.buckets.map { (Key(group: $0.group, weightClass: $0.weightClass), $0.count) },
            uniquingKeysWith: { first, _ in first })
        order = Order(round, choice)
    }

    /// The next place that the choice has.
    ///
    /// - Parameter steps: How many places may be passed over; where none are left a new round begins.
    /// - Returns: nil where the choice has none.
    mutating func next(steps: inout Int) -> PickPlace? {
        // It may be at the end of a round of which little is left.
        for _ in 0..<2 {
            walk: while steps > 0 {
                steps -= 1
                switch step() {
                case .place(let place): return place
                case .passed: continue
                case .end: break walk
                }
            }
            round.begin(choice)
            order = Order(round, choice)
            // All of it is there.
            steps = max(steps, 1)
        }
        return nil
    }

    private enum Step {
        case place(PickPlace)
        /// It is not there any more, or was shown.
        case passed
        case end
    }

    private mutating func step() -> Step {
        let position = round.position
        guard position < order.count else {
            guard let place = newPlace(position - order.count) else { return .end }
            round.position += 1
            return .place(place)
        }
        round.position += 1
        let number = PickRound.permuted(position, of: order.count, PickSeed(round.seed).bits(round.round))
        guard !order.shown.contains(number) else { return .passed }
        let index = order.starts.partitioned { $0 > number } - 1
        let bucket = round.known[index]
        let slot = number - order.starts[index]
        let isThere = slot < now[Key(group: bucket.group, weightClass: bucket.weightClass)] ?? 0
        return isThere ? .place(bucket.place(slot)) : .passed
    }

    /// Of those that came since.
    private func newPlace(_ number: Int64) -> PickPlace? {
        let index = order.newer.partitioned { $0.count > number }
        guard index < order.newer.count else { return nil }
        let (bucket, from, _) = order.newer[index]
        return bucket.place(from + number - (index > 0 ? order.newer[index - 1].count : 0))
    }
}

extension Array {
    /// The first place from which on something is so of all elements.
    fileprivate func partitioned(_ isSo: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isSo(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
