import NephosTesting
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The interface that scripts depend on: output streams and exit codes.
@Suite("The command's appearance") struct FaceTests {
    struct Scenario: Sendable, CustomTestStringConvertible {
        var arguments: [String]
        var status: Int32
        /// Standard output, as a pattern.
        var output: String
        /// A part of standard error; nil if it must be empty.
        var errors: String?

        /// - Parameter arguments: Separated by spaces; `+` represents a space within one.
        init(_ arguments: String, _ status: Int32, output: String = "", errors: String? = nil) {
            self.arguments = arguments.split(separator: " ").map { String($0).replacing("+", with: " ") }
            self.status = status
            self.output = output
            self.errors = errors
        }

        var testDescription: String { "nephos \(arguments.joined(separator: " ")) → \(status)" }
    }

    static let id = DataFolder.container
    static let hash = "[0-9a-f]{64}\n"
    static let webAuthToken = "[A-Za-z0-9_-]{70,}\n"

    @Test(arguments: [
        Scenario("container create iCloud.new", 0, output: "iCloud\\.new\n", errors: "nephos token create iCloud.new"),
        Scenario("container create --listable iCloud.new", 0, output: "iCloud\\.new\n", errors: "nephos token create"),
        Scenario("container list", 0, output: "iCloud\\.com\\.example\\.app\n"),
        Scenario("container delete \(id) --yes", 0, errors: "Deleted \(id)."),
        Scenario("token create \(id)", 0, output: hash, errors: "An API token of \(id)/development."),
        Scenario(
            "token create \(id) --environment production --name Web", 0, output: hash, errors: "\(id)/production."),
        Scenario("key create \(id) --generate FOLDER/key.pem", 0, output: hash, errors: "FOLDER/key.pem"),
        Scenario(
            "account create john@example.org --name John", 0, output: "[0-9A-F-]{36}\n",
            errors: "nephos session create CONTAINER john@example.org"),
        Scenario(
            "session create \(id) mary@example.org", 0, output: webAuthToken,
            errors: "mary@example.org for \(id)/development"),
        Scenario(
            "session create \(id) MARY@example.org --environment production", 0, output: webAuthToken,
            errors: "for \(id)/production"),
        Scenario("token list \(id)", 0, errors: "There is no API token."),
        Scenario("key list \(id)", 0, errors: "There is no key."),
        Scenario("session list \(id)", 0, errors: "There are no sessions."),
        Scenario("session list \(id) mary@example.org", 0, errors: "There are no sessions."),
        Scenario(
            "session revoke --all mary@example.org", 0,
            errors: "mary@example.org has never signed in to any container. Nothing was revoked."),
        Scenario("account list", 0, output: "email +name +made +deleted +id\nmary@example\\.org .+ - .+\n"),
        Scenario(
            "account show mary@example.org", 0, output: "id +[0-9A-F-]{36}\n(.+\n){3}",
            errors: "mary@example.org has never signed in to a container."),
        Scenario("check", 0, output: "place +rows +findings\n(.+ 0\n){5}"),
        Scenario("check \(id)", 0, output: "place +rows +findings\n(.+ 0\n){4}"),
        Scenario("--version", 0, output: "[0-9]+\\.[0-9]+\\.[0-9]+\n"),
        Scenario("--help", 0, output: "OVERVIEW: (.|\n)+"),
        Scenario("help serve", 0, output: "OVERVIEW: (.|\n)+"),
    ])
    func whatWasAskedForGoesAloneToStandardOutput(_ scenario: Scenario) throws {
        try check(scenario)
    }

