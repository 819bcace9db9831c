import NephosTesting
import Synchronization

/// A server on which people share zones and records, and the requests whose instructions are measured.
struct SharingRequests {
    typealias Row = RatioRow<People>

    /// The people who send requests, each over their own connection.
    struct People {
        /// Has records of their own, and zones with shares.
        let owner: CloudKitClient
        /// Participates in the owner's shares, and in 1,000 zones of ten others.
        let member: CloudKitClient
        /// Has opened the address of a public share.
        let visitor: CloudKitClient
    }

    private static let container = "iCloud.test.sharing"
    private static let records = 200
    /// Whoever participates in the zone `Crowd`, besides its owner.
    private static let crowd = 99

    let store: TestStore
    private let credentials: (owner: Credentials, member: Credentials, visitor: Credentials)
    private let ownerName: String

    /// Fills a store with `program`, and stops it.
    init(program: String) throws {
        store = try TestStore(.sqlite)
        let server = try ServerProcess(executable: program, store: store)
        try server.command("container", "create", Self.container)
        let apiToken = try server.command("token", "create", Self.container)
        func person(_ name: String) throws -> (credentials: Credentials, client: CloudKitClient, name: String) {
            let email = "\(name)@example.org"
            try server.command("account", "create", email)
            let credentials = Credentials.person(
                apiToken: apiToken, webAuthToken: try server.command("session", "create", Self.container, email))
            let client = Self.client(server, credentials)
            let caller = try Self.ask(client, .public, "users/caller", "{}").json["userRecordName"].string
            return (credentials, client, caller ?? "")
        }
        let (owner, member, visitor) = (try person("ada"), try person("grace"), try person("alan"))
        credentials = (owner.credentials, member.credentials, visitor.credentials)
        ownerName = owner.name

        // Own records, and the same records in shares of each kind.
        for zone in ["Own", "Zone", "Record", "Public", "Alone", "Crowd"] {
            try Self.makeZones([zone], owner.client)
            if zone != "Alone", zone != "Crowd" { try Self.fill(zone, owner.client) }
        }
        try Self.makeZones(["Own"], member.client)
        try Self.fill("Own", member.client)
        try Self.modify(
            owner.client, .public, zone: "_defaultZone", (0..<Self.records).map { Self.save("r\($0)", parent: nil) })
        for (zone, root, permission) in [("Zone", nil, "NONE"), ("Record", "r0", "NONE"), ("Public", nil, "READ_ONLY")]
        {
            let invited = permission == "NONE" ? [member.name] : []
            let guid = try Self.share(zone, root, invited, permission: permission, owner.client)
            try Self.accept([guid], invited.isEmpty ? visitor.client : member.client)
        }

        // A share of a hundred participants, its owner included. One has accepted: whoever has is notified of a save in the background,
        // a commit for each person, which is not what a save costs.
        let others = try (1..<Self.crowd).map { try person("person\($0)") }
        let guid = try Self.share("Crowd", nil, [member.name] + others.map(\.name), owner.client)
        try Self.accept([guid], member.client)

        // A shared database of 1,000 zones: those of the owner above, and those of ten others.
        let zones = (0..<100).map { "Zone\($0)" }
        for other in others.prefix(10) {
            try Self.makeZones(zones, other.client)
            let guids = try zones.prefix(other.name == others[0].name ? 97 : 100).map {
                try Self.share($0, nil, [member.name], other.client)
            }
            try Self.accept(guids, member.client)
        }
        try server.stop()
    }

    private static func client(_ server: ServerProcess, _ credentials: Credentials) -> CloudKitClient {
        CloudKitClient(port: server.port, container: container, credentials: credentials, timeout: 600)
    }

    func people(_ server: ServerProcess) -> People {
        People(
            owner: Self.client(server, credentials.owner), member: Self.client(server, credentials.member),
            visitor: Self.client(server, credentials.visitor))
    }

    // MARK: Requests

    @discardableResult
    private static func ask(
        _ client: CloudKitClient, _ database: Database, _ endpoint: String, _ body: String
    ) throws -> HTTPResponse {
        let response = try client.send("POST", client.path(endpoint, database), body: Array(body.utf8))
        let json = try response.json
        let errors = ([json] + json["records"].elements + json["results"].elements + json["zones"].elements)
            .filter { !$0["serverErrorCode"].isAbsent }
        guard response.status == 200, errors.isEmpty else {
            throw Wrk.Failure(description: "\(endpoint): \(response.status) \(errors.first ?? json)")
        }
        return response
    }

