import Foundation
import NephosStorage
import NephosTesting
import Synchronization
import TestEngines
import Testing

/// docs/decisions/0048: uses noted only in the memory of a killed process are lost, but no session is.
@Suite("Killing the server while sessions are extended", .serialized, .onOwnThreads) struct SessionKillTests {
    private static let minute: Milliseconds = 60_000
    private static let people = 24

    @Test("After each kill every session is valid, at least as long as before, and its next use extends it")
    func kills() async throws {
        let store = try TestStore()
        let server = try ServerProcess(store: store)
        let access = try Access(on: server, people: ["ada@example.org"])
        let apiToken = try server.command("token", "create", access.container)
        let tenant = Tenant(container: access.container, environment: .development)
        for kill in 1...4 {
            let engine = try store.open()
            defer { engine.close() }
            let now = Milliseconds(Date().timeIntervalSince1970 * 1_000)
            var sessions: [(session: SessionRow, token: String)] = []
            for _ in 0..<Self.people {
                sessions.append(
                    try await engine.signIn("ada@example.org", to: tenant, .short, at: now - 6 * Self.minute))
            }
            let people = sessions
            let answers = Mutex(0)
            @Sendable func ask(_ number: Int) throws -> Int {
                let client = CloudKitClient(
                    port: server.port, container: access.container,
                    credentials: .person(apiToken: apiToken, webAuthToken: people[number].token))
                return try client.get("users/caller", .public).status
            }
            try inThreads(5) { thread in
                guard thread < 4 else {
                    let haveBegun = Deadline().waits { answers.withLock { $0 } > 3 * kill }
                    guard haveBegun else { throw WrongAnswer(description: "nobody is answered") }
                    return try server.kill()
                }
                for number in 0..<Self.people where number % 4 == thread {
                    // The request interrupted by the kill has no response.
                    do {
                        guard try ask(number) == 200 else { throw WrongAnswer(description: "a session is refused") }
                    } catch let wrong as WrongAnswer { throw wrong } catch { return }
                    answers.withLock { $0 += 1 }
                }
            }
            try server.start()
            let opened = try #require(try engine.open(tenant))
            func stored() throws -> [SessionRow] {
                let rows = try opened.rows(SessionRow.keyed(people.map(\.session.id)))
                return people.compactMap { person in rows.first { $0.id == person.session.id } }
            }
            let left = try stored()
            #expect(left.count == Self.people, "kill \(kill)")
            for (session, made) in zip(left, people.map(\.session)) {
                #expect(session == made || session.expiresAt == session.usedAt + 30 * Self.minute, "kill \(kill)")
                #expect(session.expiresAt >= made.expiresAt && session.revokedAt == 0)
            }
            for number in 0..<Self.people { #expect(try ask(number) == 200, "kill \(kill)") }
            let areLonger = try Deadline().waits { try stored().allSatisfy { $0.usedAt >= now } }
            #expect(areLonger, "kill \(kill): a session was not made longer after it")
            for (before, after) in zip(left, try stored()) where before.usedAt >= now {
                #expect(before == after, "kill \(kill): a session was made longer twice")
            }
            try expectClean(server.command)
        }
        #expect(try server.stop() == .exited(0))
    }
}
