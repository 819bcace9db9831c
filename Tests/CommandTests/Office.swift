import NephosTesting
import Testing

/// A server in use, with users who save notes concurrently.
struct Office {
    let cloud: TestCloud
    let authors: [Author]

    init(_ cloud: TestCloud) throws {
        self.cloud = cloud
        let container = try cloud.container()
        authors = try (0..<4).map { try Author(container, zone: "Zone\($0)") }
        for author in authors {
            for number in 1...3 { try author.save("first-\(number)", Int64(number)) }
            // Builds the required index.
            #expect(try author.count(of: 2) == 3)
        }
    }

    /// All authors concurrently save new notes until they get one of these answers.
    func save(until answers: Set<Author.Answer>) throws {
        try inThreads(authors.count) { [authors] index in
            for number in 0..<1_000 {
                if answers.contains(try authors[index].save("more-\(number)", 7)) { return }
            }
            throw Failure("1,000 saves had other answers than \(answers)")
        }
    }

    /// Everything saved can be read, queried and followed, and the server is healthy.
    func expectReading() throws {
        for author in authors {
            #expect(try author.surprises() == [])
            #expect(try author.count(of: 2) == 3)
        }
        #expect(try health == 200)
    }

    func expectNothingLost() throws {
        try expectReading()
        let check = try cloud.server.command.run(["check"])
        #expect(check.status == 0, "\(check)")
    }

    var health: Int {
        get throws { try HTTPConnection(port: cloud.server.port).exchange(HTTPRequest("GET", "/healthz")).status }
    }

    /// Whether the server says that its disk is full.
    var isFull: Bool {
        get throws {
            let answer = try HTTPConnection(port: cloud.server.port).exchange(HTTPRequest("GET", "/healthz"))
            return try answer.status == 200 && answer.json["status"] == "ok" && answer.json["disk"] == "full"
        }
    }

    /// Whether this stands in the server's log, or soon does.
    func says(_ text: String) -> Bool { Deadline().waits { cloud.server.logText.contains(text) } }
}
