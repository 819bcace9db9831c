import CloudKitWire
package import NephosAssets
import NephosDomain
package import NephosStorage

/// Exports what is stored of the person of an account: a JSON file for the account, one for each environment that has a user for it, and the
/// files of their records. Changes that they make meanwhile may be included or not.
package struct PersonExport: Sendable {
    /// The number of rows and records of one read.
    private static let page = 200
    /// Bytes of a file that are in memory at a time.
    private static let piece = 64 << 10

    private let worker: Worker
    private let files: any AssetStore
    private let sink: any ExportSink

    package init(_ worker: Worker, files: any AssetStore, to sink: any ExportSink) {
        (self.worker, self.files, self.sink) = (worker, files, sink)
    }

    package func run(_ account: AccountRow) async throws {
        try await sink.file("account.json", try await profile(account))
        try await AccountHomes(worker: worker).forEach(of: account.id) { store, user in
            try await home(store, user)
        }
    }

    // MARK: The account

    private func profile(_ account: AccountRow) async throws -> [UInt8] {
        try await worker.run { [directory = worker.engine.directory] in
            var json = JSONWriter()
            json.beginObject()
            json.key("account")
            account.write(to: &json)
            json.key("rows")
            json.beginObject()
            for rows in directory.described.directory { try write(rows, of: account, in: directory, to: &json) }
            json.endObject()
            json.endObject()
            return json.bytes
        }
    }

    private func write<Row: StoredRow>(
        _ rows: Row.Type, of account: AccountRow, in directory: any DirectoryStore, to json: inout JSONWriter
    ) throws {
        let scans = Row.rows(ofAccount: account.id, EmailAddress.text(of: account.email), limit: .max)
        try write(scans.flatMap { try directory.rows($0) }, to: &json)
    }

    /// A member with the name of the table; omitted if there are no rows.
    private func write<Row: StoredRow>(_ rows: [Row], to json: inout JSONWriter) throws {
        guard !rows.isEmpty else { return }
        json.key(named: Name(Row.table.name))
        json.beginArray()
        var known: [Row] = []
        for row in rows where !known.contains(row) {
            row.write(to: &json)
            known.append(row)
        }
        json.endArray()
    }

    // MARK: An environment

    private func home(_ store: any TenantStore, _ user: UserRow) async throws {
        let place = "\(store.tenant.container)/\(store.tenant.environment.rawValue)"
        try await sink.begin("\(place).json")
        try await sink.write(try await head(store, user))
        try await records("private", store, try await privatePages(store, user))
        // Records on several pages may reference the same file, which is written once.
        var (held, known) = ([AssetRow](), Set<[UInt8]>())
        try await records("public", store, publicPages(store, user)) { records in
            held += try await filesOf(records, store).filter { known.insert($0.address).inserted }
        }
        try await sink.write(Array("}\n".utf8))
        try await sink.end()
        try await privateFiles(of: user, store, place)
        for row in held { try await file(row, store, "\(place)/public") }
    }

    /// Everything before the records: the user there, and what references them.
    private func head(_ store: any TenantStore, _ user: UserRow) async throws -> [UInt8] {
        try await worker.run {
            let lanes = try store.read(ReadSet()).catalog.head.lanes
            let databases = Array(1...max(lanes, 1)) + [user.privateDatabase]
            var json = JSONWriter()
            json.beginObject()
            json.member("container", store.tenant.container)
            json.member("environment", store.tenant.environment.rawValue)
            json.member("user", user.id.name)
            json.key("rows")
            json.beginObject()
            for rows in store.described.all where rows.table.name != ParticipantRow.table.name {
                try write(rows, of: user.id, databases, store, to: &json)
            }
            // Invitations are their owners' until somebody joins.
            let participants = ParticipantRow.rows(of: user.id, in: databases, limit: .max)
            try write(participants.flatMap { try store.rows($0).filter { $0.status == .accepted } }, to: &json)
            // These do not name the person: they are in the person's own database. What is in the zones is their owners'.
            try write(try store.rows(SharedZoneRow.all(in: user.privateDatabase, limit: .max)), to: &json)
            json.endObject()
            return json.bytes
        }
    }

    private func write<Row: StoredRow>(
        _ rows: Row.Type, of user: UserID, _ databases: [DatabaseNumber], _ store: any TenantStore,
        to json: inout JSONWriter
    ) throws {
        let scans = Row.rows(of: user, in: databases, limit: .max)
        try write(scans.flatMap { try store.rows($0) }, to: &json)
    }

    // MARK: Records

    /// Returns a page of records, each with the name of its zone; nil after the last.
    private typealias Pages = () async throws -> [(record: RecordRow, zone: ZoneIdentity)]?

    private func records(
        _ member: String, _ store: any TenantStore, _ next: Pages,
        then: ([RecordRow]) async throws -> Void = { _ in }
    ) async throws {
        try await sink.write(Array(",\"\(member)\":[".utf8))
        var isFirst = true
        while let page = try await next() {
            let catalog = try await worker.read(ReadSet(), from: store).catalog
            var bytes: [UInt8] = []
            for (row, zone) in page {
                guard let type = catalog.type(row.type) else { continue }
                if !isFirst { bytes.append(UInt8(ascii: ",")) }
                isFirst = false
                var json = JSONWriter(reserving: 512 + row.fields.count)
                let record = StoredRecord(row: row, type: type, ownedIn: zone, key: catalog.head.signingKey)
                let zoneID = ZoneIDDictionary.encoded(zoneName: zone.name, owner: zone.owner)
                RecordDictionary(record, zoneID: zoneID, style: RecordStyle(), assets: nil).write(to: &json)
                bytes += json.bytes
            }
            try await sink.write(bytes)
            try await then(page.map(\.record))
        }
        try await sink.write(Array("]".utf8))
    }

    private func privatePages(_ store: any TenantStore, _ user: UserRow) async throws -> Pages {
        var set = ReadSet()
        set.databases = [user.privateDatabase]
        set.zoneLists = [user.privateDatabase]
        let reading = try await worker.read(set, from: store)
        let zones = Dictionary((reading.zoneLists.first ?? []).map { ($0.number, $0.name) }) { first, _ in first }
        var last: RecordNumber = 0
        let through = reading.databases[0]?.recordNumber ?? 0
        return {
            guard last < through else { return nil }
            var set = ReadSet()
            set.walks = [RecordWalk(user.privateDatabase, above: last, through: through, limit: Self.page)]
            let page = try await worker.read(set, from: store).walks[0]
            last = page.position
            // Records of a deleted zone are gone for their creator.
            return page.records.compactMap { row in
                zones[row.zone].map { (row, ZoneIdentity(name: $0, owner: user.id)) }
            }
        }
    }

    private func publicPages(_ store: any TenantStore, _ user: UserRow) -> Pages {
        let zone = ZoneIdentity(name: defaultZoneName, owner: nil)
        var (position, isOver) = (NameScan.Position?.none, false)
        return {
            guard !isOver else { return nil }
            var set = ReadSet()
            set.names = [
                NameScan(
                    place: .zone(.name(1, defaultZoneName)), createdBy: user.id, after: position, limit: Self.page)
            ]
            let page = try await worker.read(set, from: store).names.first
            position = page?.next
            isOver = position == nil
            return (page?.records ?? []).map { ($0, zone) }
        }
    }

    // MARK: Files

    private func filesOf(_ records: [RecordRow], _ store: any TenantStore) async throws -> [AssetRow] {
        var addresses: Set<[UInt8]> = []
        for record in records where record.flags.contains(.assets) {
            let uses = Scan<AssetUseRow>(
                .database(record.database), .int(record.zone), .int(record.number), limit: .max)
            for use in try await worker.rows(uses, from: store) { addresses.insert(use.use.address) }
        }
        guard !addresses.isEmpty else { return [] }
        return try await worker.rows(AssetRow.at(addresses, in: 1), from: store)
    }

    private func privateFiles(of user: UserRow, _ store: any TenantStore, _ place: String) async throws {
        var last: AssetRow?
        repeat {
            let key = last.map { [ColumnValue.bytes($0.address)] }
            let scan = Scan<AssetRow>(.database(user.privateDatabase), above: key, limit: Self.page)
            let rows = try await worker.rows(scan, from: store)
            for row in rows { try await file(row, store, "\(place)/private") }
            last = rows.last
        } while last != nil
    }

    /// Named by the checksum that records use, with `-` and `_` in place of `+` and `/`.
    private func file(_ row: AssetRow, _ store: any TenantStore, _ place: String) async throws {
        let content = try await worker.run { [files] () -> (any AssetContent)? in
            guard let file = AssetFile(row, in: AssetHome(try store.read(ReadSet()).catalog.head)) else { return nil }
            // It may have been replaced meanwhile.
            do throws(AssetError) { return try files.open(file) } catch {
                if error == .missing { return nil }
                throw error
            }
        }
        guard let content else { return }
        let checksum = String(decoding: FieldAsset(address: row.address, size: row.size).fileChecksum, as: UTF8.self)
        let name = checksum.replacing("+", with: "-").replacing("/", with: "_")
        try await sink.begin("\(place)/\(name)")
        var offset: Int64 = 0
        while true {
            let bytes = try await worker.run { [offset] in
                try Array<UInt8>(unsafeUninitializedCapacity: Self.piece) { memory, count in
                    count = try content.read(at: offset, into: UnsafeMutableRawBufferPointer(memory))
                }
            }
            guard !bytes.isEmpty else { break }
            offset += Int64(bytes.count)
            try await sink.write(bytes)
        }
        try await sink.end()
    }
}
