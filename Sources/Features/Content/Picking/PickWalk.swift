import NephosStorage

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
