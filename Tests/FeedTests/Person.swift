import CloudKitWire
import NephosDomain
import NephosStorage
import NephosTesting
import TestEngines
import Testing

/// A user whose private database other processes write to, read through an engine of this one.
final class Person {
    static let container = "iCloud.org.example.feeds"
    static let account = "ADA"
    private static let tenant = Tenant(container: container, environment: .development)

    let place: TestStore
    /// The database's sequence number before anybody writes.
    let start: Int64
    let engine: any StorageEngine
    let store: any TenantStore
    private let context: RequestContext
    private let database: DatabaseNumber

    init() async throws {
        place = try TestStore()
        engine = try place.open()
        try engine.createContainer(
            ContainerRow(id: Self.container, createdAt: 1),
            seeds: Environment.allCases.map {
                .standard(
                    tenant: Tenant(container: Self.container, environment: $0),
                    signingKey: .init(repeating: 1, count: 32), now: 1)
            })
        store = try #require(try engine.open(Self.tenant))
        let enrolment = Enrolment.person(
            account: Self.account, newID: UserID(high: 1, low: 1), sessionID: .init(repeating: 2, count: 16),
            secret: .init(repeating: 3, count: 32), expiresAt: .max, now: 1)
        let session = try #require(try await store.commit(enrolment.reading, decide: enrolment.decide))
        database = session.privateDatabase
        try await Self.declareType(store, session)
        context = try Self.context(store, session)
        start = try #require(try store.read(Self.head(database)).databases[0]).sequence
    }

    deinit { engine.close() }

    private static func context(_ store: any TenantStore, _ session: SessionRow) throws -> RequestContext {
        RequestContext(catalog: try store.read(ReadSet()).catalog, caller: .person(session), scope: .private, now: 2)
    }

    /// Saves a record, so that the schema exists and no writer changes it.
    private static func declareType(_ store: any TenantStore, _ session: SessionRow) async throws {
        let json = #"""
            {"operations":[{"operationType":"create","record":{"recordName":"first","recordType":"Note",\#
            "fields":{"n":{"value":1}}}}]}
            """#
        let save = try ModifyRecords(RecordsModifyRequest(json: Bytes(json)), context: try context(store, session)) {
            "unused"
        }
        _ = try await store.commit(save.reading, decide: save.decide)
    }

    private static func head(_ database: DatabaseNumber) -> ReadSet {
        var set = ReadSet()
        set.databases = [database]
        return set
    }

    // MARK: Feeds

    /// Requests a page, like a device.
    func read(_ feed: Feed, token: String?, limit: Int) throws -> Observation {
        switch feed {
        case .zone(let name): try readZone(name, token: token, limit: limit)
        case .database: try readDatabase(token: token, limit: limit)
        }
    }

    private func readZone(_ name: String, token: String?, limit: Int) throws -> Observation {
        let wish = Self.wish(token, limit: limit)
        let request = try ZoneChangesRequest(json: Bytes(#"{"zones":[{"zoneID":{"zoneName":"\#(name)"},\#(wish)}]}"#))
        let operation = try ZoneChanges(request.zones, context: context)
        var set = operation.reading
        set.databases = [database]
        let reading = try store.read(set)
        let from = try token.map { Place(try ZoneToken($0, key: key)) }
        let outcome = try outcome {
            let page = try operation.answer(reading)[0].get()
            var items: [Item] = []
            page.forEachChange {
                items.append(Item($0.row))
            } deleted: { name, _, sequence in
                items.append(Item(name: name.text, sequence: sequence, state: nil))
            }
            return Observation.Page(
                items: items, token: page.syncToken,
                next: Place(try ZoneToken(page.syncToken, key: key)), more: page.moreComing)
        }
        return Observation(
            feed: .zone(name), from: from, limit: limit, snapshot: try #require(reading.databases[0]).sequence,
            purged: reading.zones[0]?.purgedSequence ?? 0, outcome: outcome)
    }

    private func readDatabase(token: String?, limit: Int) throws -> Observation {
        let request = try DatabaseChangesRequest(json: Bytes("{\(Self.wish(token, limit: limit))}"))
        let operation = try DatabaseChanges(request, context: context)
        let reading = try store.read(operation.reading)
        let from = try token.map { Place(try DatabaseToken($0, key: key)) }
        let outcome = try outcome {
            let page = try operation.answer(reading)
            return Observation.Page(
                items: try page.zones.map(item), token: page.syncToken,
                next: Place(try DatabaseToken(page.syncToken, key: key)), more: page.moreComing)
        }
        let head = try #require(reading.databases[0])
        return Observation(
            feed: .database, from: from, limit: limit, snapshot: head.sequence, purged: head.purgedSequence,
            outcome: outcome)
    }

    private var key: [UInt8] { context.catalog.head.signingKey }

    private static func wish(_ token: String?, limit: Int) -> String {
        let token = token.map { #","syncToken":"\#($0)""# } ?? ""
        return #""resultsLimit":\#(limit)\#(token)"#
    }

    private func outcome(_ page: () throws -> Observation.Page) throws -> Observation.Outcome {
        do {
            return .page(try page())
        } catch Refusal.zoneNotFound {
            return .absent
        } catch Refusal.tokenExpired {
            return .expired
        }
    }

    private func item(_ zone: DatabaseChanges.Zone) throws -> Item {
        let token = try zone.syncToken.map { try ZoneToken($0, key: key) }
        return Item(name: zone.zone.name.text, sequence: token?.sequence ?? 0, state: token.map { "\($0.zone)" })
    }

    // MARK: What is stored

    /// Everything in a live zone, including deletions.
    func stored(_ zone: ZoneRow) throws -> [FeedChange] {
        var set = ReadSet()
        set.feeds = [FeedScan(zone: .number(database, zone.number), bound: 0, limit: 10_000)]
        return try store.read(set).feeds[0].changes
    }

    /// All live zones except the default zone.
    func zones() throws -> [ZoneRow] {
        var set = ReadSet()
        set.zoneLists = [database]
        return try store.read(set).zoneLists[0].filter { !$0.isDefault }
    }
}

extension Place {
    fileprivate init(_ token: ZoneToken) {
        self.init(zone: token.zone, sequence: token.sequence, base: token.base)
    }

    fileprivate init(_ token: DatabaseToken) { self.init(zone: 0, sequence: token.sequence, base: token.base) }
}

extension Item {
    init(_ row: RecordRow) {
        self.init(name: row.name.text, sequence: row.sequence, state: String(decoding: row.fields, as: UTF8.self))
    }

    init(_ row: TombstoneRow) { self.init(name: row.name.text, sequence: row.sequence, state: nil) }
}
