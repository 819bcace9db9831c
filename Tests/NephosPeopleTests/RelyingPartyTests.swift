import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

@testable import NephosPeople

/// docs/people.md, "Passkeys": the host to which they are bound.
@Suite("The relying party of passkeys") struct RelyingPartyTests {
    @Test("It is the host of --public-url or a parent domain, localhost without one, and never an IP address")
    func found() throws {
        let cases: [(said: String?, url: String?, host: String?)] = [
            (nil, nil, "localhost"), ("localhost", nil, "localhost"),
            (nil, "https://Cloud.example.org", "cloud.example.org"),
            (nil, "https://cloud.example.org:8443", "cloud.example.org"),
            (nil, "https://cloud.example.org/nephos", "cloud.example.org"),
            ("example.org", "https://cloud.example.org", "example.org"),
            ("Cloud.Example.org", "https://cloud.example.org", "cloud.example.org"),
            (nil, "http://127.0.0.1:8080", "localhost"), (nil, "http://[::1]:8080", "localhost"),
            (nil, "https://192.0.2.1", nil), (nil, "https://[2001:db8::1]", nil), (nil, "http://127.0.0.2", nil),
        ]
        for (said, url, host) in cases {
            #expect(
                try RelyingParty.of(said, publicURL: url.flatMap { PublicURL($0) }, isLocal: true)?.host == host,
                "\(said ?? "-") \(url ?? "-")")
        }
        // Behind a proxy, a request could name any host.
        #expect(try RelyingParty.of(nil, publicURL: nil, isLocal: false) == nil)
        #expect(try RelyingParty.of("localhost", publicURL: nil, isLocal: false) == .local)
        for (said, url) in [
            ("example.org", nil), ("org", "https://cloud.example.org"),
            ("loud.example.org", "https://cloud.example.org"),
            ("a.cloud.example.org", "https://cloud.example.org"), ("", "https://cloud.example.org"),
            (".example.org", "https://cloud.example.org"), ("192.0.2.1", "https://192.0.2.1"),
            ("2.1", "https://192.0.2.1"),
        ] {
            #expect(throws: EnvironmentProblem.self, "\(said)") {
                try RelyingParty.of(said, publicURL: url.flatMap { PublicURL($0) }, isLocal: true)
            }
        }
        let party = RelyingParty(host: "example.org")
        for (text, isIn) in [
            ("https://example.org", true), ("https://cloud.example.org", true), ("https://badexample.org", false),
            ("https://example.org.evil.example", false), ("https://org", false),
        ] {
            #expect(WebOrigin(text).map(party.includes) == isIn, "\(text)")
        }
    }

    @Test(
        "It is stored with the first passkey; a server with another does not start or create passkeys as long as one exists"
    )
    func kept() async throws {
        let own = try await PasskeyFixture()
        let directory = own.people.cloud.engine.directory
        let other = RelyingParty(host: "cloud.example.org")
        func check(_ party: RelyingParty?) throws { try RelyingParty.check(party, by: directory) }
        #expect(throws: Never.self) { try check(other) }
        let passkey = try SoftwarePasskey()
        try own.register(passkey)
        #expect(try directory.rows(RelyingPartyRow.all) == [RelyingPartyRow(host: "localhost")])
        #expect(throws: Never.self) { try check(.local) }
        for party in [other, nil] {
            let error = #expect(throws: AdminError.self) { try check(party) }
            let text = "\(try #require(error))"
            #expect(text.contains("--relying-party localhost") && !text.contains("\n"))
        }
        // A server that started before there was one.
        let late = PasskeyFixture(own, party: other, at: "https://cloud.example.org")
        let second = try SoftwarePasskey()
        func make() throws {
            try late.register(second) { ($0.origin, $0.party) = ("https://cloud.example.org", "cloud.example.org") }
        }
        #expect(throws: PasskeyProblem.otherParty("localhost")) { try make() }
        // Once nobody has any, it may be changed.
        try own.passkeys.remove(passkey.id, of: own.ada.id)
        #expect(throws: Never.self) { try check(other) }
        try make()
        #expect(try directory.rows(RelyingPartyRow.all) == [RelyingPartyRow(host: "cloud.example.org")])
        #expect(throws: AdminError.self) { try check(.local) }
        try own.people.administration.setPassword(
            of: "grace@example.org", to: PeopleCloud.password, cost: PeopleCloud.cheap)
        try late.register(try SoftwarePasskey(), for: own.grace) {
            ($0.origin, $0.party) = ("https://cloud.example.org", "cloud.example.org")
        }
        #expect(try own.people.administration.dropPasskeys() == 2)
        #expect(throws: Never.self) { try check(.local) }
        for account in [own.ada, own.grace] {
            #expect(try directory.rows(SignInMethodRow.all(of: account.id)).map(\.kind) == [.password])
        }
        #expect(try directory.rows(RelyingPartyRow.all).isEmpty)
        #expect(try own.people.cloud.check() == [])
    }
}
