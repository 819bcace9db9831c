import CloudKitWire
import NephosStorage

/// A row that is not counted: like the last one of its table except for some columns, with a valid checksum.
struct AddedRow {
    var table: String
    /// Literals or expressions for the columns that differ.
    var values: [String: String]
    /// The expected finding; nil for the table itself.
    var finding: String?

    init(_ table: String, _ values: [String: String], checksum: Int64?, finding: String? = nil) {
        self.table = table
        self.values = values
        self.finding = finding
        if let checksum { self.values["checksum"] = "\(checksum)" }
    }
}

extension NewsRow {
    /// The row of a topic posted for the first time.
    fileprivate static func posted(_ topic: Topic, at now: Milliseconds) -> NewsRow {
        var writes = WriteSet()
        writes.post(topic, replacing: nil, at: now)
        return writes.changes(of: NewsRow.self)[0].new ?? sample
    }
}

extension SessionRow {
    /// Another session, ended by a decision that was never written.
    fileprivate func ended(seeing catalog: Catalog, as id: [UInt8]) -> SessionRow {
        var (other, writes) = (self, WriteSet())
        other.id = id
        writes.end(other, at: 5, seeing: catalog)
        return writes.changes(of: SessionRow.self)[0].new ?? self
    }
}

extension FullTenant {
    func additions() throws -> [AddedRow] { catalogAdditions + (try peopleAdditions()) + (try recordAdditions()) }

    /// Rows counted by the digest.
    private var catalogAdditions: [AddedRow] {
        let bytes = tables.literal([99])
        var key = Self.key(2)
        key.id = "x"
        let rows: [(String, [String: String], CatalogRow)] = [
            ("types", ["type": "99", "name": "'X'"], .type(RecordTypeRow(number: 99, name: "X"))),
            ("fields", ["name": "'x'"], .field(FieldRow(type: 12, name: "x", kind: .int64))),
            ("roles", ["role": "99", "name": "'x'"], .role(RoleRow(number: 99, name: "x"))),
            ("grants", ["role": "2"], .grant(GrantRow(type: 12, role: 2, rights: .read))),
            ("api_tokens", ["hash": bytes], .token(APITokenRow(hash: [99], name: "t", createdAt: 1))),
            ("server_keys", ["id": "'x'"], .key(key)),
        ]
        return rows.map { AddedRow($0, $1, checksum: $2.checksum, finding: "catalog") }
    }

    /// Rows counted by assigned numbers, owners and heads.
    private func peopleAdditions() throws -> [AddedRow] {
        let person = TestDatabase(tenant: tenant, number: 3, user: UserID(high: 0xE, low: 2))
        var head = try person.head()
        head.database += 90
        let user = UserRow(
            id: UserID(high: .max, low: .max), source: .account, sourceID: "x", privateDatabase: 3, createdAt: 1)
        var zone = try unwrap(try person.defaultZone.row(), "a zone")
        zone.number = 1_000
        zone.name = "x"
        // The catalog counts the number of ended sessions.
        let session = try unwrap(try tenant.store.rows(SessionRow.after(nil, limit: .max)).last, "a session")
        let ended = session.ended(seeing: try tenant.catalog(), as: [99])
        return [
            AddedRow(
                "sessions",
                [
                    "id": tables.literal(ended.id), "revoked_at": "\(ended.revokedAt)",
                    "ended_no": "\(ended.endNumber)",
                ], checksum: ended.checksum, finding: "catalog"),
            AddedRow("heads", ["db": "db + 90"], checksum: head.checksum),
            AddedRow(
                "users", ["id": tables.literal(Array(repeating: 0xFF, count: 16)), "source_id": "'x'"],
                checksum: user.checksum),
            AddedRow("zones", ["zone_no": "1000", "name": "'x'"], checksum: zone.checksum),
        ]
    }

    /// Rows counted by the head of the public database.
    private func recordAdditions() throws -> [AddedRow] {
        let database = tenant.publicDatabase
        // Numbers and sequence numbers that c and d had.
        var record = try unwrap(try database.defaultZone.record("f"), "a record")
        record.number = 4
        record.name = "x"
        record.sequence = try unwrap(try database.trash("d").first, "a deleted record").record.sequence
        var trash = try unwrap(try database.trash("d").first, "a deleted record")
        trash.record.number = 2
        let tombstone = TombstoneRow(
            database: 1, zone: 1, name: "x", sequence: record.sequence - 1, type: TestTenant.note, deletedAt: 1)
        let reference = ReferenceRow(database: 1, zone: 1, target: "x", kind: .deleteSelf, record: 5)
        var subscription = try unwrap(try database.subscriptions(savedAfter: 0).last, "a subscription")
        subscription.name = "x"
        subscription.sequence -= 1
        let asset = AssetRow(
            database: 1, address: TestDatabase.use(9).address, nonce: 7, size: 10, contentType: "image/png",
            createdAt: 1, releasedAt: 0)
        let holder = AssetUseRow(database: 1, zone: 1, record: 5, use: TestDatabase.use(2))
        let news = try unwrap(try database.rows(NewsRow.of([Topic("b", 1)])).first, "a topic")
        let other = NewsRow.posted(Topic("x", 1), at: news.number)
        let watched = try database.defaultZone.record("a").map(\.sequence) ?? 0
        return [
            AddedRow(
                "records", ["record_no": "4", "name": "'x'", "seq": "\(record.sequence)"], checksum: record.checksum),
            AddedRow("tombstones", ["name": "'x'", "seq": "\(tombstone.sequence)"], checksum: tombstone.checksum),
            AddedRow("refs", ["target": "'x'"], checksum: reference.checksum),
            AddedRow(
                "change_events", ["name": "'x'", "seq": "\(watched)", "has_record": "0"],
                checksum: Self.event("x", watched).checksum),
            AddedRow("event_records", ["event_seq": "\(watched)"], checksum: nil),
            AddedRow("cascades", ["target": "'z'"], checksum: Self.cascade("z", watched - 1).checksum),
            // An unreferenced file is not counted anywhere; one marked as referenced without any reference is wrong nevertheless.
            AddedRow(
                "assets", ["address": tables.literal(asset.address), "released_at": "0"], checksum: asset.checksum),
            AddedRow("asset_refs", ["record_no": "\(holder.record)"], checksum: holder.checksum),
            AddedRow("trash", ["record_no": "2"], checksum: trash.checksum),
            AddedRow(
                "subscriptions", ["name": "'x'", "seq": "\(subscription.sequence)"], checksum: subscription.checksum),
            AddedRow("news", ["topic": "'x'"], checksum: other.checksum, finding: "heads"),
            AddedRow("index_rows", ["key": tables.literal([0])], checksum: nil),
        ]
    }
}
