import NephosTesting
import Synchronization

/// A server, two users who share a zone with each other and are subscribed to each other's changes, and their devices.
final class World: Sendable {
    static let people = ["ada@example.org", "bob@example.org"]
    /// A zone of each user that is never deleted, with its own subscription.
    static let fixed = "Fixed"
    /// A zone of each user that the other one is in, from time to time.
    static let common = "Common"

    let cloud: TestCloud
    private let container: TestContainer
    private let sessions: [String]
    /// The users' record names.
    let names: [String]
    private let down = Atomic<Bool>(false)

    init() throws {
        cloud = try TestCloud()
        let container = try cloud.container()
        try container.importSchema(
            """
            RECORD TYPE Entry (
                n INT64, kind STRING QUERYABLE,
                GRANT WRITE TO "_icloud", GRANT CREATE TO "_icloud", GRANT READ TO "_world"
            );
            RECORD TYPE Note (n INT64, GRANT WRITE TO "_creator", GRANT CREATE TO "_icloud", GRANT READ TO "_world");
            """)
        self.container = container
        sessions = try World.people.map { try container.signIn($0) }
        names = try sessions.map { session in
            let client = container.client(.person(apiToken: container.apiToken, webAuthToken: session))
            let caller = try client.answer("users/caller", .public, [:])
            guard let name = caller["userRecordName"].string else {
                throw UnexpectedAnswer(description: "users/caller: \(caller)")
            }
            return name
        }
        for person in World.people.indices { try subscribe(person) }
    }

    /// Shares the user's common zone with the other user, who accepts; or ends the share.
    func share(_ isShared: Bool, of person: Int) throws {
        let other = 1 - person
        var record: JSON = ["recordName": "cloudkit.zoneshare", "recordType": "cloudkit.share"]
        if isShared {
            let name: JSON = .string(names[other])
            record["participants"] = [["permission": "READ_WRITE", "userIdentity": ["userRecordName": name]]]
        }
        let operation: JSON = ["operationType": isShared ? "create" : "forceDelete", "record": record]
        let saved = try client(person, nil).answer(
            "records/modify", .private,
            ["zoneID": ["zoneName": .string(World.common)], "operations": [operation]])["records"][0]
        guard saved["serverErrorCode"].isAbsent else { throw UnexpectedAnswer(description: "a share: \(saved)") }
        guard isShared else { return }
        let accepted = try client(other, nil).answer(
            "records/accept", .public, ["shortGUIDs": [["value": saved["shortGUID"]]]])["results"][0]
        guard accepted["serverErrorCode"].isAbsent else {
            throw UnexpectedAnswer(description: "records/accept: \(accepted)")
        }
    }

    var port: Int { cloud.server.port }

    /// Whether the server is down, or has just been restarted.
    var isDown: Bool { down.load(ordering: .relaxed) }

    /// Kills the server, and restarts it.
    func restart() throws {
        down.store(true, ordering: .relaxed)
        try cloud.process.kill()
        try cloud.process.start()
        down.store(false, ordering: .relaxed)
    }

    /// A client of a device, or of a website, which names no device.
    func client(_ person: Int, _ device: String?) -> CloudKitClient {
        let client = container.client(.person(apiToken: container.apiToken, webAuthToken: sessions[person]))
        if let device { client.query = ["clientId=\(device)"] }
        return client
    }

    /// Path and query of the URL where the device polls for its notifications.
    func register(_ device: String, of person: Int) throws -> String {
        let answer = try client(person, nil).answer(
            "tokens/create", nil, ["apnsEnvironment": "development", "clientId": .string(device)])
        guard let url = answer["webcourierURL"].string, let path = url.firstRange(of: "/device/") else {
            throw UnexpectedAnswer(description: "tokens/create: \(answer)")
        }
        return String(url[path.lowerBound...])
    }

    private func subscribe(_ person: Int) throws {
        let client = client(person, nil)
        let zoneID: JSON = ["zoneName": .string(World.fixed)]
        let zones = [zoneID, ["zoneName": .string(World.common)]]
        _ = try client.answer(
            "zones/modify", .private,
            ["operations": .array(zones.map { ["operationType": "create", "zone": ["zoneID": $0]] })])
        func create(_ subscription: JSON) -> JSON { ["operationType": "create", "subscription": subscription] }
        let own = try client.answer(
            "subscriptions/modify", .private,
            [
                "operations": [
                    create(["subscriptionID": "everything", "subscriptionType": "database"]),
                    create(["subscriptionID": "fixed", "subscriptionType": "zone", "zoneID": zoneID]),
                ]
            ])
        let others = try client.answer(
            "subscriptions/modify", .shared,
            ["operations": [create(["subscriptionID": "others", "subscriptionType": "database"])]])
        let filter: JSON = [
            "fieldName": "kind", "comparator": "EQUALS", "fieldValue": ["value": .string(Watched.kind)],
        ]
        let watched = try client.answer(
            "subscriptions/modify", .public,
            [
                "operations": [
                    create([
                        "subscriptionID": "watched", "subscriptionType": "query",
                        "query": ["recordType": "Entry", "filterBy": [filter]],
                        "firesOn": ["create", "update", "delete"],
                    ])
                ]
            ])
        for item in [own, others, watched].flatMap(\.["subscriptions"].elements)
        where !item["serverErrorCode"].isAbsent { throw UnexpectedAnswer(description: "subscriptions/modify: \(item)") }
    }
}
