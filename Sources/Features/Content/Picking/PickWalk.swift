import NephosStorage

/// A round in progress over a choice. The round comes from a client; whatever it contains, a step takes little time.
struct PickWalk: Sendable {
    private struct Key: Hashable {
        let group: Int64
        let weightClass: Int
    }

    /// A round, prepared for steps.
    private struct Order {
        /// For ``PickRound/known``: the numbers of their first places, and of the place after the last.
        var starts: [Int64] = [0]
        var shown: Set<Int64>
        /// Buckets that have grown since the round began, the slot at which the new places begin, and the cumulative number of
        /// new places.
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

    /// The next place in the choice.
    ///
    /// - Parameter steps: How many places may be skipped; at the end a new round begins.
    /// - Returns: nil if the choice is empty.
    mutating func next(steps: inout Int) -> PickPlace? {
        // The current round may be near its end.
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
            // A new round has no gaps.
            steps = max(steps, 1)
        }
        return nil
    }

    private enum Step {
        case place(PickPlace)
        /// The place no longer exists, or was shown.
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

    /// A place among those added since.
    private func newPlace(_ number: Int64) -> PickPlace? {
        let index = order.newer.partitioned { $0.count > number }
        guard index < order.newer.count else { return nil }
        let (bucket, from, _) = order.newer[index]
        return bucket.place(from + number - (index > 0 ? order.newer[index - 1].count : 0))
    }
}

extension Array {
    /// The first index from which a condition is true for all elements.
    fileprivate func partitioned(_ isSo: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isSo(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
