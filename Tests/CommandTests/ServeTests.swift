import NephosTesting
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

@Suite("serve --demo", .onOwnThreads) struct DemoServerTests {
    @Test func theCurlLinesWorkAsPrinted() throws {
        let demo = try DemoServer()
        let answers = try demo.curlLines.map(shell)
        #expect(answers.count == 2)
        for answer in answers {
            #expect(answer.contains(#""text":{"#))
            #expect(answer.contains(#""value":"Hello""#))
            #expect(!answer.contains("serverErrorCode"))
        }
        #expect(demo.stop() == .exited(0))
    }

    // docs/running.md, "Health, metrics and logs"
    @Test("The first page has the demo's requests as printed, and no secret")
    func firstPage() throws {
        let demo = try DemoServer()
        let request = HTTPRequest("GET", "/", headers: [HTTPHeader("Accept", "text/html")])
        let page = String(decoding: try HTTPConnection(port: demo.port).exchange(request).body, as: UTF8.self)
            .replacing("&quot;", with: "\"").replacing("&amp;", with: "&")
        for line in demo.curlLines {
            let tokens = try #require(line.firstMatch(of: #/ckAPIToken=([^&]+)&ckWebAuthToken=([^']+)/#))
            #expect(!page.contains(tokens.1) && !page.contains(tokens.2))
            let withVariables = line.replacing(tokens.1, with: "$api").replacing(tokens.2, with: "$web")
                .replacing("curl '", with: "curl \"").replacing("' -d", with: "\" -d")
            #expect(page.contains(withVariables), "\(page)")
        }
        #expect(!page.contains("example.org"))
        #expect(demo.stop() == .exited(0))
    }

    @Test func theSameSecretsAreShownTheNextTime() throws {
        let first = try DemoServer()
        #expect(first.stop() == .exited(0))
        let second = try DemoServer(in: first.folder, port: first.port)
        #expect(second.text == first.text)
        #expect(second.stop() == .exited(0))
    }

    /// Expects that the command writes to standard output only, and returns that.
    private func shell(_ line: String) throws -> String {
        let folder = try TemporaryFolder(prefix: "nephos-shell")
        let output = folder.path + "/output"
        let child = try ChildProcess("/bin/sh", ["-c", line], output: output, errors: folder.path + "/errors")
        #expect(child.wait() == .exited(0))
        return String(decoding: try readFile(output), as: UTF8.self)
    }
}

/// `nephos serve --demo`, and its output when it was ready.
private final class DemoServer {
    let folder: DataFolder
    let port: Int
    let text: String
    private let child: ChildProcess

    init(in folder: DataFolder? = nil, port: Int? = nil) throws {
        let folder = try folder ?? DataFolder()
        let port = try port ?? Socket.freePort()
        let output = folder.folder.path + "/output"
        let errors = folder.folder.path + "/errors"
        unlink(output)
        let child = try NephosCommand(folder.store).start(
            ["serve", "--demo", "--port", "\(port)"], output: output, errors: errors)
        var text = ""
        let isReady = try Deadline().waits {
            text = String(decoding: try readFile(output), as: UTF8.self)
            return text.contains("records/query") && text.hasSuffix("\n") || child.hasEnded != nil
        }
        self.folder = folder
        self.port = port
        self.text = text
        self.child = child
        guard isReady, child.hasEnded == nil else {
            child.signal(SIGKILL)
            throw Failure("\(child.wait()): \(String(decoding: try readFile(errors), as: UTF8.self))")
        }
    }

    deinit { child.signal(SIGKILL) }

    var curlLines: [String] { text.split(separator: "\n").filter { $0.hasPrefix("curl ") }.map(String.init) }

    func stop() -> ProcessEnd {
        child.signal(SIGTERM)
        return child.wait()
    }
}

@Suite("The command beside a running server", .onOwnThreads) struct RunningServerTests {
    @Test func whatTheCommandDoesHoldsAtOnce() throws {
        let cloud = try TestCloud()
        let container = try cloud.container()
        let mary = try container.person("mary@example.org")
        #expect(try mary.post("zones/list").status == 200)

        try cloud.server.command("container", "delete", container.id, "--yes")
        #expect(try mary.post("zones/list").status == 401)
        try cloud.server.command("container", "create", container.id)
        #expect(try mary.post("zones/list").status == 401, "its token belonged to the one before")
        let again = try TestContainer(id: container.id, cloud: cloud).person("mary@example.org")
        // It was requested before it existed, which may be cached for a second (docs/protocol.md, A1).
        #expect(try Deadline().waits { try again.post("zones/list").status == 200 })
        #expect(try cloud.server.command.run(["check"]).status == 0)
    }

    @Test func aContainerThatIsMadeAnewIsServedAtOnce() throws {
        let cloud = try TestCloud()
        let container = try cloud.container()
        #expect(try container.person("mary@example.org").post("zones/list").status == 200)
        try cloud.server.command("container", "delete", container.id, "--yes")
        try cloud.server.command("container", "create", container.id)
        let again = try TestContainer(id: container.id, cloud: cloud).person("mary@example.org")
        #expect(try again.post("zones/list").status == 200, "the server had the other one open")
    }

    @Test func aPortThatIsTakenFailsWithAClearLine() throws {
        let server = try ServerProcess()
        let other = try DataFolder()
        let second = try other.run(["serve", "--new-store", "--port", "\(server.port)"])
        #expect(second.status == 1)
        #expect(second.output.isEmpty)
        #expect(second.errors.contains("\(server.port)"), "\(second.errors)")
    }

    @Test func theServerSaysItsURLOnStandardErrorAndEndsInOrderWhenAsked() throws {
        let server = try ServerProcess()
        // It may respond a moment before it has logged its address.
        #expect(Deadline().waits { server.logText.contains("http://127.0.0.1:\(server.port)") })
        #expect(try server.stop() == .exited(0))
    }
}
