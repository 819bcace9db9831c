import CloudKitWire
import NephosDomain
import NephosStorage

extension CloudKitResponder {
    func listZones(_ step: Step) throws -> Work {
        let operation = try ListZones(context: step.context)
        return read(step, operation.reading) { reading in
            step.object { writer in
                writer.array("zones") { writer in
                    for zone in operation.answer(reading) { writer.zone(zone) }
                }
            }
        }
    }

    func lookup(_ step: Step, _ request: ZonesLookupRequest) throws -> Work {
        let operation = try LookupZones(request, context: step.context)
        return read(step, operation.reading) { reading in
            step.object { writer in
                writer.array("zones") { writer in
                    for (asked, answer) in zip(request.zones, operation.answer(reading)) {
                        switch answer {
                        case .success(let zone): writer.zone(zone)
                        case .failure(let refusal): writer.refused(refusal, asked)
                        }
                    }
                }
            }
        }
    }

    func modify(_ step: Step, _ request: ZonesModifyRequest) throws -> Work {
        let operation = try ModifyZones(request, context: step.context)
        return commit(step, operation.reading, decide: operation.decide) { items in
            step.object { writer in
                writer.array("zones") { writer in
                    for (asked, item) in zip(request.operations, items) {
                        switch item {
                        case .exists(let zone): writer.zone(zone)
                        case .refused(let refusal): writer.refused(refusal, asked.zoneID)
                        case .deleted(let zone):
                            ZoneDictionary(zoneID: writer.zoneID(zone), deleted: true).write(to: &writer.json)
                        }
                    }
                }
            }
        }
    }

    /// `changes/database`, and the older `zones/changes` which calls the token `metaSyncToken`; both keys are answered
    /// there.
    func changes(_ step: Step, _ request: DatabaseChangesRequest) throws -> Work {
        let operation = try DatabaseChanges(request, context: step.context)
        return read(step, operation.reading) { reading in
            let answer = try operation.answer(reading)
            return step.object { writer in
                writer.array("zones") { writer in
                    for zone in answer.zones { step.write(zone, to: &writer) }
                }
                if step.call.endpoint == .zonesChanges { writer.json.member("metaSyncToken", answer.syncToken) }
                writer.json.member("syncToken", answer.syncToken)
                writer.json.member("moreComing", answer.moreComing)
            }
        }
    }

    func changes(_ step: Step, _ request: ZoneChangesRequest) throws -> Work {
        let operation = try ZoneChanges(request.zones, context: step.context)
        return read(step, operation.reading) { reading in
            step.object { writer in
                writer.array("zones") { writer in
                    for (asked, answer) in zip(request.zones, operation.answer(reading)) {
                        switch answer {
                        case .failure(let refusal): writer.refused(refusal, asked.zoneID)
                        case .success(let page):
                            writer.json.beginObject()
                            writer.json.member("zoneID", raw: writer.zoneID(page.zone))
                            step.write(page, asked, to: &writer)
                            writer.json.endObject()
                        }
                    }
                }
            }
        }
    }

    /// `records/changes`: one zone, its errors at top level.
    func changes(_ step: Step, _ request: RecordsChangesRequest) throws -> Work {
        let operation = try ZoneChanges([request.zone], context: step.context)
        return read(step, operation.reading) { reading in
            guard let page = try operation.answer(reading).first?.get() else { throw Refusal.failed }
            return step.object { writer in step.write(page, request.zone, to: &writer) }
        }
    }
}

extension CloudKitResponder.Step {
    /// One JSON object.
    func object(_ members: (inout AnswerWriter) -> Void) -> [UInt8] {
        var writer = AnswerWriter(self)
        writer.json.beginObject()
        members(&writer)
        writer.json.endObject()
        return writer.bytes
    }

    fileprivate func write(_ zone: DatabaseChanges.Zone, to writer: inout AnswerWriter) {
        writer.json.beginObject()
        writer.json.member("zoneID", raw: writer.zoneID(zone.zone))
        if let token = zone.syncToken { writer.json.member("syncToken", token) }
        writer.json.member("deleted", zone.isDeleted)
        if zone.isDeleted, writer.extras { writer.json.member("deletedReason", "DELETED") }
        writer.json.endObject()
    }

    fileprivate func write(_ page: ZoneChanges.Page, _ asked: ZoneChangesQuery, to writer: inout AnswerWriter) {
        let style = RecordStyle(desiredKeys: asked.desiredKeys, numbersAsStrings: asked.numbersAsStrings)
        writer.array("records") { writer in
            page.forEachChange { change in
                switch change {
                case .record(let record): writer.record(record, page.zone, style)
                case .deleted(let tombstone, let type): writer.deleted(tombstone, type: type, page.zone)
                }
            }
        }
        writer.json.member("syncToken", page.syncToken)
        writer.json.member("moreComing", page.moreComing)
        if writer.extras, let token = page.clientToken { writer.json.member("clientChangeToken", base64: token) }
    }
}
