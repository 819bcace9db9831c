import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// Zones, and what changed in them.
enum ZoneEndpoints {
    static let all = [
        // Listing calls also accept POST, because some clients always use POST.
        Endpoint("zones/list", methods: [.get, .post], answer: list),
        Endpoint("zones/lookup") { try lookup($0, ZonesLookupRequest(json: $0.body)) },
        Endpoint("zones/modify") { try modify($0, ZonesModifyRequest(json: $0.body, limits: $0.requestLimits)) },
        Endpoint("changes/database") { try changes($0, DatabaseChangesRequest(json: $0.body), isOld: false) },
        Endpoint("zones/changes") { try changes($0, DatabaseChangesRequest(json: $0.body), isOld: true) },
        Endpoint("changes/zone") { try changes($0, ZoneChangesRequest(json: $0.body)) },
        Endpoint("records/changes") { try changes($0, RecordsChangesRequest(json: $0.body)) },
    ]

    private static func list(_ call: AdmittedCall) throws -> Work {
        let operation = try ListZones(context: call.context)
        @Sendable func body(_ zones: [ZoneAnswer]) -> [UInt8] {
            call.object { writer in
                writer.array("zones") { writer in for zone in zones { writer.zone(zone) } }
            }
        }
        return call.carryOut(operation.reading) { reading in
            guard let visits = operation.visits(reading) else {
                return .answer(call.success(body(operation.answer(reading))))
            }
            return call.read(visits.reading) { found in body(operation.answer(reading, (visits, found))) }
        }
    }

    private static func lookup(_ call: AdmittedCall, _ request: ZonesLookupRequest) throws -> Work {
        let operation = try LookupZones(request, context: call.context)
        return call.read(operation.reading) { reading in
            call.object { writer in
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

    private static func modify(_ call: AdmittedCall, _ request: ZonesModifyRequest) throws -> Work {
        let operation = try ModifyZones(request, context: call.context)
        return call.commit(operation.reading, decide: operation.decide) { items in
            call.object { writer in
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

    /// `changes/database`, and the older `zones/changes`, which calls the token `metaSyncToken`; the latter returns both keys.
    private static func changes(_ call: AdmittedCall, _ request: DatabaseChangesRequest, isOld: Bool) throws -> Work {
        let operation = try DatabaseChanges(request, context: call.context)
        @Sendable func body(_ reading: Reading) throws(Refusal) -> [UInt8] {
            let answer = try operation.answer(reading)
            return call.object { writer in
                writer.array("zones") { writer in
                    for zone in answer.zones { call.write(zone, to: &writer) }
                }
                if isOld { writer.json.member("metaSyncToken", answer.syncToken) }
                writer.json.member("syncToken", answer.syncToken)
                writer.json.member("moreComing", answer.moreComing)
            }
        }
        return call.carryOut(operation.reading) { reading in
            guard let set = operation.visits(reading) else { return .answer(call.success(try body(reading))) }
            return call.carryOut(set) { found in
                guard let visits = operation.check(found) else { return .answer(call.success(try body(reading))) }
                return call.carryOut(visits.reading) { found in
                    guard let update = visits.update(found) else { return .answer(call.success(try body(reading))) }
                    return call.commit(
                        update.reading, decide: update.decide, then: { call.read(operation.reading, body) })
                }
            }
        }
    }

    private static func changes(_ call: AdmittedCall, _ request: ZoneChangesRequest) throws -> Work {
        let operation = try ZoneChanges(request.zones, context: call.context)
        return call.read(operation.reading) { reading in
            call.object { writer in
                writer.array("zones") { writer in
                    for (asked, answer) in zip(request.zones, operation.answer(reading)) {
                        switch answer {
                        case .failure(let refusal): writer.refused(refusal, asked.zoneID)
                        case .success(let page):
                            writer.json.beginObject()
                            writer.json.member("zoneID", raw: writer.zoneID(page.zone))
                            call.write(page, asked, to: &writer)
                            writer.json.endObject()
                        }
                    }
                }
            }
        }
    }

    /// `records/changes`: one zone, with its errors at top level.
    private static func changes(_ call: AdmittedCall, _ request: RecordsChangesRequest) throws -> Work {
        let operation = try ZoneChanges([request.zone], context: call.context)
        return call.read(operation.reading) { reading in
            guard let page = try operation.answer(reading).first?.get() else { throw Refusal.failed }
            return call.object { writer in call.write(page, request.zone, to: &writer) }
        }
    }
}

extension AdmittedCall {
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
        writer.json.member("deleted", zone.deletedReason != nil)
        if let reason = zone.deletedReason, writer.extras { writer.json.member("deletedReason", reason) }
        writer.json.endObject()
    }

    fileprivate func write(_ page: ZoneChanges.Page, _ asked: ZoneChangesQuery, to writer: inout AnswerWriter) {
        let style = RecordStyle(desiredKeys: asked.desiredKeys, numbersAsStrings: asked.numbersAsStrings)
        writer.array("records") { writer in
            page.forEachChange {
                writer.record($0, page.zone, style)
            } deleted: { name, type, _ in
                writer.deleted(name, type: type, page.zone)
            }
        }
        writer.json.member("syncToken", page.syncToken)
        writer.json.member("moreComing", page.moreComing)
        if writer.extras, let token = page.clientToken { writer.json.member("clientChangeToken", base64: token) }
    }
}
