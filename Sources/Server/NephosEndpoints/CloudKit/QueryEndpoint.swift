import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// `records/query`, with the indexes that queries need.
struct QueryEndpoint: Sendable {
    let indexes: IndexKeeper
    /// Called with the cost of queries.
    let meter: QueryMeter

    var endpoint: Endpoint {
        Endpoint("records/query") { try answer($0, RecordsQueryRequest(json: $0.body)) }
    }

    /// How long after its arrival a request may still continue when the indexes that it waited for are built. A connection waits
    /// at most 30 s for its answer.
    private static let waitMax: Milliseconds = 20_000
    /// When to retry a query that needs indexes of a large database, in seconds.
    private static let buildingRetryAfter = 2

    private func answer(_ call: AdmittedCall, _ request: RecordsQueryRequest) throws -> Work {
        let operation = try QueryRecords(request, context: call.context)
        guard let roles = operation.rolesFirst else { return answer(call, request, operation) }
        return call.carryOut(roles) { reading in answer(call, request, try operation.seeing(reading)) }
    }

    private func answer(_ call: AdmittedCall, _ request: RecordsQueryRequest, _ operation: QueryRecords) -> Work {
        let style = RecordStyle(desiredKeys: request.desiredKeys, numbersAsStrings: request.numbersAsStrings)
        return call.carryOut(operation.reading) { reading in
            let outcome = try operation.outcome(reading)
            let findings = try operation.findings(reading)
            let place = IndexKeeper.Place(tenant: call.tenant, database: operation.database)
            meter.looked(findings.work)
            indexes.note(findings.used, at: place, of: call.store, now: call.context.now)
            switch outcome {
            case .answered(let answer):
                let wished = try affordable(findings.wanted, operation, at: place, call)
                indexes.requestIndexes(for: wished, at: place, of: call.store, now: call.context.now)
                return .answer(call.success(call.page(answer, style)))
            case .needsIndexes where try affordable(findings.wanted, operation, at: place, call) != findings.wanted:
                throw Self.noRoomForIndex(isAnonymous: call.context.caller.user == nil)
            case .needsIndexes(isSoon: true):
                return afterBuilding(findings.wanted, at: place, call)
            case .needsIndexes(isSoon: false):
                indexes.build(findings.wanted, at: place, of: call.store)
                throw Self.stillBuilding
            }
        }
    }

    /// The indexes that the caller may have built. An anonymous caller may not evict an index that is in use: an API token is in
    /// every copy of an app, and a few unusual queries would make all others wait. Neither may members of a share, whose queries use
    /// indexes of its owner.
    private func affordable(
        _ wanted: [IndexShape], _ operation: QueryRecords, at place: IndexKeeper.Place, _ call: AdmittedCall
    ) throws(StorageError) -> [IndexShape] {
        guard call.context.caller.user == nil || operation.isOfMember, !wanted.isEmpty else { return wanted }
        var set = ReadSet()
        set.ask(IndexRow.all(of: place.database))
        return try call.store.read(set).indexes(of: place.database)
            .room(for: wanted, sparing: call.context.now - Self.useMax)
    }

    /// Uses are noted once an hour, with hour precision.
    private static let useMax: Milliseconds = 2 * 3_600_000

    private static func noRoomForIndex(isAnonymous: Bool) -> Refusal {
        .tryAgainLater(
            "this query needs an index, but all \(indexesMax) indexes of its type are in use: \(isAnonymous ? "sign in, or " : "")try again later",
            seconds: 60)
    }

    private static var stillBuilding: Refusal {
        .tryAgainLater("the index for this query is being built: try again", seconds: buildingRetryAfter)
    }

    /// The same request again, after the indexes are built.
    private func afterBuilding(_ wanted: [IndexShape], at place: IndexKeeper.Place, _ call: AdmittedCall) -> Work {
        meter.waits()
        return .later { done in
            indexes.build(wanted, at: place, of: call.store) { result in
                switch result {
                case .success: done(.blocking { again(call) })
                case .failure(let error): done(call.refused(error))
                }
            }
        }
    }

    private func again(_ call: AdmittedCall) -> Work {
        guard call.age < Self.waitMax, let work = call.again() else {
            return call.refused(Self.stillBuilding)
        }
        return work
    }
}

extension AdmittedCall {
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
