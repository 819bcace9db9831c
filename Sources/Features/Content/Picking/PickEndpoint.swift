import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension Content {
    /// `GET /nephos/1/CONTAINER/ENVIRONMENT/content/{type}/pick`: some of the records that the caller may have, at random
    /// (docs/content.md, "Picking").
    static func picking(_ cache: PickCache) -> Endpoint {
        var endpoint = Endpoint("content/{type}/pick", at: .container, methods: [.get]) { call in
            let question = try ContentQuestion(call, usual: 1, most: ContentQuestion.picksMax)
            let seed = question.seed.map { PickSeed($0) } ?? PickSeed(call.randomSource.seed)
            let request = try ContentCall(call, question)
            let round = try request.start(.pick) { PickRound($0) }
            return try request.choosing(
                cache,
                guess: { choice in
                    var draw = PickDrawing(choice, count: question.count, seed, round)
                    return draw.candidates(missing: question.count).scan(of: request.type.row.number)
                }
            ) { answer, reading in
                Picking(answer, PickDrawing(answer.choice, count: question.count, seed, round)).proceed(reading)
            }
        }
        endpoint.takesFacts = true
        return endpoint
    }
}

/// A request in progress, from places to records.
struct Picking: Sendable {
    private var answer: ContentAnswer
    private var drawing: PickDrawing
    /// The places of the records in the response.
    private var shown: [PickPlace] = []

    init(_ answer: ContentAnswer, _ drawing: PickDrawing) { (self.answer, self.drawing) = (answer, drawing) }

    /// Selects places and reads their items. - Parameter reading: An earlier read that may contain them.
    func proceed(_ reading: Reading? = nil) -> Work {
        var next = self
        let candidates = next.drawing.candidates(missing: answer.missing)
        guard let scan = candidates.scan(of: answer.request.type.row.number) else { return finished }
        if let rows = reading?.rows(of: scan) { return next.look(at: candidates, rows) }
        var set = ReadSet()
        set.ask(scan)
        return answer.request.call.carryOut(set) { [next] in next.look(at: candidates, $0[scan]) }
    }

    private func look(at candidates: [PickCandidate], _ rows: [PickItemRow]) -> Work {
        take(drawing.accepted(candidates, rows) { answer.has($0) })
    }

    /// Reads the records of items, as many as are missing, and continues until there are enough.
    private func take(_ items: [PickItemRow]) -> Work {
        let taken = items.prefix(answer.missing)
        guard let first = taken.first else { return proceed() }
        guard answer.bytesLeft > 0 else { return finished(without: first.place) }
        var set = ReadSet()
        set.records = taken.map { ContentAnswer.key($0.name) }
        set.recordByteLimit = answer.bytesLeft
        return answer.request.call.carryOut(set) { reading in
            var next = self
            for (item, found) in zip(taken, reading.records) {
                // This response has no room for it.
                if found.isBeyondLimit { return next.finished(without: item.place) }
                if next.answer.take(found) { next.shown.append(item.place) }
            }
            return next.answer.isFull ? next.finished : next.take(Array(items.dropFirst(taken.count)))
        }
    }

    private var finished: Work { finished(without: nil) }

    private func finished(without left: PickPlace?) -> Work {
        do throws(Refusal) {
            guard let round = drawing.round(after: shown, left: left) else {
                return .answer(answer.response(after: nil))
            }
            return .answer(answer.response(after: try answer.request.after(round.bytes, .pick)))
        } catch {
            return answer.request.call.failed(error)
        }
    }
}
