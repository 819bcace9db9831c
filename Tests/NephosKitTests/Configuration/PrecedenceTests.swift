import Foundation
import NephosTesting
import Testing

@testable import NephosKit

/// Where a configuration is found: in code, environment variables, `nephos.json` next to the program, `nephos.json` of the user,
/// the credentials file. The first source with a member takes precedence, member by member.
@Suite struct PrecedenceTests {
    /// A separate set of folders and variables.
    private let places: Places

    init() throws { places = try Places() }

    private static let members: [(name: String, variable: String, value: @Sendable (NephosConfiguration) -> String?)] =
        [
            ("serverURL", "NEPHOS_URL", { $0.serverURL?.absoluteString }),
            ("environment", "NEPHOS_ENVIRONMENT", { $0.environment?.rawValue }),
            ("service", "NEPHOS_SERVICE", { $0.service?.rawValue }),
            ("apiToken", "NEPHOS_API_TOKEN", { $0.apiToken }),
            ("webAuthToken", "NEPHOS_WEB_AUTH_TOKEN", { $0.webAuthToken }),
            ("cacheFolder", "NEPHOS_CACHE", { $0.cacheFolder?.path }),
        ]

    /// Two valid values of a member.
    private static func samples(_ member: String) -> [String] {
        switch member {
        case "serverURL": ["https://one.test", "http://two.test:8080/base"]
        case "environment": ["production", "development"]
        case "service": ["apple", "nephos"]
        case "cacheFolder": ["/one", "/two"]
        default: ["one", "two"]
        }
    }

