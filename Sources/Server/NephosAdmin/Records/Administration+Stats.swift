import CloudKitWire
package import NephosRunner
package import NephosStorage

/// Numbers and sizes of records.
package struct Volume: Sendable, Equatable {
    package var records = 0
    /// Of names and fields; together with `fileBytes`, this is what a quota counts.
    package var bytes: Int64 = 0
    /// Of files, counted for each place that references them.
    package var fileBytes: Int64 = 0

    package init() {}

    mutating func add(_ record: RecordRow) {
        records += 1
        bytes += record.storedBytes
        fileBytes += record.fileBytes
    }
}

/// Statistics of one record type.
package struct TypeStatistics: Sendable, Equatable {
    /// `(removed)` for records of types that have been removed: they are hidden.
    package var type: String
    package var inPublic = Volume()
    /// In all people's databases together.
    package var inPrivate = Volume()
    /// Indexes of the public database.
    package var indexes = 0
}

/// What one person, or one server-to-server key, has stored.
package struct PersonStatistics: Sendable, Equatable {
    /// Email address, or id of a key; nil if neither is known.
    package var name: String?
    package var userRecordName: String
    /// What they have created in the public database.
    package var inPublic = Volume()
    /// All of their private database, whoever created it.
    package var inPrivate = Volume()

    var allBytes: Int64 { inPublic.bytes + inPublic.fileBytes + inPrivate.bytes + inPrivate.fileBytes }
}

/// Numbers of what people share with each other.
package struct ShareStatistics: Sendable, Equatable {
    package var ofRecords = 0
    package var ofZones = 0
    package var isPublic = 0
    /// Participants, once for each share. Visitors are not counted: only their own databases know of them.
    package var joined = 0
}

extension Administration {
    /// Counts the shares of an environment.
    package func shareStatistics(of tenant: Tenant) throws(AdminError) -> ShareStatistics {
        let store = try store(tenant)
        var statistics = ShareStatistics()
        try forEach(in: store) { (share: ShareRow) in
            [.database(share.database), .int(share.number)]
        } body: { share in
            if share.isOfZone { statistics.ofZones += 1 } else { statistics.ofRecords += 1 }
            if share.publicPermission != .none { statistics.isPublic += 1 }
        }
        try forEach(in: store) { (person: ParticipantRow) in
            [.database(person.database), .user(person.user), .int(person.zone), .int(person.share)]
        } body: { person in
            if person.status == .accepted { statistics.joined += 1 }
        }
        return statistics
    }

    /// Goes through a table of an environment, some rows at a time.
    private func forEach<Row: StoredRow>(
        in store: any TenantStore, key: (Row) -> [ColumnValue], body: (Row) -> Void
    ) throws(AdminError) {
        var last: Row?
        repeat {
            let page = try rows(Scan<Row>(above: last.map(key), limit: Self.rowsOfPage), of: store)
            page.forEach(body)
            last = page.last
        } while last != nil
    }

    private static var rowsOfPage: Int { 1_000 }

    /// Counts the records of an environment by type. It walks all of them, page by page, while a server may be running.
    ///
    /// - Parameter progress: Called with the records counted so far.
    package func statistics(
        of tenant: Tenant, progress: (Int) -> Void = { _ in }
    ) throws(AdminError) -> [TypeStatistics] {
        let store = try store(tenant)
        var set = ReadSet()
        set.ask(IndexRow.all(of: 1))
        let reading = try read(store, set)
        let catalog = reading.catalog
        var byType: [String: TypeStatistics] = [:]
        for type in catalog.types.keys { byType[type.text] = TypeStatistics(type: type.text) }
        for index in reading.indexes(of: 1) where index.state != .dropped {
            byType[catalog.name(of: index.shape.type)]?.indexes += 1
        }
        try forEachRecord(in: store, catalog, progress) { record, owner in
            let type = catalog.name(of: record.type)
            let place = owner == nil ? \TypeStatistics.inPublic : \.inPrivate
            byType[type, default: TypeStatistics(type: type)][keyPath: place].add(record)
        }
        return byType.values.sorted { $0.type.utf8.lexicographicallyPrecedes($1.type.utf8) }
    }

    /// Counts the records of an environment by person, as ``statistics(of:progress:)`` does by type.
    ///
    /// - Parameter limit: The maximum number of people; those with the most bytes.
    package func people(
        of tenant: Tenant, limit: Int, progress: (Int) -> Void = { _ in }
    ) throws(AdminError) -> [PersonStatistics] {
        let store = try store(tenant)
        var byUser: [UserID: PersonStatistics] = [:]
        try forEachRecord(in: store, try read(store, ReadSet()).catalog, progress) { record, owner in
            let user = owner ?? record.createdBy
            let place = owner == nil ? \PersonStatistics.inPublic : \.inPrivate
            byUser[user, default: PersonStatistics(userRecordName: user.recordName)][keyPath: place].add(record)
        }
        let most = byUser.sorted { ($1.value.allBytes, $0.key.recordName) < ($0.value.allBytes, $1.key.recordName) }
        var people: [PersonStatistics] = []
        for (user, statistics) in most.prefix(limit) {
            var person = statistics
            if let row = try rows(UserRow.keyed([user]), of: store).first { person.name = try name(of: row) }
            people.append(person)
        }
        return people
    }

    /// - Parameter body: Called with each record, and the owner of its private database, if it is in one.
    private func forEachRecord(
        in store: any TenantStore, _ catalog: Catalog, _ progress: (Int) -> Void, _ body: (RecordRow, UserID?) -> Void
    ) throws(AdminError) {
        var count = 0
        for database in 1...catalog.head.lastDatabase {
            var set = ReadSet()
            set.databases = [database]
            guard let head = try read(store, set).databases.first ?? nil else { continue }
            try forEachPage(of: database, in: store) { records in
                for record in records { body(record, head.kind == .personal ? head.owner : nil) }
                count += records.count
                progress(count)
            }
        }
    }

    private func forEachPage(
        of database: DatabaseNumber, in store: any TenantStore, _ body: ([RecordRow]) -> Void
    ) throws(AdminError) {
        var position: NameScan.Position?
        repeat {
            var set = ReadSet()
            set.names = [NameScan(place: .database(database), after: position, limit: 1_000, byteLimit: 4 << 20)]
            guard let page = try read(store, set).names.first else { return }
            body(page.records)
            position = page.next
        } while position != nil
    }
}

extension RecordRow {
    /// Bytes of the files that it references.
    var fileBytes: Int64 {
        flags.contains(.assets) ? CanonicalFields.assets(in: fields).reduce(0) { $0 + $1.asset.size } : 0
    }
}