    @Test(arguments: [
        Scenario("container create \(id)", 1, errors: "The container \(id) already exists."),
        Scenario(
            "container delete iCloud.x", 1,
            errors: "There is no container iCloud.x. See all with: nephos container list"),
        Scenario("token create iCloud.x", 1, errors: "Create it with: nephos container create iCloud.x"),
        Scenario("key create iCloud.x --generate FOLDER/k", 1, errors: "nephos container create iCloud.x"),
        Scenario("key create \(id) --generate FOLDER/no/k", 1, errors: "Cannot write FOLDER/no/k: No such file"),
        Scenario("key create \(id) --public-key FOLDER/none", 1, errors: "Cannot read FOLDER/none."),
        Scenario("account create mary@example.org", 1, errors: "Sign it in with: nephos session create"),
        Scenario("session create \(id) x@example.org", 1, errors: "nephos account create x@example.org"),
        Scenario("session create iCloud.x mary@example.org", 1, errors: "nephos container create iCloud.x"),
        Scenario(
            "token revoke \(id) 12ab", 1, errors: "There is no API token 12ab in \(id)/development. See all with:"),
        Scenario("token rename iCloud.x 12ab Web", 1, errors: "There is no container iCloud.x."),
        Scenario(
            "key revoke \(id) 12ab", 1,
            errors: "There is no server key 12ab in \(id)/development. Each environment has keys of its own."),
        Scenario("session revoke \(id) 12ab", 1, errors: "nephos session list \(id)"),
        Scenario("session revoke --all x@example.org", 1, errors: "nephos account create x@example.org"),
        Scenario("account show x@example.org", 1, errors: "There is no account x@example.org."),
        Scenario("check iCloud.x", 1, errors: "There is no container iCloud.x."),
    ])
    func aFailureEndsWith1AndSaysWhatToDo(_ scenario: Scenario) throws {
        try check(scenario)
    }

    private static let wrongUsage = [
        Scenario("", 2, errors: "SUBCOMMANDS"),
        Scenario("container", 2, errors: "SUBCOMMANDS"),
        Scenario("bogus", 2, errors: "bogus"),
        Scenario("container create", 2, errors: "Missing expected argument"),
        Scenario("container create a/b", 2, errors: "\"a/b\" is not a valid container id. Expected: "),
        Scenario("container create a b", 2, errors: "Unexpected argument 'b'"),
        Scenario("token create ../x", 2, errors: "\"../x\" is not a valid container id."),
        Scenario("token create \(id) --environment staging", 2, errors: "development"),
        Scenario(
            "key create \(id)", 2,
            errors:
                "Pass either --generate FILE, which creates a key, or --public-key FILE, which registers one that you have."
        ),
        Scenario("key create \(id) --generate a --public-key b", 2, errors: "Pass either"),
        Scenario("key create \(id) --public-key FOLDER/text", 2, errors: "FOLDER/text is not a public key."),
        Scenario("account create mary", 2, errors: "\"mary\" is not a valid email address."),
        Scenario("session create \(id)", 2, errors: "Missing expected argument"),
        Scenario("session revoke \(id)", 2, errors: "Pass either a container and the id of a session, or --all EMAIL."),
        Scenario("session revoke --all mary@example.org \(id) 12ab", 2, errors: "Pass either a container"),
        Scenario("account list --limit 0", 2, errors: "A limit must be from 1 to 10000."),
        Scenario("serve --port 65536", 2, errors: "--port (NEPHOS_PORT) must be a number from 0 to 65535."),
        Scenario("serve --public-url cloud.example.org", 2, errors: "must be https:// or http:// and a host"),
        Scenario("serve --public-url https://user:secret@example.org", 2, errors: "https:// or http:// and a host"),
        Scenario("serve --public-url https://cloud.example.org?x=", 2, errors: "https:// or http:// and a host"),
        Scenario("serve --public-url https://cloud.example.org/#x", 2, errors: "https:// or http:// and a host"),
        Scenario("serve --public-url https://example.org/a//b", 2, errors: "such as https://example.org/nephos"),
        Scenario("serve --public-url https://example.org/docs", 2, errors: "is none of the server's own"),
        Scenario("check --everything", 2, errors: "--everything"),
    ]

    @Test(.onOneEngine, arguments: wrongUsage)
    func wrongUsageEndsWith2(_ scenario: Scenario) throws {
        try check(scenario)
    }

    private func check(_ scenario: Scenario) throws { try scenario.check(in: try DataFolder.prepared()) }
}

extension FaceTests.Scenario {
    func check(in folder: DataFolder) throws {
        let scenario = self
        let result = try folder.run(scenario.arguments)
        #expect(result.status == scenario.status)
        #expect(try result.output.wholeMatch(of: Regex(scenario.output)) != nil, "\(result.output)")
        if let expected = scenario.errors {
            #expect(result.errors.contains(expected.replacing("FOLDER", with: folder.folder.path)), "\(result.errors)")
        } else {
            #expect(result.errors.isEmpty)
        }
    }
}
