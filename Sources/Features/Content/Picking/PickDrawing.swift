import CloudKitWire
import NephosStorage

/// How places are selected for a request: all of them if there are few; at random; or in a round without repeats.
struct PickDrawing: Sendable {
    /// How often places are drawn if records have changed since they were sorted.
    private static let attemptsMax = 32
    /// If there are not many more than requested, all are examined.
    private static let fewMax: Int64 = 32
    /// Places that a round may skip in one request.
    private static let stepsMax = 10_000

    private enum Source: Sendable {
        /// Ordered by weight.
        case all
        case draw(PickDraw)
        case round(PickWalk)
    }

    private let choice: PickChoice
    private let seed: PickSeed
    private var source: Source
    private var attempts = 0
    private var steps = stepsMax
    /// The state of the round before each place that it selected.
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

    /// The places to read next; empty if there are no more.
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
            // A class accepts at least half of the draws.
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

    /// The items at the places that are accepted, in order.
    ///
    /// - Parameters:
    ///   - rows: The items at the places.
    ///   - isTaken: Whether the response already has a record.
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

    /// The round with which the next request continues without repeats; nil if there are no records.
    ///
    /// - Parameters:
    ///   - shown: The places of the records in the response.
    ///   - left: The first selected place for which there was no room; nil if there was none.
    func round(after shown: [PickPlace], left: PickPlace?) -> PickRound? {
        guard choice.eligible > 0 else { return nil }
        if let left, let round = rounds[left] { return round }
        if case .round(let walk) = source { return walk.round }
        return PickRound(seed, choice, shown: shown)
    }
}

extension [PickCandidate] {
    /// The scan for the items at the places; nil for no places.
    func scan(of type: TypeNumber) -> Scan<PickItemRow>? {
        isEmpty ? nil : PickItemRow.at(Set(map(\.place)).sorted(), of: type)
    }
}
