import DeliveryTesting
import NephosDelivery
import NephosPost
import NephosTesting
import ServerTesting
import Testing

/// A server that sends its pushes to a stand-in for Apple's push service, with a party.
struct PushEnvironment: Sendable {
    static let topic = "com.example.notes"

    /// Where the server runs: in this process, in this process with a port, or in a separate process, which may be killed.
    enum Place { case inside, listening, process }

    /// The clock of a server in this process.
    let clock = AheadClock()
    let apns: APNsStandIn
    let key = TestKey()
    let party: Party
    var cloud: TestCloud { party.container.cloud }
    private let folder: TemporaryFolder

    /// - Parameters:
    ///   - script: The stand-in's answers to the first pushes.
    ///   - configured: Whether `nephos push configure` has been run for both of Apple's services.
    init(_ script: [ScriptedAnswer] = [], configured: Bool = true, place: Place = .inside) async throws {
        apns = try await APNsStandIn.start(script)
        folder = try TemporaryFolder(prefix: "nephos-push")
        try writeFile("\(folder.path)/roots.pem", Array(apns.rootPEM.utf8))
        try writeSecret("\(folder.path)/key.p8", key.pem)
        let environment = [
            "NEPHOS_APNS_URL": apns.url, "NEPHOS_PUSH_ROOTS": "\(folder.path)/roots.pem",
            "NEPHOS_PUSH_POLL_SECONDS": "1",
        ]
        let post = try PostOffice(
            apnsHost: APNsHost(baseURL: apns.url), roots: Array(apns.rootPEM.utf8), webhookHosts: ["127.0.0.1"],
            timeout: .seconds(2 * Patience.seconds))
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

    /// Stops the server, and checks its store.
    func end() async throws {
        #expect(try cloud.server.stop() == .exited(0), "\(cloud.server.logText.suffix(2_000))")
        let check = try cloud.server.command.run(["check"])
        #expect(check.status == 0, "\(check)")
        await apns.stop()
    }

    /// Registers a phone with its device token.
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

    /// The output of `nephos push log`.
    func log(_ arguments: String...) throws -> String {
        let result = try cloud.server.command.run(
            ["push", "log", party.container.id, "--environment", "development"] + arguments)
        try #require(result.status == 0, "\(result)")
        return result.output
    }

    /// The log, once it contains this text.
    func log(until text: String, _ arguments: String...) throws -> String {
        try log(arguments) { $0.contains(text) }
    }

    /// The log, once it satisfies the condition.
    func log(_ arguments: [String] = [], until isSaid: (String) -> Bool) throws -> String {
        let command = ["push", "log", party.container.id, "--environment", "development"] + arguments
        var said = ""
        let came = try Deadline().waits {
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
    /// The device token of a push.
    var phone: String { path.hasPrefix("/3/device/") ? String(path.dropFirst("/3/device/".count)) : "" }

    /// The body. - Throws: ``JSONError``.
    var json: JSON { get throws { try JSON(reading: body) } }
}
