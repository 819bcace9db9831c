import CloudKitWire
import Foundation
import NephosAdmin
import NephosBackend
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import TestEngines
import Testing

/// A container with an owner, whose zone `Notes` has a tree of records, and two others.
struct SharingCloud {
    enum Person: CaseIterable {
        case owner, friend, third

        var email: String {
            switch self {
            case .owner: "ada@example.org"
            case .friend: "grace@example.org"
            case .third: "alan@example.org"
            }
        }
    }

    let cloud: SmallCloud
    private let app: App
    private let names: [Person: String]

    /// A container and the credentials of its people.
    private struct App {
        let tenant: Tenant
        let apiToken: String
        var tokens: [Person: String] = [:]
    }

    /// Records of the zone: each with its parent.
    static let tree = [("above", nil), ("root", "above"), ("a", "root"), ("b", "a"), ("hidden", nil), ("other", nil)]

    private let stored: TestStore

    /// - Parameter committed: Called with the content of commits.
    init(committed: @escaping @Sendable (CommitReport) -> Void = { _ in }) async throws {
        let stored = try TestStore.withTables(nil, SmallCloud.tables(with: []))
        self.stored = stored
        cloud = try await SmallCloud(
            on: OtherEngine { try stored.open(tables: $0, committed: committed) })
        app = App(
            tenant: SmallCloud.tenant, apiToken: cloud.apiToken,
            tokens: [
                .owner: cloud.webAuthToken, .friend: cloud.friendsToken,
                .third: try await cloud.signIn(Person.third.email),
            ])
        names = try Self.names(cloud, app)
        try ok(
            "private/zones/modify",
            #"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"Notes"}}}]}"#,
            as: .owner)
        try modify(Self.tree.map { save($0, parent: $1) })
    }

    /// Another container of the same server, with the same people, where nobody has a zone yet.
    init(beside other: SharingCloud) async throws {
        (cloud, stored) = (other.cloud, other.stored)
        let administration = cloud.administration
        let tenant = Tenant(container: "iCloud.org.nephos.other", environment: .development)
        try administration.createContainer(tenant.container)
        _ = try await administration.importSchema(Array(SmallCloud.schema.utf8), into: tenant)
        var app = App(tenant: tenant, apiToken: try await administration.createAPIToken(in: tenant, name: "other"))
        for person in Person.allCases {
            app.tokens[person] = try await administration.createSession(in: tenant, email: person.email)
        }
        self.app = app
        names = try Self.names(cloud, app)
    }

    private static func names(_ cloud: SmallCloud, _ app: App) throws -> [Person: String] {
        try Person.allCases.reduce(into: [:]) { names, person in
            names[person] = try json(cloud, app, "public/users/caller", "{}", as: person)["userRecordName"].string
        }
    }

    /// Another server on the same store. The engine must be closed.
    ///
    /// - Parameter fuse: When it dies.
    func secondServer(_ fuse: Fuse? = nil) throws -> (server: Backend, engine: any StorageEngine) {
        let engine = try stored.open(tables: SmallCloud.tables(with: []))
        return (try cloud.anotherServer(on: fuse.map { CrashingEngine(engine, $0) } ?? engine), engine)
    }

    func name(_ person: Person) -> String { names[person] ?? "" }

    /// The findings of `nephos check`.
    func check() throws -> [CheckFinding] { try cloud.check(app.tenant) }

