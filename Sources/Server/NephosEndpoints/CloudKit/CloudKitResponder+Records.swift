import CloudKitWire
import NephosDomain
import NephosStorage

extension CloudKitResponder {
    /// Reads the body as the endpoint's request, and carries it out.
    func perform(_ step: Step) throws -> Work {
        // Who may not ask is told so before the body is looked at.
        try step.context.requireCaller(writing: step.call.endpoint.needsUser)
        let body = step.call.request.body[...]
        switch step.call.endpoint {
        case .recordsModify: return try modify(step, RecordsModifyRequest(json: body))
        case .recordsLookup: return try lookup(step, RecordsLookupRequest(json: body))
        case .recordsQuery: return try query(step, RecordsQueryRequest(json: body))
        case .recordsChanges: return try changes(step, RecordsChangesRequest(json: body))
        case .changesZone: return try changes(step, ZoneChangesRequest(json: body))
        case .changesDatabase, .zonesChanges: return try changes(step, DatabaseChangesRequest(json: body))
        case .zonesList: return try listZones(step)
        case .zonesLookup: return try lookup(step, ZonesLookupRequest(json: body))
        case .zonesModify: return try modify(step, ZonesModifyRequest(json: body))
        case .subscriptionsList: return try listSubscriptions(step)
        case .subscriptionsLookup: return try lookup(step, SubscriptionsLookupRequest(json: body))
        case .subscriptionsModify: return try modify(step, SubscriptionsModifyRequest(json: body))
        case .tokensCreate, .tokensRegister: return try register(step, PushTokenRequest(json: body))
        case .assetsUpload: return try upload(step, AssetsUploadRequest(json: body))
        case .assetsRereference: return try rereference(step, AssetsRereferenceRequest(json: body))
        case .usersCaller, .usersCurrent: return try currentUser(step)
        // Answered before anybody was asked who he is.
        case .courier: throw Refusal.failed
        }
    }

    private func lookup(_ step: Step, _ request: RecordsLookupRequest) throws -> Work {
        let operation = try LookupRecords(request, context: step.context)
        return read(step, operation.reading) { reading in
            let answer = try operation.answer(reading)
            var writer = AnswerWriter(reserving: 1024 * answer.items.count, step)
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
            step.writeSyncToken(answer.feedEnd, to: &writer)
            writer.json.endObject()
            return writer.bytes
        }
    }

    private func modify(_ step: Step, _ request: RecordsModifyRequest) throws -> Work {
        let operation = try ModifyRecords(request, context: step.context) { Name(RequestID.next().text) }
        return commit(step, operation.reading, decide: operation.decide) { answer in
            var writer = AnswerWriter(reserving: 1024 * answer.items.count, step)
            writer.json.beginObject()
            writer.array("records") { writer in
                for (operation, item) in zip(request.operations, answer.items) {
                    step.write(item.outcome, of: item.name, operation, request, to: &writer)
                }
            }
            step.writeSyncToken(answer.feedEnd, to: &writer)
            writer.json.endObject()
            return writer.bytes
        }
    }

    /// `users/caller` answers the identity itself and an array of it; `users/current`, deprecated, the old form.
    private func currentUser(_ step: Step) throws -> Work {
        let user = try step.context.currentUser(allowsKeys: step.call.endpoint == .usersCaller)
        let identity = UserIdentity(userRecordName: user)
        return read(step, ReadSet()) { _ in
            var json = JSONWriter()
            guard step.call.endpoint == .usersCaller else {
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

extension CloudKitResponder.Step {
    /// With `getCurrentSyncToken=true`, answers about records say where the zone's feed stands.
    func writeSyncToken(_ end: ZoneToken?, to writer: inout AnswerWriter) {
        if call.query.wantsSyncToken, let end { writer.json.member("syncToken", context.sealed(end)) }
    }

    fileprivate func write(
        _ outcome: ModifyRecords.Outcome, of name: Name?, _ operation: RecordOperation,
        _ request: RecordsModifyRequest, to writer: inout AnswerWriter
    ) {
        switch outcome {
        case .deleted(let name): writer.deleted(name)
        case .saved(let record, let zone):
            let style = RecordStyle(
                desiredKeys: operation.desiredKeys ?? request.desiredKeys,
                numbersAsStrings: operation.numbersAsStrings ?? request.numbersAsStrings)
            writer.record(record, zone, style)
        case .refused(let refusal): writer.refused(refusal, name)
        }
    }
}
