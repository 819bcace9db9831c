import Foundation
import NephosTesting
import Testing

/// Three users with four devices in one container, and a schema with types that not everybody may read.
///
/// Ada has a phone and a desk; Grace has one device; Rosa has one and holds the role `Members`.
struct Party: Sendable {
    enum Who: String, CaseIterable, Sendable { case phone, desk, grace, rosa }

    let container: TestContainer
    /// A server-to-server key, whose changes have no `clientId`.
    let keys: Credentials
    private let devices: [Who: Device]

    /// Types readable by everybody, by the role `Members` only, by the creator only; and the fence.
    private static let schema = """
        CREATE ROLE Members;
        \(type("Open", #"GRANT READ TO "_world", GRANT CREATE, WRITE TO "_icloud""#))
        \(type("Club", "GRANT READ, CREATE, WRITE TO Members"))
        \(type("Own", #"GRANT READ, WRITE TO "_creator", GRANT CREATE TO "_icloud""#))
        \(type("Fence", #"GRANT READ TO "_world", GRANT CREATE, WRITE TO "_icloud""#))
        """

    private static func type(_ name: String, _ grants: String) -> String {
        let fields = [
            #""___recordID" REFERENCE QUERYABLE"#, "n INT64 QUERYABLE", "title STRING QUERYABLE", "day TIMESTAMP",
            "place LOCATION", "ratio DOUBLE", "friend REFERENCE", "data BYTES", "tags LIST<STRING>",
            "hidden ENCRYPTED STRING",
        ]
        return "RECORD TYPE \(name) (\(fields.joined(separator: ", ")), \(grants));"
    }

    init(_ cloud: TestCloud) throws {
        container = try cloud.container()
        try container.importSchema(Self.schema)
        keys = .key(try container.key())
        for (email, name) in [("ada", "Ada"), ("grace", "Grace"), ("rosa", "Rosa")] {
            _ = try container.signIn("\(email)@example.org", name: "\(name) Example")
        }
        let apiToken = container.apiToken
        var devices: [Who: Device] = [:]
        for who in Who.allCases {
            let token = try container.session(Self.email(who))
            devices[who] = try Device(
                who.rawValue, container, .person(apiToken: apiToken, webAuthToken: token))
        }
        self.devices = devices
        try setRole(held: true)
        for who in [Who.desk, .grace, .rosa] {
            let client = try self[who].client
            try client.modifyZones("create", ["Notes", "Other"])
            for database in [Database.private, .public] { try client.subscribe(Self.fence, in: database) }
        }
    }

    static func email(_ who: Who) -> String {
        switch who {
        case .phone, .desk: "ada@example.org"
        case .grace, .rosa: "\(who.rawValue)@example.org"
        }
    }

    subscript(who: Who) -> Device { get throws { try #require(devices[who]) } }

    /// A client with the server-to-server key.
    var server: CloudKitClient { container.client(keys) }

    /// Gives the role `Members` to Rosa and Ada, or revokes it.
    func setRole(held: Bool, of people: [Who] = [.rosa, .phone]) throws {
        for who in people {
            try container.cloud.server.command(
                "role", held ? "assign" : "revoke", container.id, "Members", Self.email(who), "--environment",
                "development")
        }
    }

    // MARK: Recipients

    static let fence: JSON = [
        "subscriptionID": "fence", "subscriptionType": "query", "query": ["recordType": "Fence"],
        "firesOn": ["create"],
    ]

    /// Makes a change, and returns each device's notifications, in order; devices without any are not included.
    func told(of change: () throws -> Void) throws -> [Who: [JSON]] {
        try change()
        return try told()
    }

    /// The notifications of each device since the last call. Events are delivered in order within a database, so a device notified
    /// of a fence has been notified of everything before it in that database. After a kill it may be notified again of an earlier
    /// fence.
    func told() throws -> [Who: [JSON]] {
        var told: [Who: [JSON]] = [:]
        let (own, shared) = ("fence-\(UUID())", "fence-\(UUID())")
        for who in [Who.desk, .grace, .rosa] { try self[who].nameless.create("Fence", own, in: .private) }
        for who in Who.allCases { told[who, default: []] += try self[who].told(beforeFence: own) }
        try server.create("Fence", shared, in: .public)
        for who in Who.allCases { told[who, default: []] += try self[who].told(beforeFence: shared) }
        return told.filter { !$0.value.isEmpty }
    }

    /// Removes all subscriptions except the fences, for the following tests.
    func unsubscribeAll() throws {
        for who in [Who.desk, .grace, .rosa] {
            for database in [Database.private, .public] {
                let client = try self[who].client
                let list = try client.get("subscriptions/list", database).json["subscriptions"].elements
                for id in list.compactMap({ $0["subscriptionID"].string }) where id != "fence" {
                    try client.unsubscribe(id, in: database)
                }
            }
        }
    }
}
