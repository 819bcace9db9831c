import NephosTesting
import Synchronization
import Testing

/// docs/decisions/0064; docs/sharing.md: whoever is removed sees nothing from the next request on, on any server.
@Suite("Access to shares on several servers", .serialized) struct ShareRevocationTests {
    private static let readers = 16
    private static let rounds = 8
    /// Reads of each reader after the owner has the response.
    private static let lateReads = 6

    private let fleet: Fleet
    private let friend: Credentials
    private let (ownerName, friendName): (String, String)

    init() throws {
        fleet = try Fleet(2)
        let command = fleet.servers[0].command
        let folder = try TemporaryFolder(prefix: "nephos-schema")
        let schema = """
            DEFINE SCHEMA
                RECORD TYPE Note (
                    "___recordID" REFERENCE QUERYABLE,
                    text STRING,
                    GRANT WRITE TO "_creator", GRANT CREATE TO "_icloud", GRANT READ TO "_world"
                );
            """
        try writeFile(folder.path + "/schema.ckdb", schema.utf8)
        try command("schema", "import", fleet.container, folder.path + "/schema.ckdb")
        try command("account", "create", "grace@example.org")
        friend = .person(
            apiToken: try command("token", "create", fleet.container, "--name", "of the friend"),
            webAuthToken: try command("session", "create", fleet.container, "grace@example.org"))
        func name(_ client: CloudKitClient) throws -> String {
            try #require(try client.post("users/caller", .public).json["userRecordName"].string)
        }
        (ownerName, friendName) = (try name(fleet.client(0)), try name(fleet.client(0, friend)))
    }

    /// The owner's requests to one of the servers.
    private func modify(_ operation: JSON, at server: Int) throws -> JSON {
        let response = try fleet.client(server).post(
            "records/modify", .private,
            ["zoneID": ["zoneName": .string(Fleet.zone)], "operations": [operation]])
        let record = try response.json["records"][0]
        guard response.status == 200, record["serverErrorCode"].isAbsent else {
            throw UnexpectedAnswer(description: "\(response.status): \(response.text)")
        }
        return record
    }

    private func save(_ name: String, below parent: String? = nil) -> JSON {
        [
            "operationType": "forceUpdate",
            "record": [
                "recordName": .string(name), "recordType": "Note", "fields": ["text": ["value": "what is shared"]],
                "parent": parent.map { ["recordName": .string($0)] } ?? .absent,
            ],
        ]
    }

    private func share(_ name: String, _ people: [String], tag: String? = nil) -> JSON {
        [
            "operationType": tag == nil ? "create" : "update",
            "record": [
                "recordName": .string(name), "recordType": "cloudkit.share",
                "forRecord": tag == nil ? ["recordName": "album"] : .absent,
                "recordChangeTag": tag.map(JSON.string) ?? .absent,
                "participants": .array(
                    people.map { ["permission": "READ_ONLY", "userIdentity": ["userRecordName": .string($0)]] }),
            ],
        ]
    }

    /// One of several ways in which the friend reads. - Returns: Whether the response contains what is shared.
    private func reads(_ client: CloudKitClient, _ number: Int) throws -> Bool {
        let zone: JSON = ["zoneName": .string(Fleet.zone), "ownerRecordName": .string(ownerName)]
        let response =
            switch number % 3 {
            case 0:
                try client.post("records/lookup", .shared, ["zoneID": zone, "records": [["recordName": "photo"]]])
            case 1: try client.post("records/query", .shared, ["zoneID": zone, "query": ["recordType": "Note"]])
            default: try client.post("changes/zone", .shared, ["zones": [["zoneID": zone]]])
            }
        return response.text.contains("what is shared")
    }

    private struct Seen {
        var before = 0, after = 0, unanswered = 0
        var leaks: [String] = []
    }

