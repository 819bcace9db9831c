import CloudKitWire
package import NephosStorage

/// Walks all records of a type in the default zone of the public database, ordered by name, page by page. It uses the index of the type's
/// names, so that the cost depends only on the number of these records. Until that index is built, all records of the database are scanned.
package struct TypeWalk {
    private static let pageRows = 500
    private static let database: DatabaseNumber = 1
    private static let zone = ZoneKey.name(database, defaultZoneName)

    private enum Way {
        case index(after: QueryScan.Position?)
        case names(after: NameScan.Position?)
    }

    private let type: TypeNumber
    /// nil at the end.
    private var way: Way? = .index(after: nil)
    private var last: RecordRow?
    private var lacksIndex = false
    /// Indexes that were used, and those that are missing.
    package private(set) var used: [IndexNumber] = []
    package private(set) var wanted: [IndexShape] = []

    package init(_ type: TypeNumber) { self.type = type }

    /// The next page; nil after the last one. Blocks.
    ///
    /// - Parameter set: What else to read in the same snapshot.
    package mutating func next(_ store: any TenantStore, _ set: ReadSet = ReadSet()) throws(StorageError) -> (
        records: [RecordRow], reading: Reading
    )? {
        var set = set
        while let way {
            switch way {
            case .index(let after):
                set.queries = [QueryScan(extent: .zone(Self.zone), type: type, after: after, limit: Self.pageRows)]
                let reading = try store.read(set)
                let page = reading.queries[0]
                (used, wanted) = (page.used, page.wanted)
                guard page.isAnswered else {
                    lacksIndex = true
                    // Both ways return names in the same order.
                    self.way = .names(after: last.map { NameScan.Position(zone: $0.zone, name: $0.name) })
                    set.queries = []
                    continue
                }
                self.way = page.next.map { .index(after: $0) }
                last = page.records.last ?? last
                return (page.records, reading)
            case .names(let after):
                set.names = [NameScan(place: .zone(Self.zone), type: type, after: after, limit: Self.pageRows)]
                let reading = try store.read(set)
                let page = reading.names[0]
                self.way = page.next.map { .names(after: $0) }
                return (page.records, reading)
            }
        }
        return nil
    }

    /// Builds the index that was missing, and notes use of the one that was used.
    package func note(in indexes: IndexKeeper, of store: any TenantStore, now: Milliseconds) {
        let place = IndexKeeper.Place(tenant: store.tenant, database: Self.database)
        indexes.note(used, at: place, of: store, now: now)
        if lacksIndex {
            indexes.build(wanted, at: place, of: store)
        } else {
            indexes.requestIndexes(for: wanted, at: place, of: store, now: now)
        }
    }
}
