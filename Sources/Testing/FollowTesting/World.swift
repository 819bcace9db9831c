import NephosTesting
import Synchronization

/// A server, two users who are subscribed to each other's changes, and their devices.
final class World: Sendable {
    static let people = ["ada@example.org", "bob@example.org"]
    /// A zone of each user that is never deleted, with its own subscription.
    static let fixed = "Fixed"

    let cloud: TestCloud
    private let container: TestContainer
    private let sessions: [String]
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
        for person in World.people.indices { try subscribe(person) }
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
        _ = try client.answer(
            "zones/modify", .private, ["operations": [["operationType": "create", "zone": ["zoneID": zoneID]]]])
        func create(_ subscription: JSON) -> JSON { ["operationType": "create", "subscription": subscription] }
        let own = try client.answer(
            "subscriptions/modify", .private,
            [
                "operations": [
                    create(["subscriptionID": "everything", "subscriptionType": "database"]),
                    create(["subscriptionID": "fixed", "subscriptionType": "zone", "zoneID": zoneID]),
                ]
            ])
        let filter: JSON = [
            "fieldName": "kind", "comparator": "EQUALS", "fieldValue": ["value": .string(Watched.kind)],
        ]
        let shared = try client.answer(
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
        for item in own["subscriptions"].elements + shared["subscriptions"].elements
        where !item["serverErrorCode"].isAbsent { throw UnexpectedAnswer(description: "subscriptions/modify: \(item)") }
    }
}
