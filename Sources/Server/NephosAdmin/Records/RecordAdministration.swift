package import CloudKitWire
package import NephosDomain
package import NephosRunner
package import NephosStorage

/// Whose records, seen by whom.
package struct RecordPlace: Sendable {
    package var tenant: Tenant
    package var scope: DatabaseScope
    /// A web auth token: requests run as that person. nil runs them as whoever runs the server, whom no grant holds
    /// back and who reaches the public database only.
    package var session: String?

    package init(tenant: Tenant, scope: DatabaseScope, session: String?) {
        self.tenant = tenant
        self.scope = scope
        self.session = session
    }
}

/// A record and the zone it is in.
package struct FoundRecord: Sendable {
    package let record: StoredRecord
    package let zone: ZoneIdentity

    /// The record dictionary of CloudKit Web Services.
    package func json(desiredKeys: DesiredKeys? = nil) -> [UInt8] {
        let row = record.row
        let dictionary = RecordDictionary(
            recordName: row.name, recordType: record.type, changeTag: row.tagSequence, fields: row.fields,
            desiredKeys: desiredKeys, created: RecordStamp(timestamp: row.createdAt, user: row.createdBy),
            modified: RecordStamp(timestamp: row.modifiedAt, user: row.modifiedBy),
            zoneID: ZoneIDDictionary.encoded(zoneName: zone.name, owner: zone.owner), parent: row.parent)
        var writer = JSONWriter(reserving: dictionary.bytesEstimate)
        dictionary.write(to: &writer)
        return writer.bytes
    }
}

extension Administration {
    /// How often a request starts again because the schema changed under it.
    private static let attemptsMax = 8

    /// A page of records.
    package struct RecordPage: Sendable {
        package let records: [FoundRecord]
        package let continuationToken: String?
    }

    /// Runs a query. Indexes that it needs are built first, however long that takes.
    package func queryRecords(
        _ request: RecordsQueryRequest, in place: RecordPlace
    ) async throws(AdminError) -> RecordPage {
        let store = try store(place.tenant)
        do {
            for _ in 0..<Self.attemptsMax {
                let context = try context(of: place, store)
                let query = try QueryRecords(request, context: context)
                let reading = try store.read(query.reading)
                guard reading.catalog.version == context.catalog.version else { continue }
                switch try query.outcome(reading) {
                case .answered(let answer):
                    let records = answer.records.map { FoundRecord(record: $0.record, zone: $0.zone) }
                    return RecordPage(records: records, continuationToken: answer.continuationMarker)
                case .needsIndexes:
                    // They are built whole below, so once is enough unless others drop them.
                    let wanted = try query.findings(reading).wanted
                    try noteWork(in: store)
                    try await store.openIndexes(wanted, in: query.database, at: inputs.now())
                    while try await store.buildIndexes(in: query.database, rows: Self.indexChunk) {}
                }
            }
        } catch {
            throw AdminError(error)
        }
        throw .refused("The schema or the indexes keep changing. Try again.")
    }

    /// One record by name.
    ///
    /// - Parameter zone: nil for the default zone.
    package func record(
        named name: String, zone: String? = nil, in place: RecordPlace
    ) throws(AdminError) -> FoundRecord {
        let store = try store(place.tenant)
        do {
            var writer = JSONWriter()
            writer.beginObject()
            writer.key("records")
            writer.beginArray()
            writer.beginObject()
            writer.member("recordName", name)
            writer.endObject()
            writer.endArray()
            writer.zone(zone)
            writer.endObject()
            let request = try RecordsLookupRequest(json: writer.bytes[...])
            let lookup = try LookupRecords(request, context: try context(of: place, store))
            let answer = try lookup.answer(try store.read(lookup.reading))
            guard let item = answer.items.first else { throw Refusal.failed }
            return FoundRecord(record: try item.get(), zone: answer.zone)
        } catch {
            throw AdminError(error)
        }
    }

    /// Makes a record. - Parameter fields: The `fields` of a record dictionary, as JSON.
    package func createRecord(
        type: String, name: String?, fields: [UInt8], zone: String? = nil, in place: RecordPlace
    ) async throws(AdminError) -> FoundRecord {
        let outcome = try await modify(place, zone: zone) { writer in
            writer.member("operationType", "create")
            writer.key("record")
            writer.beginObject()
            writer.member("recordType", type)
            if let name { writer.member("recordName", name) }
            writer.key("fields")
            writer.raw(fields[...])
            writer.endObject()
        }
        guard case .saved(let record, let zone) = outcome else { throw .storage(.failed("a save without a record")) }
        return FoundRecord(record: record, zone: zone)
    }

    /// Deletes a record. Of the public database it goes to the trash.
    package func deleteRecord(
        named name: String, zone: String? = nil, in place: RecordPlace
    ) async throws(AdminError) {
        _ = try await modify(place, zone: zone) { writer in
            writer.member("operationType", "delete")
            writer.key("record")
            writer.beginObject()
            writer.member("recordName", name)
            writer.endObject()
        }
    }

    /// Carries out one operation of `records/modify`, whose members `body` writes.
    private func modify(
        _ place: RecordPlace, zone: String?, _ body: (inout JSONWriter) -> Void
    ) async throws(AdminError) -> ModifyRecords.Outcome {
        let store = try store(place.tenant)
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("operations")
        writer.beginArray()
        writer.beginObject()
        body(&writer)
        writer.endObject()
        writer.endArray()
        writer.zone(zone)
        writer.endObject()
        do {
            let request = try RecordsModifyRequest(json: writer.bytes[...])
            let newName = Name(inputs.uuid())
            for _ in 0..<Self.attemptsMax {
                let context = try context(of: place, store)
                let operation = try ModifyRecords(request, context: context) { newName }
                let catalog = context.catalog
                do {
                    let answer = try await write(to: store, operation.reading) { reading in
                        guard reading.catalog.isSame(as: catalog) else { throw CatalogMoved() }
                        return try operation.decide(reading)
                    }
                    guard let outcome = answer.items.first?.outcome else { throw Refusal.failed }
                    if case .refused(let refusal) = outcome { throw refusal }
                    return outcome
                } catch is CatalogMoved {
                    continue
                }
            }
        } catch {
            throw AdminError(error)
        }
        throw .refused("The schema keeps changing. Try again.")
    }

    /// The schema changed between the beginning of a request and its decision.
    private struct CatalogMoved: Error {}

    private func context(of place: RecordPlace, _ store: any TenantStore) throws -> RequestContext {
        var set = ReadSet()
        let id = place.session.flatMap(WebAuthToken.sessionID(of:))
        let sessions = SessionRow.keyed(id.map { [$0] } ?? [])
        set.ask(sessions)
        let reading = try store.read(set)
        var caller = Caller.administrator
        if let token = place.session {
            guard let session = reading[sessions].first, session.revokedAt == 0,
                session.expiresAt > inputs.now(), WebAuthToken.isValid(token, for: session)
            else { throw AdminError.refused("The session has expired, or was never one of \(place.tenant).") }
            caller = .person(session)
        } else if place.scope != .public {
            throw AdminError.refused("The \(place.scope.rawValue) database needs somebody's session.")
        }
        return RequestContext(catalog: reading.catalog, caller: caller, scope: place.scope, now: inputs.now())
    }
}

extension JSONWriter {
    /// The zone of a request; nothing for the default zone.
    mutating func zone(_ name: String?) {
        guard let name else { return }
        key("zoneID")
        beginObject()
        member("zoneName", name)
        endObject()
    }
}
