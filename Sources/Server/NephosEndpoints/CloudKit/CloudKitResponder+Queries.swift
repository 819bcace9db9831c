import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension CloudKitResponder {
    /// How long after a request came it may still go on when the indexes stand that it waited for. A connection waits
    /// no longer than 30 s for its answer.
    private static let waitMax: Milliseconds = 20_000
    /// When to ask again for what needs indexes of a large database.
    private static let buildingRetryAfter = 2

    func query(_ step: Step, _ request: RecordsQueryRequest) throws -> Work {
        let operation = try QueryRecords(request, context: step.context)
        let style = RecordStyle(desiredKeys: request.desiredKeys, numbersAsStrings: request.numbersAsStrings)
        return carryOut(step, operation.reading) { reading in
            let outcome = try operation.outcome(reading)
            let findings = try operation.findings(reading)
            let place = IndexKeeper.Place(tenant: step.call.path.tenant, database: operation.database)
            self.configuration.meter.looked(findings.work)
            self.indexes.note(findings.used, at: place, of: step.store, now: step.context.now)
            switch outcome {
            case .answered(let answer):
                let wished = try self.affordable(findings.wanted, at: place, step)
                self.indexes.wish(for: wished, at: place, of: step.store, now: step.context.now)
                return .answer(Answers.success(step.page(answer, style), step))
            case .needsIndexes where try self.affordable(findings.wanted, at: place, step) != findings.wanted:
                throw Self.noRoomForIndex
            case .needsIndexes(isSoon: true):
                return self.afterBuilding(findings.wanted, at: place, step)
            case .needsIndexes(isSoon: false):
                self.indexes.build(findings.wanted, at: place, of: step.store)
                throw Self.stillBuilding
            }
        }
    }

    /// Those of these indexes that the caller may have built. Nobody in particular may take the place of no index that is in
    /// use: an API token is in every copy of an app, and a few odd queries would have all others wait.
    private func affordable(
        _ wanted: [IndexShape], at place: IndexKeeper.Place, _ step: Step
    ) throws(StorageError) -> [IndexShape] {
        guard step.context.caller.user == nil, !wanted.isEmpty else { return wanted }
        var set = ReadSet()
        set.ask(IndexRow.all(of: place.database))
        return try step.store.read(set).indexes(of: place.database)
            .room(for: wanted, sparing: step.context.now - Self.useMax)
    }

    /// Uses are noted once an hour, and to the hour.
    private static let useMax: Milliseconds = 2 * 3_600_000

    private static var noRoomForIndex: Refusal {
        .tryAgainLater(
            "this query needs an index, and its type has \(indexesMax) that are in use: sign in, or ask later",
            seconds: 60)
    }

    private static var stillBuilding: Refusal {
        .tryAgainLater("the index for this query is being built", seconds: buildingRetryAfter)
    }

    /// The same request again, once the indexes stand.
    private func afterBuilding(_ wanted: [IndexShape], at place: IndexKeeper.Place, _ step: Step) -> Work {
        configuration.meter.waits()
        return .later { done in
            self.indexes.build(wanted, at: place, of: step.store) { result in
                switch result {
                case .success: done(.blocking { self.again(step) })
                case .failure(let error): done(self.answer(error, step.call, step.issuer))
                }
            }
        }
    }

    private func again(_ step: Step) -> Work {
        guard step.attempt < Runner.attemptsMax, WallClock.now() - step.call.request.arrivedAt < Self.waitMax else {
            return answer(Self.stillBuilding, step.call, step.issuer)
        }
        return run(step.call, step.store, attempt: step.attempt + 1)
    }
}

extension CloudKitResponder.Step {
    fileprivate func page(_ answer: QueryRecords.Answer, _ style: RecordStyle) -> [UInt8] {
        var writer = AnswerWriter(reserving: 1024 * answer.count, self)
        writer.json.beginObject()
        writer.array("records") { writer in
            answer.forEachRecord { record, zone in writer.record(record, zone, style) }
        }
        if let marker = answer.continuationMarker { writer.json.member("continuationMarker", marker) }
        writeSyncToken(answer.feedEnd, to: &writer)
        writer.json.endObject()
        return writer.bytes
    }
}
