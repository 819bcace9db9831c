package import CloudKitWire
import NephosDomain
package import NephosRunner
import NephosStorage

/// All records of a type in one zone, page by page, for whoever runs the server: no index is needed, and a page is all that is in memory.
/// What is saved or deleted meanwhile may be in it or not.
package struct RecordPages {
    private static let pageRows = 200

    private enum Way {
        case ofType(TypeWalk)
        /// Of the database of a person, through which no index of a type leads.
        case byNumber(DatabaseNumber, ZoneNumber, after: RecordNumber, through: RecordNumber)
    }

    private let store: any TenantStore
    /// As the schema had it in the beginning.
    let type: RecordType
    private let zone: ZoneIdentity
    private var way: Way

    /// - Parameter zoneName: Of the private database; nil for the default zone.
    init(
        of type: Name, _ store: any TenantStore, _ context: RequestContext, zoneName: String?
    ) throws {
        guard let known = context.catalog.types[type] else { throw AdminError.noType(type, store.tenant) }
        (self.store, self.type) = (store, known)
        let name = zoneName.map { Name($0) } ?? defaultZoneName
        zone = context.identity(name)
        guard context.scope != .public else {
            guard name == defaultZoneName else { throw Refusal.zoneNotFound(name, .useDefault) }
            way = .ofType(TypeWalk(known.row.number))
            return
        }
        let database = try context.home()
        var set = ReadSet()
        set.databases = [database]
        set.zones = [.name(database, name)]
        let reading = try store.read(set)
        guard let row = reading.zones.first ?? nil else { throw Refusal.zoneNotFound(name) }
        let through = reading.databases.first.flatMap { $0?.recordNumber } ?? 0
        way = .byNumber(database, row.number, after: 0, through: through)
    }

    /// The next page; nil after the last one. May wait.
    package mutating func next() throws -> [FoundRecord]? {
        switch way {
        case .ofType(var walk):
            guard let (records, reading) = try walk.next(store) else { return nil }
            way = .ofType(walk)
            return found(records, reading)
        case .byNumber(let database, let zone, let after, let through):
            guard after < through else { return nil }
            var set = ReadSet()
            set.walks = [RecordWalk(database, above: after, through: through, limit: Self.pageRows)]
            let reading = try store.read(set)
            guard let page = reading.walks.first else { return nil }
            way = .byNumber(database, zone, after: page.position, through: through)
            return found(page.records.filter { $0.zone == zone }, reading)
        }
    }

    private func found(_ records: [RecordRow], _ reading: Reading) -> [FoundRecord] {
        records.compactMap { row in
            guard let type = reading.catalog.type(row.type), type.row.name == self.type.row.name else { return nil }
            return FoundRecord(record: StoredRecord(row: row, type: type), zone: zone)
        }
    }
}

extension Administration {
    /// All records of a type in one zone.
    ///
    /// - Parameter zoneName: Of the private database; nil for the default zone.
    package func pages(
        of type: Name, in place: RecordPlace, zone zoneName: String? = nil
    ) throws(AdminError) -> RecordPages {
        let store = try store(place.tenant)
        do { return try RecordPages(of: type, store, try context(of: place, store), zoneName: zoneName) } catch {
            throw AdminError(error)
        }
    }
}
