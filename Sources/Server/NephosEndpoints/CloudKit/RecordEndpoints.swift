import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// `records/lookup`, `records/modify`, and the caller's identity.
enum RecordEndpoints {
    static let all = [
        Endpoint("records/lookup") { try lookup($0, RecordsLookupRequest(json: $0.body)) },
        Endpoint("records/modify", needsUser: true) {
            try modify($0, RecordsModifyRequest(json: $0.body, limits: $0.requestLimits))
        },
        // Users are looked up in the public database.
        Endpoint("users/caller", at: .database(.public), methods: [.get, .post]) { try currentUser($0, isOld: false) },
        Endpoint("users/current", at: .database(.public), methods: [.get, .post]) { try currentUser($0, isOld: true) },
    ]

    private static func lookup(_ call: AdmittedCall, _ request: RecordsLookupRequest) throws -> Work {
        let operation = try LookupRecords(request, context: call.context)
        return call.read(operation.reading) { reading in
            let answer = try operation.answer(reading)
            var writer = AnswerWriter(reserving: 1024 * answer.items.count, call)
            writer.json.beginObject()
            writer.array("records") { writer in
                for (asked, item) in zip(request.records, answer.items) {
                    switch item {
                    case .success(let record):
                        let style = RecordStyle(
                            desiredKeys: asked.desiredKeys ?? request.desiredKeys,
                            numbersAsStrings: request.numbersAsStrings)
                        writer.record(record, answer.zone, style)
                    case .failure(let refusal): writer.refused(refusal, asked.recordName)
                    }
                }
            }
            call.writeSyncToken(answer.feedEnd, to: &writer)
            writer.json.endObject()
            return writer.bytes
        }
    }

    /// Added to the reason of an operation that failed in a default zone where others were carried out, if the request has
    /// `atomic`.
    private static let notAtomic =
        "; atomic has no effect in the default zone: the operations that succeeded were carried out"

    private static func modify(_ call: AdmittedCall, _ request: RecordsModifyRequest) throws -> Work {
        let operation = try ModifyRecords(request, context: call.context) { call.newName() }
        return call.commit(operation.reading, decide: operation.decide) { answer in
            var writer = AnswerWriter(reserving: 1024 * answer.items.count, call)
            writer.json.beginObject()
            writer.array("records") { writer in
                for (place, (operation, item)) in zip(request.operations, answer.items).enumerated() {
                    let note = answer.notAtomic.contains(place) ? notAtomic : ""
                    call.write(item.outcome, of: item.name, operation, request, note: note, to: &writer)
                }
            }
            call.writeSyncToken(answer.feedEnd, to: &writer)
            writer.json.endObject()
            return writer.bytes
        }
    }

    /// `users/caller` returns the identity itself and an array of it; `users/current`, deprecated, the old form.
    private static func currentUser(_ call: AdmittedCall, isOld: Bool) throws -> Work {
        let user = try call.context.currentUser(allowsKeys: !isOld)
        let identity = UserIdentity(userRecordName: user)
        return call.read(ReadSet()) { _ in
            var json = JSONWriter()
            guard !isOld else {
                identity.writeUser(to: &json)
                return json.bytes
            }
            json.beginObject()
            identity.writeMembers(to: &json)
            json.key("users")
            json.beginArray()
            identity.write(to: &json)
            json.endArray()
            json.endObject()
            return json.bytes
        }
    }
}

extension AdmittedCall {
    /// With `getCurrentSyncToken=true`, answers about records contain the token of the zone's feed.
    func writeSyncToken(_ end: ZoneToken?, to writer: inout AnswerWriter) {
        if call.query.wantsSyncToken, let end { writer.json.member("syncToken", context.sealed(end)) }
    }

    fileprivate func write(
        _ outcome: ModifyRecords.Outcome, of name: Name?, _ operation: RecordOperation,
        _ request: RecordsModifyRequest, note: String, to writer: inout AnswerWriter
    ) {
        switch outcome {
        case .deleted(let name): writer.deleted(name)
        case .saved(let record, let zone):
            let style = RecordStyle(
                desiredKeys: operation.desiredKeys ?? request.desiredKeys,
                numbersAsStrings: operation.numbersAsStrings ?? request.numbersAsStrings)
            writer.record(record, zone, style)
        case .refused(let refusal): writer.refused(refusal, name, note: note)
        }
    }
}
