import NephosTesting
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// docs/running.md, "Environment variables": each option of `serve` that takes a value has a variable of its name.
@Suite("Environment variables for the options of serve", .onOneEngine) struct ServeVariablesTests {
    /// The options of `serve` that take a value, without dashes, as its help lists them.
    private static func options() throws -> [String] {
        let help = try DataFolder(TestStore(.sqlite)).run(["help", "serve"])
        return help.output.split(separator: "\n")
            .compactMap { $0.firstMatch(of: #/^  --([a-z-]+) </#).map { String($0.output.1) } }
    }

    private static func variable(of option: String) -> String {
        "NEPHOS_" + option.uppercased().replacing("-", with: "_")
    }

    /// A value for each option that makes `serve` fail with a message that contains the text.
    private static let failures = [
        (option: "port", value: "65536", message: "NEPHOS_PORT"),
        (option: "public-url", value: "cloud.example.org", message: "NEPHOS_PUBLIC_URL"),
        (option: "relying-party", value: "other.example", message: "other.example"),
        (option: "trusted-proxy", value: "10.0.0.7, proxy.example.org", message: "NEPHOS_TRUSTED_PROXY"),
        (option: "metrics", value: "9100", message: "NEPHOS_METRICS"),
        (option: "allow-webhook", value: "example.org,https://example.org/", message: "NEPHOS_ALLOW_WEBHOOK"),
        (
            option: "mail-command", value: "/nowhere/sendmail",
            message: "(NEPHOS_MAIL_COMMAND): there is no program at '/nowhere/sendmail'"
        ),
        (option: "data", value: "/dev/null/data", message: "/dev/null/data"),
        (option: "store", value: "mysql://db", message: "NEPHOS_STORE"),
    ]

    @Test("Every option that takes a value is listed here")
    func allOptions() throws {
        // A host is only tried once the server listens, which needs a process.
        #expect(try Self.options().sorted() == (Self.failures.map(\.option) + ["host"]).sorted())
    }

    @Test(
        "A variable is used as its option is, and a wrong value is reported with the variable's name",
        arguments: failures)
    func isUsed(_ option: String, _ value: String, _ message: String) throws {
        let folder = try DataFolder(TestStore(.sqlite))
        var environment = [
            "NEPHOS_PUBLIC_URL": "https://cloud.example.org", "NEPHOS_TRUSTED_PROXY": "127.0.0.1", "NEPHOS_PORT": "0",
        ]
        environment[Self.variable(of: option)] = value
        let result = try folder.run(["serve", "--new-store"], environment: environment)
        #expect(result.status != 0)
        #expect(result.errors.contains(message), "\(result.errors)")
    }

    @Test("An option is used instead of its variable")
    func optionFirst() throws {
        let folder = try DataFolder(TestStore(.sqlite))
        let result = try folder.run(
            ["serve", "--new-store", "--port", "65537", "--metrics", "none"],
            environment: ["NEPHOS_PORT": "0", "NEPHOS_METRICS": "127.0.0.1:0"])
        #expect(result.status == 2 && result.errors.contains("NEPHOS_PORT"), "\(result.errors)")
    }

    @Test("A server listens on the port and has the public URL that its environment contains")
    func serves() throws {
        let port = try Socket.freePort()
        let server = try DataFolder(TestStore(.sqlite))
        let log = server.folder.path + "/log"
        let command = try command(
            server,
            [
                "NEPHOS_PORT": "\(port)", "NEPHOS_PUBLIC_URL": "https://cloud.example.org/",
                "NEPHOS_TRUSTED_PROXY": "none", "NEPHOS_STORE_CONECTIONS": "4",
            ])
        let child = try command.start(["serve", "--new-store"], output: server.folder.path + "/output", errors: log)
        defer {
            child.signal(SIGKILL)
            child.wait()
        }
        #expect(try Deadline().waits { try text(log).contains("at https://cloud.example.org\n") })
        #expect(try HTTPConnection(port: port).exchange(HTTPRequest("GET", "/healthz")).status == 200)
        let misspelled = "there is no variable NEPHOS_STORE_CONECTIONS, so it has no effect."
        #expect(try text(log).contains("\(misspelled) Did you mean NEPHOS_STORE_CONNECTIONS?"))
        #expect(try text(log).matches(of: #/there is no variable/#).count == 1, "all others are documented")
    }

    @Test("A server does not listen on another host than its environment contains")
    func host() throws {
        let command = try command(try DataFolder(TestStore(.sqlite)), ["NEPHOS_HOST": "192.0.2.1", "NEPHOS_PORT": "0"])
        let result = try command.run(["serve", "--new-store"])
        #expect(result.status == 1 && result.errors.contains("192.0.2.1"), "\(result.errors)")
    }

    private func command(_ folder: DataFolder, _ environment: [String: String]) throws -> NephosCommand {
        var command = try NephosCommand(folder.store)
        command.environment.merge(environment) { $1 }
        return command
    }

    private func text(_ path: String) throws -> String { String(decoding: try readFile(path), as: UTF8.self) }
}
