package import CloudKitWire
package import NephosStorage

/// Notes in lane 1's default zone, for tests of a single engine.
package enum Notes {
    package static let type = TestTenant.note
    package static let zone = ZoneKey.name(1, defaultZoneName)
    package static let user = UserID(high: 1, low: 2)

    /// Creates a container with the type `Note`.
    package static func createContainer(_ id: String, in engine: any StorageEngine) throws {
        let seeds = Environment.allCases.map { environment in
            TenantSeed(
                head: CatalogHead(
                    tenant: Tenant(container: id, environment: environment),
                    signingKey: [UInt8](repeating: 7, count: 32), createdAt: 1),
                rows: [
                    .role(.world), .role(.icloud), .role(.creator),
                    .type(RecordTypeRow(number: type, name: "Note")),
                    .field(FieldRow(type: type, name: "text", kind: .string)),
                    .grant(GrantRow(type: type, role: 1, rights: .read)),
                ])
        }
        try engine.createContainer(ContainerRow(id: id, createdAt: 1), seeds: seeds)
    }

    package static func reading(_ names: [Name]) -> ReadSet {
        var set = ReadSet()
        set.databases = [1]
        set.zones = [zone]
        set.records = names.map { RecordKey(zone: zone, name: $0) }
        return set
    }

    /// Fields with a single text.
    package static func text(_ text: String) -> String { #"{"text":{"type":"STRING","value":"\#(text)"}}"# }

    /// Saves every name that was read, with these fields.
    package static func save(
        _ names: [Name], fields: String = "{}", references: [ReferenceTarget] = [], from reading: Reading
    ) throws -> WriteSet {
        guard var head = reading.databases[0], let old = reading.zones[0] else { throw StorageError.noSuchTenant }
        var writes = WriteSet()
        for (name, found) in zip(names, reading.records) {
            var stored: RecordRow?
            if case .record(let row) = found { stored = row }
            head.sequence += 1
            head.recordNumber += stored == nil ? 1 : 0
            let row = RecordRow(
                database: 1, number: stored?.number ?? head.recordNumber, zone: old.number, name: name,
                sequence: head.sequence, tagSequence: head.sequence, type: type, createdAt: 1, createdBy: user,
                modifiedAt: 1, modifiedBy: user, referenceCount: Int64(references.count), fields: Bytes(fields))
            writes.records.append(
                RecordWrite(old: stored.map(RecordStub.init), new: row, references: references))
        }
        var zone = old
        zone.changedSequence = head.sequence
        writes.zones = [ZoneWrite(old: old, new: zone)]
        writes.heads = [head]
        return writes
    }
}

extension TenantStore {
    package func save(_ names: [Name], fields: String = "{}", references: [ReferenceTarget] = []) async throws {
        try await commit(Notes.reading(names)) { reading in
            let writes = try Notes.save(names, fields: fields, references: references, from: reading)
            return .write(writes, ())
        }
    }

    package func delete(_ name: Name, at time: Milliseconds = 1, trash: RecordDeletion.Trash? = nil) async throws {
        try await commit(Notes.reading([name])) { reading in
            guard var head = reading.databases[0], let zone = reading.zones[0],
                case .record(let old) = reading.records[0]
            else { throw StorageError.noSuchTenant }
            head.sequence += 1
            var changed = zone
            changed.changedSequence = head.sequence
            var writes = WriteSet()
            writes.heads = [head]
            writes.zones = [ZoneWrite(old: zone, new: changed)]
            writes.deletions = [
                RecordDeletion(
                    old: RecordStub(old),
                    tombstone: TombstoneRow(
                        database: 1, zone: zone.number, name: name, sequence: head.sequence, type: old.type,
                        deletedAt: time), trash: trash)
            ]
            return .write(writes, ())
        }
    }

    /// The indexes of lane 1.
    package func indexes() throws -> [IndexRow] {
        var set = ReadSet()
        set.ask(IndexRow.all(of: 1))
        return try read(set).indexes(of: 1)
    }

    package func record(_ name: Name) throws -> RecordRow? {
        guard case .record(let row) = try read(Notes.reading([name])).records[0] else { return nil }
        return row
    }
}