    @Test(arguments: members.indices) func anEarlierPlaceCounts(index: Int) throws {
        let (name, variable, value) = Self.members[index]
        let samples = Self.samples(name)
        for (first, second) in [(samples[0], samples[1]), (samples[1], samples[0])] {
            try places.write(beside: #"{"\#(name)":"\#(first)"}"#, user: #"{"\#(name)":"\#(second)"}"#)
            #expect(try value(places.found()) == first)
            try places.write(beside: nil, user: #"{"\#(name)":"\#(second)"}"#)
            #expect(try value(places.found()) == second)
            #expect(try value(places.found(environment: [variable: first])) == first)
            #expect(try value(places.found(environment: [variable: ""])) == second)
            try places.write(beside: #"{"\#(name)":"\#(second)"}"#, user: nil)
            #expect(try value(places.found(environment: [variable: first])) == first)
        }
    }

    @Test func codeCountsBeforeAllOthers() throws {
        let code = NephosConfiguration(
            containerIdentifier: "iCloud.code", serverURL: URL(string: "https://code.test"), environment: .production,
            service: .apple, apiToken: "code", webAuthToken: "code", cacheFolder: URL(fileURLWithPath: "/code"),
            cacheLimit: 1, passphrase: "code")
        let all = [
            "NEPHOS_CONTAINER": "iCloud.variable", "NEPHOS_URL": "https://variable.test", "NEPHOS_SERVICE": "nephos",
            "NEPHOS_ENVIRONMENT": "development", "NEPHOS_API_TOKEN": "variable", "NEPHOS_WEB_AUTH_TOKEN": "variable",
            "NEPHOS_CACHE": "/variable", "NEPHOS_PASSPHRASE": "variable",
        ]
        let found = try places.found(code, environment: all, of: nil)
        #expect("\(found)" == "\(code)")
        let variables = try places.found(environment: all, of: nil)
        #expect(variables.containerIdentifier == "iCloud.variable" && variables.passphrase == "variable")
    }

    @Test func everyPlaceAddsWhatOthersDoNotSay() throws {
        try places.write(
            beside: #"{"serverURL":"https://beside.test","cacheLimit":5}"#,
            user: #"{"environment":"production","serverURL":"https://user.test"}"#)
        try places.credentials("https://beside.test", .production) {
            ($0.webAuthToken, $0.passphrase) = ("kept", "secret")
        }
        let found = try places.found(
            NephosConfiguration(apiToken: "code"), environment: ["NEPHOS_SERVICE": "apple"])
        #expect(found.apiToken == "code" && found.service == .apple && found.cacheLimit == 5)
        #expect(found.serverURL?.absoluteString == "https://beside.test" && found.environment == .production)
        #expect(found.webAuthToken == "kept" && found.passphrase == "secret")
    }

    @Test func nothingIsFoundWhereThereIsNothing() throws {
        let found = try places.found(of: nil)
        #expect("\(found)" == "\(NephosConfiguration())")
    }

    // MARK: Containers

    @Test func aContainerHasMembersOfItsOwn() throws {
        try places.write(
            beside: """
                {"serverURL": "https://all.test", "apiToken": "all", "containers": {
                    "iCloud.a": {"apiToken": "a", "environment": "production"}, "iCloud.b": {"serverURL": "https://b.test"}}}
                """,
            user: #"{"containers": {"iCloud.b": {"apiToken": "user's"}, "iCloud.c": {"environment": "production"}}}"#)
        let (a, b) = (try places.found(of: "iCloud.a"), try places.found(of: "iCloud.b"))
        #expect(a.apiToken == "a" && a.environment == .production && a.serverURL?.host == "all.test")
        // A nearer file's values for all containers take precedence over a farther one's for this one.
        #expect(b.apiToken == "all" && b.environment == nil && b.serverURL?.host == "b.test")
        #expect(try places.found(of: "iCloud.c").environment == .production)
        #expect(try places.found(of: "iCloud.other").apiToken == "all")
    }

    @Test func theDefaultContainerHasItsMembersToo() throws {
        try places.write(
            beside: #"{"container":"iCloud.a","containers":{"iCloud.a":{"apiToken":"a"},"iCloud.b":{"apiToken":"b"}}}"#,
            user: nil)
        let found = try places.found(of: nil)
        #expect(found.containerIdentifier == "iCloud.a" && found.apiToken == "a")
        #expect(try places.found(environment: ["NEPHOS_CONTAINER": "iCloud.b"], of: nil).apiToken == "b")
    }

    // MARK: Credentials

    @Test func credentialsBelongToAServerAContainerAndAnEnvironment() throws {
        try places.credentials("https://cloud.test", .production) { $0.webAuthToken = "kept" }
        let server = NephosConfiguration(serverURL: URL(string: "https://cloud.test"), environment: .production)
        #expect(try places.found(server).webAuthToken == "kept")
        #expect(try places.found(server, of: "iCloud.other").webAuthToken == nil)
        var other = server
        other.environment = nil
        #expect(try places.found(other).webAuthToken == nil)
        other = server
        other.serverURL = URL(string: "https://cloud.test:444")
        #expect(try places.found(other).webAuthToken == nil)
    }

    /// A key and a session are alternatives for the same purpose.
    @Test func whoGivesAKeyOrASessionHasDecided() throws {
        try places.write("key.pem", "PEM")
        let key = ServerKey(keyID: "id", pem: "code")
        let variables = ["NEPHOS_URL": "https://cloud.test", "NEPHOS_WEB_AUTH_TOKEN": "session"]
        let withKey = try places.found(NephosConfiguration(serverKey: key), environment: variables)
        #expect(withKey.serverKey?.pem == "code" && withKey.webAuthToken == nil)

        try places.write(beside: #"{"keyID":"id","privateKeyFile":"key.pem"}"#, user: nil)
        let withSession = try places.found(environment: variables)
        #expect(withSession.webAuthToken == "session" && withSession.serverKey == nil)
        #expect(try places.found().serverKey?.pem == "PEM")
    }

    @Test func pathsAreMeantFromWhereTheFileIs() throws {
        try places.write("keys/key.pem", "PEM")
        try places.write(
            beside: #"{"cacheFolder":"cache","keyID":"id","privateKeyFile":"keys/../keys/key.pem"}"#, user: nil)
        let found = try places.found()
        #expect(found.cacheFolder?.standardized.path == places.beside.appendingPathComponent("cache").standardized.path)
        #expect(found.serverKey?.keyID == "id" && found.serverKey?.pem == "PEM")
    }
}
