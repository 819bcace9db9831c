import CloudKitWire
public import NephosStorage

/// How much of one record type there is.
public struct TypeStatistics: Sendable, Equatable {
    /// `(removed)` for records of types that were removed since: they are hidden.
    public var type: String
    public var publicRecords = 0
    /// Names and fields; what a quota is measured on, with files.
    public var publicBytes: Int64 = 0
    /// Files, counted for each place that holds them.
    public var publicFileBytes: Int64 = 0
    /// In the databases of all persons together.
    public var privateRecords = 0
    public var privateBytes: Int64 = 0
    public var privateFileBytes: Int64 = 0
    /// Indexes of the public database.
    public var indexes = 0
}

extension Administration {
    /// Counts the records of an environment by type. It walks over all of them, page by page beside a running server.
    ///
    /// - Parameter progress: Called with the records counted so far.
    public func statistics(
        of tenant: Tenant, progress: (Int) -> Void = { _ in }
    ) throws(AdminError) -> [TypeStatistics] {
        let store = try store(tenant)
        var set = ReadSet()
        set.indexLists = [1]
        let reading = try read(store, set)
        let catalog = reading.catalog
        var byType: [String: TypeStatistics] = [:]
        for type in catalog.types.keys { byType[type.text] = TypeStatistics(type: type.text) }
        for index in (reading.indexLists.first ?? []) where index.state != .dropped {
            byType[catalog.name(of: index.shape.type)]?.indexes += 1
        }
        var count = 0
        for database in 1...catalog.head.lastDatabase {
            try forEachPage(of: database, in: store) { records in
                for record in records {
                    let type = catalog.name(of: record.type)
                    byType[type, default: TypeStatistics(type: type)].add(
                        record, isPublic: database <= catalog.head.lanes)
                }
                count += records.count
                progress(count)
            }
        }
        return byType.values.sorted { $0.type.utf8.lexicographicallyPrecedes($1.type.utf8) }
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

extension TypeStatistics {
    fileprivate mutating func add(_ record: RecordRow, isPublic: Bool) {
        if isPublic {
            publicRecords += 1
            publicBytes += record.storedBytes
            publicFileBytes += record.fileBytes
        } else {
            privateRecords += 1
            privateBytes += record.storedBytes
            privateFileBytes += record.fileBytes
        }
    }
}

extension RecordRow {
    /// Bytes of the files that it holds.
    var fileBytes: Int64 {
        flags.contains(.assets) ? CanonicalFields.assets(in: fields).reduce(0) { $0 + $1.asset.size } : 0
    }
}