    /// The owner's zone as others name it.
    var zoneID: String { #"{"zoneName":"Notes","ownerRecordName":"\#(name(.owner))"}"# }

    // MARK: Requests

    func json(_ path: String, _ body: String, as person: Person) throws -> JSON {
        try Self.json(cloud, app, path, body, as: person)
    }

    /// The same for a client that gets more keys.
    func cloudJSON(_ path: String, _ body: String, as person: Person) throws -> JSON {
        try Self.json(cloud, app, path, body, as: person, headers: [("X-Nephos-Client", "1")])
    }

    /// The bytes of a response.
    func response(_ path: String, _ body: String, as person: Person) throws -> [UInt8] {
        try Self.response(cloud, app, path, body, as: person)
    }

    private static func json(
        _ cloud: SmallCloud, _ app: App, _ path: String, _ body: String, as person: Person,
        headers: [(String, String)] = []
    ) throws -> JSON {
        try JSON(reading: response(cloud, app, path, body, as: person, headers: headers))
    }

    private static func response(
        _ cloud: SmallCloud, _ app: App, _ path: String, _ body: String, as person: Person,
        headers: [(String, String)] = [], below root: String = "database"
    ) throws -> [UInt8] {
        let container = "\(app.tenant.container)/\(app.tenant.environment.rawValue)"
        let token = percentEncoded(app.tokens[person] ?? "")
        let target = "/\(root)/1/\(container)/\(path)?ckAPIToken=\(app.apiToken)&ckWebAuthToken=\(token)"
        return try cloud.ask("POST", target, body, headers: headers, as: .stranger).body
    }

    @discardableResult
    func ok(_ path: String, _ body: String, as person: Person) throws -> JSON {
        let answer = try json(path, body, as: person)
        try #require(answer["serverErrorCode"].isAbsent, "\(path): \(answer)")
        return answer
    }

    /// The owner's operations. - Returns: The records of the response.
    @discardableResult
    func modify(_ operations: [String], atomic: Bool = true, zone: String = "Notes") throws -> [JSON] {
        try ok(
            "private/records/modify",
            #"{"zoneID":{"zoneName":"\#(zone)"},"atomic":\#(atomic),"operations":[\#(operations.joined(separator: ","))]}"#,
            as: .owner)["records"].elements
    }

    func save(_ name: String, parent: String? = nil, kind: String = "create", text: String? = nil, tag: String? = nil)
        -> String
    {
        #"""
        {"operationType":"\#(kind)","record":{"recordName":"\#(name)","recordType":"Note",
        "fields":{"text":{"value":"\#(text ?? "text of \(name)")"},"count":{"value":1}}
        \#(tag.map { #","recordChangeTag":"\#($0)""# } ?? "")
        \#(parent.map { #","parent":{"recordName":"\#($0)"}"# } ?? "")}}
        """#
    }

    func delete(_ name: String) -> String {
        #"{"operationType":"forceDelete","record":{"recordName":"\#(name)"}}"#
    }

    /// Creates a share, or changes the one of this name.
    func share(
        _ name: String, of root: String?, _ participants: [String]? = nil, permission: String? = nil,
        tag: String? = nil,
        kind: String? = nil, more: String = ""
    ) -> String {
        let members = [
            #""recordName":"\#(name)""#, #""recordType":"cloudkit.share""#,
            root.map { #""forRecord":{"recordName":"\#($0)"}"# }, tag.map { #""recordChangeTag":"\#($0)""# },
            permission.map { #""publicPermission":"\#($0)""# },
            participants.map { #""participants":[\#($0.joined(separator: ","))]"# },
            #""fields":{"cloudkit.title":{"value":"Title of \#(name)"}}"#,
        ].compactMap(\.self).joined(separator: ",")
        return #"{"operationType":"\#(kind ?? (tag == nil ? "create" : "update"))","record":{\#(members)\#(more)}}"#
    }

    func participant(_ person: Person, _ permission: String = "READ_WRITE", type: String = "USER") -> String {
        #"{"type":"\#(type)","permission":"\#(permission)","acceptanceStatus":"INVITED","userIdentity":{"lookupInfo":{"userRecordName":"\#(name(person))"}}}"#
    }

    func record(_ name: String, zone: String = "Notes") throws -> JSON {
        try ok(
            "private/records/lookup", #"{"zoneID":{"zoneName":"\#(zone)"},"records":[{"recordName":"\#(name)"}]}"#,
            as: .owner)["records"][0]
    }

    func accept(_ guid: String, as person: Person) throws -> JSON {
        try ok("public/records/accept", #"{"shortGUIDs":[{"value":"\#(guid)"}]}"#, as: person)["results"][0]
    }

    func resolve(_ guid: String, as person: Person) throws -> JSON {
        try ok(
            "public/records/resolve", #"{"shortGUIDs":[{"value":"\#(guid)","shouldFetchRootRecord":true}]}"#, as: person
        )[
            "results"][0]
    }

    /// The names of the records in the feed of the owner's zone, to its end.
    func followed(by person: Person) throws -> Set<String> {
        var names: Set<String> = []
        var token: String?
        var isMore = true
        while isMore {
            let sent = token.map { #","syncToken":"\#($0)""# } ?? ""
            let page = try ok(
                "shared/changes/zone", #"{"zones":[{"zoneID":\#(zoneID)\#(sent)}]}"#, as: person)["zones"][0]
            names.formUnion(
                page["records"].elements.filter { $0["recordType"] == "Note" }.compactMap { $0["recordName"].string })
            (token, isMore) = (page["syncToken"].string, page["moreComing"] == .bool(true))
        }
        return names
    }

    /// The names of the records of the owner's zone that somebody finds; nil if the zone does not exist for them.
    func seen(by person: Person, zone: String = "Notes") throws -> Set<String>? {
        let id = #"{"zoneName":"\#(zone)","ownerRecordName":"\#(name(.owner))"}"#
        let query = try json("shared/records/query", #"{"zoneID":\#(id),"query":{"recordType":"Note"}}"#, as: person)
        let changes = try json("shared/changes/zone", #"{"zones":[{"zoneID":\#(id)}]}"#, as: person)["zones"][0]
        if query["serverErrorCode"] == "ZONE_NOT_FOUND" {
            #expect(changes["serverErrorCode"] == "ZONE_NOT_FOUND")
            return nil
        }
        let names = Set(query["records"].elements.compactMap(\.["recordName"].string))
        let followed = changes["records"].elements.filter { $0["recordType"] == "Note" }
            .compactMap(\.["recordName"].string)
        #expect(Set(followed) == names, "the feed and the query of \(person)")
        return names
    }

    // MARK: Indexes

    /// Builds indexes of notes in somebody's database. A query that waits for one blocks a thread that tests may need to build it.
    func buildIndexes(_ parts: [[IndexShape.Part]], of person: Person) async throws {
        let store = try #require(try cloud.engine.open(app.tenant))
        let type = try #require(try store.read(ReadSet()).catalog.types["Note"]).row.number
        let id = try #require(UserID(recordName: name(person)))
        let database = try #require(try store.rows(UserRow.keyed([id])).first).privateDatabase
        let shapes = parts.map { IndexShape(type: type, parts: $0) }
        try await store.openIndexes(shapes, in: database, at: cloud.inputs.now)
        while try await store.buildIndexes(in: database, rows: 500) {}
    }

    // MARK: Files

    /// Sends a request to a URL of a file.
    func exchange(
        _ method: String, _ url: String, _ body: String = "", type: String = "image/png", name: String = "photo"
    ) throws -> HTTPResponse {
        let start = try #require(url.firstRange(of: "/asset/"))
        let target = String(url[start.lowerBound...]).replacing("${f}", with: name)
        let request = cloud.request(
            method, target, headers: body.isEmpty ? [] : [("Content-Type", type)], body: Array(body.utf8), as: .stranger
        )
        return try cloud.begin(request) { error, _ in Issue.record("\(error)") }.head()
    }

    /// Requests a URL for the upload of a file.
    ///
    /// - Parameter zone: A zone ID.
    func offer(_ scope: String, as person: Person, zone: String, record: String = "a") throws -> JSON {
        try json(
            "\(scope)/assets/upload",
            #"{"zoneID":\#(zone),"tokens":[{"recordName":"\#(record)","recordType":"Note","fieldName":"file"}]}"#,
            as: person)
    }

    /// The value for a field, of the response to an upload.
    func fileValue(of response: HTTPResponse) throws -> String {
        let file = try response.json["singleFile"]
        let sum = try #require(file["fileChecksum"].string, "\(String(decoding: response.body, as: UTF8.self))")
        let size = try #require(file["size"].int64)
        let receipt = try #require(file["receipt"].string)
        return #"{"fileChecksum":"\#(sum)","size":\#(size),"receipt":"\#(receipt)"}"#
    }

    // MARK: Notifications

    /// The payloads that wait for devices, by their person, without those that were seen before; while notifications are delivered.
    func payloads() async throws -> [UserID: [String]] {
        // From then on a job looks for undelivered events.
        cloud.inputs.now += 120_000
        await cloud.runDueJobs()
        let isSettled = try await Deadline().awaits { try cloud.isSettled(app.tenant) }
        #expect(isSettled)
        let store = try #require(try cloud.engine.open(app.tenant))
        var found: [UserID: [String]] = [:]
        for device in try store.rows(DeviceRow.all(.courier, limit: 100)) {
            let rows = try store.rows(DeliveryRow.of(device.key, limit: 100))
            guard !rows.isEmpty else { continue }
            found[device.key.user, default: []] += rows.map { String(decoding: $0.payload, as: UTF8.self) }
            var set = ReadSet()
            set.databases = Set(rows.map(\.key.database)).sorted()
            try await store.commit(set) { _ -> Decision<Void> in
                var writes = WriteSet()
                for row in rows { writes.remove(row) }
                return .write(writes, ())
            }
        }
        return found
    }

    /// Subscribes a device of somebody to their shared database.
    func subscribe(_ person: Person) throws {
        try ok(
            "shared/subscriptions/modify",
            #"{"operations":[{"operationType":"create","subscription":{"subscriptionID":"all","subscriptionType":"database"}}]}"#,
            as: person)
        let device = try Self.response(
            cloud, app, "tokens/create", #"{"apnsEnvironment":"development"}"#, as: person, below: "device")
        try #require(try JSON(reading: device)["serverErrorCode"].isAbsent)
    }

    // MARK: People who leave for good

    /// Deletes the account of somebody, as far as that is possible before others are notified.
    ///
    /// - Parameter engine: Of another server that does it; nil for that of this one.
    /// - Returns: Whether it is gone.
    func erase(_ person: Person, on engine: (any StorageEngine)? = nil) async throws -> Bool {
        let engine = engine ?? cloud.engine
        guard let account = try engine.account(email: person.email) else { return true }
        let row = AccountDeletionRow(
            account: account.id, askedAt: cloud.inputs.now, dueAt: cloud.inputs.now, takesPublic: false)
        let rows = AccountDeletionRow.keyed(account.id)
        var set = ReadSet()
        set.ask(rows)
        try engine.directory.commit(set) { reading -> Decision<Void> in
            var writes = WriteSet()
            if reading[rows].isEmpty { writes.put(row) }
            return .write(writes, ())
        }
        let worker = Worker(Runner(engine: engine), clock: { [inputs = cloud.inputs] in inputs.now })
        return try await AccountErasure(worker, files: cloud.files, features: []).run(row, keep: {})
    }
}