    /// The owner removes the friend at server 0, or ends the share, and one of the servers is killed at that time.
    ///
    /// - Returns: Whether the owner got a response, and what the readers have seen.
    private func takeBack(
        _ operation: JSON, killing victim: Int, after milliseconds: Int
    ) throws -> (isAcknowledged: Bool, seen: Seen) {
        let isSent = Atomic(false)
        let isRevoked = Atomic(false)
        let isOver = Atomic(false)
        let seen = Mutex(Seen())
        try inThreads(Self.readers + 2) { thread in
            switch thread {
            case 0:
                let isBusy = Deadline().waits { seen.withLock { $0.before } >= 2 * Self.readers }
                #expect(isBusy, "the readers read before")
                isSent.store(true, ordering: .sequentiallyConsistent)
                do {
                    _ = try modify(operation, at: 0)
                    isRevoked.store(true, ordering: .sequentiallyConsistent)
                } catch let wrong as UnexpectedAnswer { throw wrong } catch {
                    // Killed before it responded.
                    isOver.store(true, ordering: .sequentiallyConsistent)
                }
            case 1:
                _ = Deadline().waits { isSent.load(ordering: .sequentiallyConsistent) }
                let end = monotonicNow() + UInt64(milliseconds) * 1_000_000
                _ = Deadline().waits { monotonicNow() >= end }
                try fleet.servers[victim].kill()
                try fleet.servers[victim].start()
            default:
                let client = fleet.client(thread % 2, friend)
                var (rest, number) = (Self.lateReads, thread)
                while rest > 0, !isOver.load(ordering: .sequentiallyConsistent) {
                    let isLate = isRevoked.load(ordering: .sequentiallyConsistent)
                    number += 1
                    guard let isShown = try? reads(client, number) else {
                        seen.withLock { $0.unanswered += 1 }
                        continue
                    }
                    if isLate { rest -= 1 }
                    seen.withLock { seen in
                        if isLate { seen.after += 1 } else if isShown { seen.before += 1 }
                        if isLate, isShown { seen.leaks.append("server \(thread % 2), read \(number % 3)") }
                    }
                }
            }
        }
        return (isRevoked.load(ordering: .sequentiallyConsistent), seen.withLock { $0 })
    }

    @Test("From the response on no read succeeds on either server, whichever of them is killed")
    func kills() throws {
        _ = try modify(save("album"), at: 0)
        _ = try modify(save("photo", below: "album"), at: 0)
        var (acknowledged, unanswered) = (0, 0)
        for round in 0..<Self.rounds {
            let name = "share \(round)"
            let address = try #require(try modify(share(name, [friendName]), at: round % 2)["shortGUID"].string)
            let accepted = try fleet.client(1, friend).post(
                "records/accept", .public, ["shortGUIDs": [["value": .string(address)]]]
            ).json["results"][0]
            #expect(accepted["serverErrorCode"].isAbsent, "\(accepted)")
            func stored(at server: Int) throws -> JSON {
                try fleet.client(server).post(
                    "records/lookup", .private,
                    ["zoneID": ["zoneName": .string(Fleet.zone)], "records": [["recordName": .string(name)]]]
                ).json["records"][0]
            }
            let end: JSON = ["operationType": "forceDelete", "record": ["recordName": .string(name)]]
            let operation =
                round.isMultiple(of: 2)
                ? share(name, [], tag: try stored(at: 0)["recordChangeTag"].string) : end
            let (isAcknowledged, found) = try takeBack(
                operation, killing: round / 2 % 2, after: [0, 2, 5, 15][round / 2])
            #expect(found.leaks.isEmpty, "round \(round): \(found.leaks.prefix(3))")
            #expect(found.after == (isAcknowledged ? Self.lateReads * Self.readers : 0))
            acknowledged += isAcknowledged ? 1 : 0
            unanswered += found.unanswered
            // Both servers agree on what became of a removal without a response.
            for server in 0..<2 {
                let record = try stored(at: server)
                let isThere = record["participants"].elements.contains {
                    $0["userIdentity"]["userRecordName"].string == friendName
                }
                #expect(!isThere || !isAcknowledged)
                for way in 0..<3 {
                    #expect(try reads(fleet.client(server, friend), way) == isThere, "round \(round), server \(server)")
                }
            }
            if try stored(at: 1)["serverErrorCode"].isAbsent { _ = try modify(end, at: 1) }
            for server in 0..<2 { #expect(try !reads(fleet.client(server, friend), round)) }
        }
        print("\(acknowledged) of \(Self.rounds) removals had a response, and \(unanswered) reads had none")
        #expect(acknowledged > 0 && unanswered > 0)
        let check = try fleet.servers[0].command.run(["check"])
        #expect(check.status == 0, "\(check)")
    }
}