    private static func makeZones(_ names: [String], _ client: CloudKitClient) throws {
        let operations = names.map { #"{"operationType":"create","zone":{"zoneID":{"zoneName":"\#($0)"}}}"# }
        try ask(client, .private, "zones/modify", #"{"operations":[\#(operations.joined(separator: ","))]}"#)
    }

    /// Saves a record, and others with that one as parent.
    private static func fill(_ zone: String, _ client: CloudKitClient) throws {
        try modify(
            client, .private, zone: zone, (0..<records).map { save("r\($0)", parent: $0 == 0 ? nil : "r0") })
    }

    private static func save(_ name: String, parent: String?) -> String {
        #"""
        {"operationType":"create","record":{"recordName":"\#(name)","recordType":"Note"\#(
            parent.map { #","parent":{"recordName":"\#($0)"}"# } ?? ""),"fields":{\#(BenchRecord.fields)}}}
        """#
    }

    @discardableResult
    private static func modify(
        _ client: CloudKitClient, _ database: Database, zone: String, owner: String? = nil, _ operations: [String]
    ) throws -> HTTPResponse {
        try ask(
            client, database, "records/modify",
            #"{"zoneID":\#(zoneID(zone, owner)),"operations":[\#(operations.joined(separator: ","))]}"#)
    }

    private static func zoneID(_ name: String, _ owner: String?) -> String {
        #"{"zoneName":"\#(name)"\#(owner.map { #","ownerRecordName":"\#($0)""# } ?? "")}"#
    }

    /// Shares a zone, or a record with all below it.
    ///
    /// - Returns: The short GUID.
    private static func share(
        _ zone: String, _ root: String?, _ people: [String], permission: String = "NONE", _ client: CloudKitClient
    ) throws -> String {
        let participants = people.map {
            """
            {"type":"USER","permission":"READ_WRITE","acceptanceStatus":"INVITED",\
            "userIdentity":{"lookupInfo":{"userRecordName":"\($0)"}}}
            """
        }
        let response = try modify(
            client, .private, zone: zone,
            [
                #"""
                {"operationType":"create","record":{"recordName":"\#(root == nil ? "cloudkit.zoneshare" : "share")",\#
                "recordType":"cloudkit.share"\#(root.map { #","forRecord":{"recordName":"\#($0)"}"# } ?? ""),\#
                "publicPermission":"\#(permission)","participants":[\#(participants.joined(separator: ","))]}}
                """#
            ])
        guard let guid = try response.json["records"][0]["shortGUID"].string else {
            throw Wrk.Failure(description: response.text)
        }
        return guid
    }

    private static func accept(_ guids: [String], _ client: CloudKitClient) throws {
        let list = guids.map { #"{"value":"\#($0)"}"# }.joined(separator: ",")
        try ask(client, .public, "records/accept", #"{"shortGUIDs":[\#(list)]}"#)
    }

    private static func lookUp(
        _ client: CloudKitClient, _ database: Database, _ zone: String, of owner: String? = nil, _ number: Int
    ) throws -> HTTPResponse {
        try ask(
            client, database, "records/lookup",
            #"{"zoneID":\#(zoneID(zone, owner)),"records":[{"recordName":"r\#(number * 41 % records)"}]}"#)
    }

    // MARK: Measured requests

    /// Rows that are compared alternate.
    var together: [[Row]] { [lookups, publicLookups, changes, saves] }

    private var lookups: [Row] {
        let (own, aim) = ("lookup of an own record", ("lookup of an own record", 1.15))
        return [
            Row(own, count: 400) { try Self.lookUp($0.member, .private, "Own", $1) },
            Row("lookup in a shared zone", count: 400, aim: aim) { [ownerName] in
                try Self.lookUp($0.member, .shared, "Zone", of: ownerName, $1)
            },
            Row("lookup of a record in a share", count: 400, aim: (own, 1.2)) { [ownerName] in
                try Self.lookUp($0.member, .shared, "Record", of: ownerName, $1)
            },
            Row("lookup in a shared zone, by its owner", count: 400, aim: aim) {
                try Self.lookUp($0.owner, .private, "Zone", $1)
            },
        ]
    }

    private var publicLookups: [Row] {
        [
            Row("lookup of a public record", count: 400) { try Self.lookUp($0.visitor, .public, "_defaultZone", $1) },
            Row("lookup in a public share", count: 400, aim: ("lookup of a public record", 1.15)) { [ownerName] in
                try Self.lookUp($0.visitor, .shared, "Public", of: ownerName, $1)
            },
        ]
    }

    private var changes: [Row] {
        let tokens = SyncTokens()
        return [
            Row("changes/database with nothing new", count: 400) { people, _ in
                try tokens.follow(people.member, .private)
            },
            Row(
                "changes/database with nothing new, of 1,000 shared zones", count: 400,
                aim: ("changes/database with nothing new", 1.1)
            ) { people, _ in try tokens.follow(people.member, .shared) },
        ]
    }

    private var saves: [Row] {
        let aim = ("create of an own record", 1.3)
        return [
            Row("create of an own record", count: 400) {
                try Self.modify($0.owner, .private, zone: "Alone", [Self.save("new\($1)", parent: nil)])
            },
            Row("create among 100 participants, by the owner", count: 400, aim: aim) {
                try Self.modify($0.owner, .private, zone: "Crowd", [Self.save("new\($1)", parent: nil)])
            },
            Row("create among 100 participants, by one of them", count: 400, aim: aim) { [ownerName] in
                try Self.modify(
                    $0.member, .shared, zone: "Crowd", owner: ownerName, [Self.save("theirs\($1)", parent: nil)])
            },
        ]
    }

    /// Where each database's feed ended.
    private final class SyncTokens: Sendable {
        private let tokens = Mutex<[Database: String]>([:])

        func follow(_ client: CloudKitClient, _ database: Database) throws -> HTTPResponse {
            while true {
                let token = tokens.withLock { $0[database] }
                let response = try SharingRequests.ask(
                    client, database, "changes/database", token.map { #"{"syncToken":"\#($0)"}"# } ?? "{}")
                let json = try response.json
                tokens.withLock { $0[database] = json["syncToken"].string }
                if token != nil, json["moreComing"] != true { return response }
            }
        }
    }
}
