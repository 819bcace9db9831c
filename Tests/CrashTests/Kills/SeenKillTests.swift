import NephosTesting
import Synchronization
import Testing

/// docs/messages.md, "Seen messages": acknowledged reports survive a kill, and count once.
@Suite("Killing the server during reports of seen messages", .serialized, .onOwnThreads) struct SeenKillTests {
    private static let writers = 4

    @Test(
        "After each kill all devices that got a response count as having seen the message, each once, however often it reports (S2-18)"
    )
    func kills() throws {
        let server = try ServerProcess()
        let access = try Access(on: server, people: ["ada@example.org"])
        let file = try ClaimedRecords.SettingsFile(
            "id: a\nkind: information\ntitle: {en: A}\nbody: {en: B}\nbuttons: {okay: {en: Fine}}\nfrom: 2020-01-01\n")
        try server.command("message", "new", access.container, file.path)
        let token = try server.command("token", "create", access.container)
        let root = "/nephos/1/\(access.container)/development/messages"
        let answered = Mutex<Set<String>>([])
        let asked = Mutex<Set<String>>([])
        for kill in 1...5 {
            let before = answered.withLock { $0.count }
            try inThreads(Self.writers + 1) { writer in
                guard writer < Self.writers else {
                    let haveBegun = Deadline().waits {
                        answered.withLock { $0.count } > before + 40 + 17 * kill
                    }
                    guard haveBegun else { throw WrongAnswer(description: "nothing is taken") }
                    return try server.kill()
                }
                var number = 0
                while true {
                    // Two writers report each device, twice.
                    let device = "\(kill)-\(writer / 2)-\(number / 2)"
                    number += 1
                    asked.withLock { _ = $0.insert(device) }
                    do {
                        let answer = try HTTPConnection(port: server.port).exchange(
                            HTTPRequest(
                                "POST", "\(root)/seen?ckAPIToken=\(token)", headers: [],
                                body: Array(#"{"id":"a","device":"\#(device)","event":"shown"}"#.utf8)))
                        guard answer.status == 200 else { continue }
                    } catch {
                        // The request interrupted by the kill has no response.
                        return
                    }
                    answered.withLock { _ = $0.insert(device) }
                }
            }
            try server.start()
        }
        let seen = answered.withLock { $0 }
        for device in seen {
            let answer = try HTTPConnection(port: server.port).exchange(
                HTTPRequest("GET", "\(root)/current?ckAPIToken=\(token)&device=\(device)", headers: [], body: nil))
            #expect(try answer.status == 200 && answer.json["message"] == .null, "\(device)")
        }
        let stats = try server.command("message", "stats", access.container, "a")
        let shown = stats.firstMatch(of: /a +([0-9]+) +0 +0/).flatMap { Int($0.1) } ?? -1
        #expect(shown >= seen.count && shown <= asked.withLock { $0.count }, "\(stats)")
        try expectClean(server.command)
        #expect(try server.stop() == .exited(0))
    }
}
