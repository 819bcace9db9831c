import DeliveryTesting
import NephosDelivery
import NephosPost
import NephosTesting
import ServerTesting
import Testing

/// A server whose pushes go to a stand-in for Apple's push service, and a party on it.
struct Surroundings: Sendable {
    static let topic = "com.example.notes"

    /// Where the server is: in this process, in it behind a port, or a process of its own, which may be killed.
    enum Place { case inside, listening, process }

    /// That of a server inside.
    let clock = AheadClock()
    let apns: APNsStandIn
    let key = TestKey()
    let party: Party
    var cloud: TestCloud { party.container.cloud }
    private let folder: TemporaryFolder

    /// - Parameters:
    ///   - script: How the stand-in answers the first pushes.
    ///   - configured: `nephos push configure` has been run for both of Apple's services.
    init(_ script: [ScriptedAnswer] = [], configured: Bool = true, place: Place = .inside) async throws {
        apns = try await APNsStandIn.start(script)
        folder = try TemporaryFolder(prefix: "nephos-push")
        try writeFile("\(folder.path)/roots.pem", Array(apns.rootPEM.utf8))
        try writeFile("\(folder.path)/key.p8", Array(key.pem.utf8))
        let environment = [
            "NEPHOS_APNS_URL": apns.url, "NEPHOS_PUSH_ROOTS": "\(folder.path)/roots.pem",
            "NEPHOS_PUSH_POLL_SECONDS": "1",
        ]
        let post = try PostOffice(
            apnsHost: APNsHost(baseURL: apns.url), roots: Array(apns.rootPEM.utf8), webhookHosts: ["127.0.0.1"])
        let cloud =
            switch place {
            case .inside: TestCloud(try InProcessServer(environment: environment, post: post, clock: clock.read))
            case .listening: TestCloud(try ListeningServer(environment: environment, post: post))
            case .process: try TestCloud(["--allow-webhook", "127.0.0.1"], environment: environment)
            }
        party = try Party(cloud)
        guard configured else { return }
        try configure(topic: Self.topic)
        try configure(topic: "\(Self.topic).sandbox", "--sandbox")
    }

    func configure(topic: String, _ more: String...) throws {
        let arguments = [
            "push", "configure", party.container.id, "--team", key.teamID, "--key-id", key.keyID, "--key",
            "\(folder.path)/key.p8", "--topic", topic, "--environment", "development",
        ]
        let result = try cloud.server.command.run(arguments + more)
        try #require(result.status == 0, "\(result)")
    }

    /// Ends the server, and sees to it that its store is as it should be.
    func end() async throws {
        #expect(try cloud.server.stop() == .exited(0), "\(cloud.server.logText.suffix(2_000))")
        let check = try cloud.server.command.run(["check"])
        #expect(check.status == 0, "\(check)")
        await apns.stop()
    }

    /// Registers a phone by its device token.
    func phone(_ token: String, of who: Party.Who, environment: String = "production", client: String? = nil) throws {
        let answer = try register(
            try party[who].nameless, "tokens/register",
            [
                "apnsEnvironment": .string(environment), "apnsToken": .string(token),
                "clientId": client.map { .string($0) } ?? .absent,
            ])
        #expect(answer["apnsToken"] == .string(token.lowercased()), "\(answer)")
        #expect(answer["webcourierURL"].isAbsent, "\(answer)")
    }

    /// What `nephos push log` prints.
    func log(_ arguments: String...) throws -> String {
        let result = try cloud.server.command.run(
            ["push", "log", party.container.id, "--environment", "development"] + arguments)
        try #require(result.status == 0, "\(result)")
        return result.output
    }

    /// What the log says, once it says this.
    func log(until text: String, _ arguments: String...) throws -> String {
        try log(arguments) { $0.contains(text) }
    }

    /// What the log says, once that is as it shall be.
    func log(_ arguments: [String] = [], until isSaid: (String) -> Bool) throws -> String {
        let command = ["push", "log", party.container.id, "--environment", "development"] + arguments
        var said = ""
        let came = try Deadline(seconds: 20).waits {
            said = try cloud.server.command.run(command).output
            return isSaid(said)
        }
        try #require(came, "\(said)")
        return said
    }
}

/// A device token of 64 digits.
func phoneToken(_ digit: Character) -> String { String(repeating: "0\(digit)", count: 32) }

extension RecordedRequest {
    /// The device token that a push is for.
    var phone: String { path.hasPrefix("/3/device/") ? String(path.dropFirst("/3/device/".count)) : "" }

    /// The body. - Throws: ``JSONError``.
    var json: JSON { get throws { try JSON(reading: body) } }
}
