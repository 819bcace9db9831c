import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension Content {
    /// `GET /nephos/1/CONTAINER/ENVIRONMENT/content/{type}/pick`: some of what who asks may have, by chance (docs/content.md, "Picking").
    static func picking(_ memory: PickMemory) -> Endpoint {
        var endpoint = Endpoint("content/{type}/pick", at: .container, methods: [.get]) { call in
            let question = try ContentQuestion(call, usual: 1, most: ContentQuestion.picksMax)
            let round = try question.after.map { text throws(Refusal) in
                guard let round = PickRound(text) else {
                    throw .badRequest("after is what an answer of this address has said; leave it out to begin")
                }
                return round
            }
            return try ContentCall(call, question).choosing(memory) { _, choice, answer in
                let seed = question.seed.map { PickSeed($0) } ?? PickSeed(call.chance.seed)
                return Picking(answer, choice, seed, round).work
            }
        }
        endpoint.takesFacts = true
        return endpoint
    }
}

/// A request on its way from places to records.
struct Picking: Sendable {
    /// Records that are drawn again where one is not what it was sorted as.
    private static let attemptsMax = 32
    /// Where there are hardly more than are asked for, all are looked at.
    private static let fewMax: Int64 = 32
    /// Places that a round passes over in one request.
    private static let stepsMax = 20_000

    private enum Source: Sendable {
        /// All there are, in an order by weight.
        case all
        case draw(PickDraw)
        case round(PickRound)
    }

    private var answer: ContentAnswer
    private let choice: PickChoice
    private let seed: PickSeed
    private var source: Source
    private var attempts = 0
    private var steps = stepsMax
    /// Where the records of the answer stood.
    private var shown: [PickPlace] = []

    init(_ answer: ContentAnswer, _ choice: PickChoice, _ seed: PickSeed, _ round: PickRound?) {
        (self.answer, self.choice, self.seed) = (answer, choice, seed)
        if let round {
            source = .round(round)
        } else if choice.eligible <= max(Self.fewMax, 2 * Int64(answer.request.question.count)) {
            source = .all
        } else {
            source = .draw(PickDraw(seed, choice.buckets))
        }
    }

    var work: Work {
        guard choice.eligible > 0 else { return finished }
        var next = self
        let candidates = next.candidates()
        guard !candidates.isEmpty else { return finished }
        let scan = PickItemRow.at(Array(Set(candidates.map(\.place))), of: answer.request.type.row.number)
        var set = ReadSet()
        set.ask(scan)
        return answer.request.call.carryOut(set) { [next] reading in
            let items = Dictionary(reading[scan].map { ($0.place, $0) }) { first, _ in first }
            return next.records(of: next.accepted(candidates, items))
        }
    }

    /// Places to look at.
    private mutating func candidates() -> [PickCandidate] {
        attempts += 1
        switch source {
        case .all:
            guard attempts == 1 else { return [] }
            return choice.buckets.flatMap { bucket in
                (0..<bucket.count).map { PickCandidate(place: bucket.place($0)) }
            }
        case .draw(var draw):
            guard attempts <= Self.attemptsMax else { return [] }
            defer { source = .draw(draw) }
            // A class takes at least half of what is drawn.
            return (0..<2 * answer.missing + 2).compactMap { _ in draw.next() }
        case .round(var round):
            guard attempts <= Self.attemptsMax else { return [] }
            defer { source = .round(round) }
            return (0..<answer.missing).compactMap { _ in
                round.next(choice, steps: &steps).map { PickCandidate(place: $0) }
            }
        }
    }

    private func accepted(_ candidates: [PickCandidate], _ items: [PickPlace: PickItemRow]) -> [PickItemRow] {
        if case .all = source { return PickDraw.order(Array(items.values), seed) }
        var seen: Set<Name> = []
        return candidates.compactMap { candidate in
            guard let item = items[candidate.place], candidate.accepts(item), !answer.has(item.name),
                seen.insert(item.name).inserted
            else { return nil }
            return item
        }
    }

    /// Takes the records of items, as many as are missing, and goes on until there are enough.
    private func records(of items: [PickItemRow]) -> Work {
        let taken = items.prefix(answer.missing)
        guard !taken.isEmpty else { return work }
        var set = ReadSet()
        set.records = taken.map { ContentAnswer.key($0.name) }
        set.recordByteLimit = answer.request.call.context.limits.pageBytesMax
        return answer.request.call.carryOut(set) { reading in
            var next = self
            for (item, found) in zip(taken, reading.records) where next.answer.take(found) {
                next.shown.append(item.place)
            }
            if next.answer.isFull { return next.finished }
            let rest = items.dropFirst(taken.count)
            return rest.isEmpty ? next.work : next.records(of: Array(rest))
        }
    }

    private var finished: Work {
        guard choice.eligible > 0 else { return .answer(answer.response(after: nil)) }
        let round =
            if case .round(let round) = source { round } else { PickRound(seed, choice, shown: shown) }
        return .answer(answer.response(after: round.text))
    }
}
