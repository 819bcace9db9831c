package import CloudKitWire
package import NephosDomain
package import NephosRunner
package import NephosStorage

/// A record and its zone.
package struct FoundRecord: Sendable {
    package let record: StoredRecord
    package let zone: ZoneIdentity

    /// The record dictionary of CloudKit Web Services.
    package func json(desiredKeys: DesiredKeys? = nil) -> [UInt8] {
        let dictionary = RecordDictionary(
            record, zoneID: ZoneIDDictionary.encoded(zoneName: zone.name, owner: zone.owner),
            style: RecordStyle(desiredKeys: desiredKeys), assets: nil)
        var writer = JSONWriter(reserving: dictionary.bytesEstimate)
        dictionary.write(to: &writer)
        return writer.bytes
    }
}

extension Administration {
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
            for _ in 0..<Self.requestAttemptsMax {
                let context = try context(of: place, store)
                var query = try QueryRecords(request, context: context)
                if let roles = query.rolesFirst { query = try query.seeing(store.read(roles)) }
                guard let reading = try read(query.reading, store, context) else { continue }
                guard reading.catalog.version == context.catalog.version else { continue }
                switch try query.outcome(reading) {
                case .answered(let answer):
                    let records = answer.records.map { FoundRecord(record: $0.record, zone: $0.zone) }
                    return RecordPage(records: records, continuationToken: answer.continuationMarker)
                case .needsIndexes:
                    // They are completed below, so once is enough unless others drop them.
                    let wanted = try query.findings(reading).wanted
                    try noteWork(in: store)
                    try await store.openIndexes(wanted, in: query.database, at: inputs.now())
                    while try await store.buildIndexes(in: query.database, rows: Self.indexChunk) {}
                }
            }
        } catch Refusal.recordTypeNotFound {
            throw .noType(request.query.recordType, place.tenant)
        } catch {
            throw AdminError(error)
        }
        throw .refused("The schema or the indexes keep changing. Try again.")
    }

    /// One record by name.
    ///
    /// - Parameter zone: nil for the default zone.
    package func record(
        named name: String, zone: RecordZone? = nil, in place: RecordPlace
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
            for _ in 0..<Self.requestAttemptsMax {
                let context = try context(of: place, store)
                let lookup = try LookupRecords(request, context: context)
                guard let reading = try read(lookup.reading, store, context) else { continue }
                let answer = try lookup.answer(reading)
                guard let item = answer.items.first else { throw Refusal.failed }
                return FoundRecord(record: try item.get(), zone: answer.zone)
            }
        } catch Refusal.recordNotFound {
            throw Self.notFound(name, place)
        } catch {
            throw AdminError(error)
        }
        throw .refused("What is shared keeps changing. Try again.")
    }

    /// - Returns: nil if what the person may see of zones of others has changed since the context was made.
    private func read(_ set: ReadSet, _ store: any TenantStore, _ context: RequestContext) throws -> Reading? {
        var set = set
        context.foreign?.prove(by: &set)
        let reading = try store.read(set)
        do throws(ForeignZonesMoved) { try context.foreign?.check(reading) } catch { return nil }
        return reading
    }

    /// Creates a record. - Parameter fields: The `fields` of a record dictionary, as JSON.
    package func createRecord(
        type: String, name: String?, fields: [UInt8], zone: RecordZone? = nil, in place: RecordPlace
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
        if case .refused(.recordExists) = outcome { throw .recordExists(Name(name ?? ""), place.tenant) }
        if case .refused(let refusal) = outcome { throw AdminError(refusal) }
        guard case .saved(let record, let zone) = outcome else { throw .storage(.failed("a save without a record")) }
        return FoundRecord(record: record, zone: zone)
    }

    /// Changes fields of a record; the others stay.
    ///
    /// - Parameters:
    ///   - fields: As a request has them; one without a value is removed.
    ///   - tag: The change tag that the record must have; nil for any.
    package func updateRecord(
        named name: String, fields: Bytes, ifTag tag: String?, zone: RecordZone? = nil, in place: RecordPlace
    ) async throws -> FoundRecord {
        for _ in 0..<Self.requestAttemptsMax {
            let found = try record(named: name, zone: zone, in: place)
            let now = ChangeTag.text(of: found.record.row.tagSequence)
            guard tag == nil || tag == now else {
                throw AdminError.refused(
                    """
                    Record \(name) has changed: its tag is \(now), not \(tag ?? ""). Nothing was saved. Read it with nephos records \
                    get, then pass --if-tag \(now).
                    """
                )
            }
            let save = RecordSave(name: name, type: found.record.type, old: found.record.row, kind: .patch(fields))
            do {
                try await carryOutTogether([save], in: place, zone: zone?.name)
                return try record(named: name, zone: zone, in: place)
            } catch let refused as RefusedOperations {
                // Somebody else was faster.
                if case .conflict? = refused.refusals.first?.refusal { continue }
                throw refused.refusals.first?.refusal ?? Refusal.failed
            }
        }
        throw AdminError.refused("Others keep changing the record \(name); nothing was changed. Try again.")
    }

    /// Deletes a record. Records of the public database are moved to the trash.
    package func deleteRecord(
        named name: String, zone: RecordZone? = nil, in place: RecordPlace
    ) async throws(AdminError) {
        let outcome = try await modify(place, zone: zone) { writer in
            writer.member("operationType", "delete")
            writer.key("record")
            writer.beginObject()
            writer.member("recordName", name)
            writer.endObject()
        }
        if case .refused(.recordNotFound) = outcome { throw Self.notFound(name, place) }
        if case .refused(let refusal) = outcome { throw AdminError(refusal) }
    }

    private static func notFound(_ name: String, _ place: RecordPlace) -> AdminError {
        .refused(
            "Record not found: \(Name(name).excerpt), in the \(place.scope.rawValue) database of \(place.tenant). Check the name, or name another place with --environment, --database-type or --zone-name."
        )
    }

    /// Carries out one operation of `records/modify`, whose members are written by `body`.
    private func modify(
        _ place: RecordPlace, zone: RecordZone?, _ body: (inout JSONWriter) -> Void
    ) async throws(AdminError) -> ModifyRecords.Outcome {
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
            let outcomes = try await modifyRecords(request, in: place)
            guard let outcome = outcomes.first else { throw Refusal.failed }
            return outcome
        } catch {
            throw AdminError(error)
        }
    }
}

/// A zone that an operator names.
package struct RecordZone: Sendable {
    package let name: String
    /// nil for zones of the person who asks.
    package var owner: UserID?

    package init(name: String, owner: UserID? = nil) { (self.name, self.owner) = (name, owner) }

    /// nil for zones of the person who asks.
    var shared: ForeignZoneName? { owner.map { ForeignZoneName(owner: $0, zone: Name(name)) } }
}

extension JSONWriter {
    /// The zone of a request; nothing for the default zone.
    mutating func zone(_ zone: RecordZone?) {
        guard let zone else { return }
        key("zoneID")
        beginObject()
        member("zoneName", zone.name)
        if let owner = zone.owner { member("ownerRecordName", owner.recordName) }
        endObject()
    }
}
