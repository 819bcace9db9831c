import CloudKitWire
import NephosStorage

/// How places are found for one request: all there are, where there are few; by chance; or by a round without repeats.
struct PickDrawing: Sendable {
    /// How often places are drawn where records are not what they were sorted as.
    private static let attemptsMax = 32
    /// Where there are hardly more than are asked for, all are looked at.
    private static let fewMax: Int64 = 32
    /// Places that a round passes over in one request.
    private static let stepsMax = 10_000

    private enum Source: Sendable {
        /// In an order by weight.
        case all
        case draw(PickDraw)
        case round(PickWalk)
    }

    private let choice: PickChoice
    private let seed: PickSeed
    private var source: Source
    private var attempts = 0
    private var steps = stepsMax
    /// Where a round was before each place that it drew.
    private var rounds: [PickPlace: PickRound] = [:]

    init(_ choice: PickChoice, count: Int, _ seed: PickSeed, _ round: PickRound?) {
        (self.choice, self.seed) = (choice, seed)
        if let round {
            source = .round(PickWalk(round, choice))
        } else if choice.eligible <= max(Self.fewMax, 2 * Int64(count)) {
            source = .all
        } else {
            source = .draw(PickDraw(seed, choice.buckets))
        }
    }

    /// Places to look at next; none where there are no more.
    mutating func candidates(missing: Int) -> [PickCandidate] {
        attempts += 1
        guard choice.eligible > 0, attempts <= Self.attemptsMax else { return [] }
        switch source {
        case .all:
            guard attempts == 1 else { return [] }
            return choice.buckets.flatMap { bucket in
                (0..<bucket.count).map { PickCandidate(place: bucket.place($0)) }
            }
        case .draw(var draw):
            defer { source = .draw(draw) }
            // A class takes at least half of what is drawn.
            return (0..<2 * missing + 2).compactMap { _ in draw.next() }
        case .round(var walk):
            defer { source = .round(walk) }
            return (0..<missing).compactMap { _ in
                let before = walk.round
                guard let place = walk.next(steps: &steps) else { return nil }
                if rounds[place] == nil { rounds[place] = before }
                return PickCandidate(place: place)
            }
        }
    }

    /// Those of places that are taken, in the order in which they are.
    ///
    /// - Parameters:
    ///   - rows: What stands at the places.
    ///   - isTaken: Whether the answer has a record already.
    func accepted(
        _ candidates: [PickCandidate], _ rows: [PickItemRow], isTaken: (Name) -> Bool
    ) -> [PickItemRow] {
        if case .all = source { return PickDraw.order(rows, seed) }
        let items = Dictionary(rows.map { ($0.place, $0) }) { first, _ in first }
        var seen: Set<Name> = []
        return candidates.compactMap { candidate in
            guard let item = items[candidate.place], candidate.accepts(item), !isTaken(item.name),
                seen.insert(item.name).inserted
            else { return nil }
            return item
        }
    }

    /// From where nothing comes again; nil where there is nothing.
    ///
    /// - Parameters:
    ///   - shown: Where the records stand that are answered.
    ///   - left: Where one stands that was drawn and had no room, the first of those; nil where there is none.
    func round(after shown: [PickPlace], left: PickPlace?) -> PickRound? {
        guard choice.eligible > 0 else { return nil }
        if let left, let round = rounds[left] { return round }
        if case .round(let walk) = source { return walk.round }
        return PickRound(seed, choice, shown: shown)
    }
}

extension [PickCandidate] {
    /// What stands at them; nil for none.
    func scan(of type: TypeNumber) -> Scan<PickItemRow>? {
        isEmpty ? nil : PickItemRow.at(Set(map(\.place)).sorted(), of: type)
    }
}
