import Foundation
import NephosStorage
import NephosTesting
import TestEngines
import Testing

/// docs/decisions/0048; docs/protocol.md A5, A7: sessions that two servers extend, and that one of them ends.
@Suite("Sessions on several servers", .serialized) struct SessionTests {
    private static let minute: Milliseconds = 60_000

    @Test("Two servers extend a session once, and a sign-out at one holds at the other immediately")
    func sessions() async throws {
        let fleet = try Fleet(2)
        let engine = try openEngine(folder: fleet.folder.path + "/engine", url: fleet.store)
        defer { engine.close() }
        let tenant = Tenant(container: fleet.container, environment: .development)
        let store = try #require(try engine.open(tenant))
        let apiToken = try fleet.servers[0].command("token", "create", fleet.container)
        let now = Milliseconds(Date().timeIntervalSince1970 * 1_000)
        var signedIn: [(session: SessionRow, token: String)] = []
        for _ in 0..<8 {
            signedIn.append(try await engine.signIn("ada@example.org", to: tenant, .short, at: now - 6 * Self.minute))
        }
        let people = signedIn
        @Sendable func client(_ number: Int, at server: Int) -> CloudKitClient {
            fleet.client(server % 2, .person(apiToken: apiToken, webAuthToken: people[number].token))
        }
        func stored() throws -> [SessionRow] {
            let rows = try store.rows(SessionRow.keyed(people.map(\.session.id)))
            return people.compactMap { person in rows.first { $0.id == person.session.id } }
        }
        @Sendable func askAll() throws {
            try inThreads(16) { number in
                let client = client(number / 2, at: number)
                for _ in 0..<5 {
                    let status = try client.get("users/caller", .public).status
                    #expect(status == 200)
                }
            }
        }
        try askAll()
        let areLonger = try Deadline().waits { try stored().allSatisfy { $0.usedAt >= now } }
        #expect(areLonger, "they are not made longer")
        let longer = try stored()
        for session in longer { #expect(session.expiresAt == session.usedAt + 30 * Self.minute) }
        for _ in 0..<3 { try askAll() }
        #expect(try stored() == longer, "they are made longer again within five minutes")

        let body: JSON = ["everywhere": false]
        let path = "/nephos/1/\(fleet.container)/development/sign-in/sign-out"
        for number in stride(from: 0, to: 8, by: 2) {
            let (here, other) = (client(number, at: number / 2), client(number, at: number / 2 + 1))
            #expect(try here.send("POST", path, body: body.bytes).status == 200)
            #expect(try other.get("users/caller", .public).status == 421)
            #expect(try here.get("users/caller", .public).status == 421)
        }
        for number in stride(from: 1, to: 8, by: 2) {
            for server in 0..<2 { #expect(try client(number, at: server).get("users/caller", .public).status == 200) }
        }
        #expect(try stored().map { $0.revokedAt == 0 } == (0..<8).map { !$0.isMultiple(of: 2) })
        #expect(try fleet.servers[0].command.run(["check"]).status == 0)
    }
}
