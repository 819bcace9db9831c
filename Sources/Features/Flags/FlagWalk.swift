import CloudKitWire
import NephosRunner
import NephosStorage

/// All records that are flags, by their names, page by page: through the index of their type's names, so that it takes what flags take,
/// however much else the database holds. Until that index stands, all records of the database are looked at.
struct FlagWalk {
    private static let pageRows = 500
    private static let zone = ZoneKey.name(Flags.database, defaultZoneName)

    private enum Way {
        case index(after: QueryScan.Position?)
        case names(after: NameScan.Position?)
    }

    private let type: TypeNumber
    /// nil at the end.
    private var way: Way? = .index(after: nil)
    private var last: RecordRow?
    /// Indexes that served, and those that are missing.
    private(set) var used: [IndexNumber] = []
    private(set) var wanted: [IndexShape] = []

    init(_ type: TypeNumber) { self.type = type }

    /// The next page; nil after the last one. May wait.
    ///
    /// - Parameter set: What else is to be read in the same snapshot.
    mutating func next(_ store: any TenantStore, _ set: ReadSet = ReadSet()) throws(StorageError) -> (
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
                    // The names of both ways come in the same order.
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

    /// Has the index built that was missing, and the one kept that served.
    func note(in indexes: IndexKeeper, of store: any TenantStore, now: Milliseconds) {
        let place = IndexKeeper.Place(tenant: store.tenant, database: Flags.database)
        indexes.note(used, at: place, of: store, now: now)
        indexes.wish(for: wanted, at: place, of: store, now: now)
    }
}

extension TenantStore {
    /// All records of the type of flags, by their ids. May wait.
    func flags(of type: TypeNumber) throws(StorageError) -> [StoredFlag] {
        var (walk, flags): (FlagWalk, [StoredFlag]) = (FlagWalk(type), [])
        while let page = try walk.next(self) { flags += page.records.map(StoredFlag.init) }
        return flags
    }
}
