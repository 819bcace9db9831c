import Foundation
import NephosRunner
import NephosStorage
import NephosTesting
import ServerTesting
import TestEngines
import Testing

@testable import NephosPeople

/// docs/people.md, "An account with a password".
@Suite("Passwords and origins by command") struct PeopleCommandTests {
    private let store: TestStore
    private let folder: TemporaryFolder
    private let nephos: NephosCommand
    private static let container = "iCloud.com.example.app"
    private static let password = "correct horse battery"

    init() throws {
        store = try TestStore()
        folder = try TemporaryFolder(prefix: "nephos-people")
        nephos = NephosCommand(store, runner: InProcessCommand.run)
        try nephos("container", "create", Self.container, "--new-store")
    }

    private func file(_ text: String) throws -> String {
        let path = folder.path + "/password"
        try writeSecret(path, text)
        return path
    }

    /// The stored data, after the command has closed the store.
    private func stored(_ email: String) throws -> (account: AccountRow?, password: PasswordHash?) {
        let engine = try store.open(tables: [Feature].ofProgram().tables)
        defer { engine.close() }
        guard let account = try engine.account(email: email) else { return (nil, nil) }
        let method = try engine.directory.rows(SignInMethodRow.password(of: account.id)).first
        return (account, method.flatMap { PasswordHash($0.verifier) })
    }

    /// Sets a password with an inexpensive hash.
    private func give(_ email: String, _ password: String) throws {
        let engine = try store.open(tables: [Feature].ofProgram().tables)
        defer { engine.close() }
        let inputs = Inputs(now: { 1 }, randomBytes: { count in (0..<count).map { _ in .random(in: .min ... .max) } })
        let administration = Administration(engine: engine, inputs: inputs)
        try administration.setPassword(of: email, to: password, cost: PeopleCloud.cheap)
    }

    @Test("An account is created with a password from a file, without its line break, or without a password")
    func create() throws {
        try nephos("account", "create", "mary@example.org", "--password-file", file(Self.password + "\n"))
        let mary = try #require(try stored("mary@example.org").password)
        #expect(mary.cost == .current)
        #expect(try mary.isOf(try #require(Password(Self.password))))
        try nephos("account", "create", "john@example.org", "--name", "John Q Public")
        let john = try stored("john@example.org")
        #expect(john.account?.givenName == "John" && john.account?.familyName == "Q Public" && john.password == nil)
        try nephos("check")
    }

    @Test("An invalid password creates no account, changes none, and is not repeated")
    func refused() throws {
        try nephos("account", "create", "mary@example.org")
        try give("mary@example.org", Self.password)
        let before = try stored("mary@example.org").password
        #expect(before != nil)
        for (text, reason) in [("short", "10 to 1024 bytes"), ("i am mary, of course", "part of the address")] {
            for arguments in [["create", "mary@other.example"], ["password", "mary@example.org"]] {
                let result = try nephos.run(["account"] + arguments + ["--password-file", try file(text)])
                #expect(result.status == 1 && result.errors.contains(reason) && !result.errors.contains(text))
            }
        }
        let list = folder.path + "/refused"
        try "hunter hunter 2\n".write(toFile: list, atomically: true, encoding: .utf8)
        let listed = try nephos.run([
            "account", "password", "mary@example.org", "--password-file", try file("Hunter Hunter 2"), "--refused",
            list,
        ])
        #expect(listed.status == 1 && listed.errors.contains("list"))
        #expect(try stored("mary@example.org").password == before && stored("mary@other.example").account == nil)
        let without = try nephos.run(["account", "password", "mary@example.org"])
        #expect(without.status == 2 && without.errors.contains("--password-file"))
        let nobody = try nephos.run([
            "account", "password", "n@example.org", "--password-file", try file(Self.password),
        ])
        #expect(nobody.status == 1 && nobody.errors.contains("There is no account n@example.org."))
    }

    @Test("A server with another relying party than the stored passkeys does not start, and prints one line of advice")
    func relyingParty() throws {
        let wrong = try nephos.run(["serve", "--port", "0", "--relying-party", "example.org"])
        #expect(
            wrong.status == 2 && wrong.errors.contains("--relying-party must be localhost, the host of --public-url"))
        try nephos("account", "create", "mary@example.org")
        let engine = try store.open(tables: [Feature].ofProgram().tables)
        let mary = try #require(try engine.account(email: "mary@example.org"))
        let passkeys = Passkeys(directory: engine.directory, party: .local)
        let origin = try #require(WebOrigin("http://localhost"))
        let page = PasskeyPage(origin: origin, bound: [], key: [1], now: WallClock.now())
        let made = try SoftwarePasskey().made(try passkeys.creationOptions(for: mary, on: page, .system))
        try passkeys.register(made, named: "Phone", for: mary, on: page)
        engine.close()
        let other = [
            "serve", "--port", "0", "--public-url", "https://cloud.example.org", "--trusted-proxy", "none",
        ]
        let refused = try nephos.run(other)
        #expect(refused.status == 1 && refused.errors.contains("passkeys for localhost"), "\(refused.errors)")
        #expect(refused.errors.contains("nephos account drop-passkeys"))
        try nephos("account", "drop-passkeys", "--yes")
        try nephos("check")
    }

    @Test("The origins of an API token are set by its id, and invalid ones are named")
    func origins() throws {
        try nephos("token", "create", Self.container)
        let id = try #require(
            try nephos("token", "list", Self.container).split(separator: "\n").last?.split(separator: " ").first)
        func set(_ origins: String) throws -> CommandResult {
            try nephos.run(["token", "set", Self.container, String(id), "--origins", origins])
        }
        #expect(try set("https://App.example.org:443, loopback").errors.contains("https://app.example.org, loopback."))
        #expect(try set("").errors.contains("none."))
        let wrong = try set("app.example.org")
        #expect(wrong.status == 1 && wrong.errors.contains("Write scheme and host as browsers do"))
        let unknown = try nephos.run(["token", "set", Self.container, "ffffffff", "--origins", "*"])
        #expect(unknown.status == 1 && unknown.errors.contains("There is no API token ffffffff"))
    }

    @Test("Lists and details of API tokens have where people sign in with them, and whether they can sign up")
    func tokens() throws {
        try nephos("token", "create", Self.container, "--name", "Web site")
        func list() throws -> JSON {
            let output = try nephos("token", "list", Self.container, "--output", "json")
            return try JSON(reading: Array(output.utf8))[0]
        }
        let id = try #require(try list()["id"].string)
        #expect(try list()["origins"] == .null && list()["callbacks"] == .null && list()["signUp"].string == "no")
        let empty = try nephos("token", "show", Self.container, id)
        #expect(empty.contains("name       Web site\n") && empty.contains("\norigins    -\n"), "\(empty)")
        try nephos(
            "token", "set", Self.container, id, "--origins", "https://app.example.org,loopback", "--callback",
            "com.example.app://signed-in", "--sign-up", "yes")
        #expect(try list()["origins"].string == "https://app.example.org loopback")
        #expect(try list()["callbacks"].string == "com.example.app://signed-in" && list()["signUp"].string == "yes")
        let shown = try nephos("token", "show", Self.container, String(id.prefix(6)))
        #expect(
            shown.hasSuffix(
                """
                origins    https://app.example.org
                           loopback
                callbacks  com.example.app://signed-in
                sign up    yes
                """), "\(shown)")
        let json = try JSON(
            reading: Array(try nephos("token", "show", Self.container, id, "--output", "json").utf8))
        #expect(json["origins"].elements.map(\.string) == ["https://app.example.org", "loopback"])
        #expect(json["callbacks"][0].string == "com.example.app://signed-in" && json["signUp"] == .bool(true))
        let unknown = try nephos.run(["token", "show", Self.container, "ffffffff"])
        #expect(unknown.status == 1 && unknown.errors.contains("There is no API token ffffffff"))
        try nephos("token", "revoke", Self.container, id)
        #expect(try nephos("token", "show", Self.container, id).contains("\nrevoked    2"))
    }

    // docs/people.md, "Addresses".
    @Test("A check lists addresses that several accounts have, with ids by which commands find each account")
    func sharedAddresses() throws {
        let engine = try store.open(tables: [Feature].ofProgram().tables)
        for (id, email) in [("A1", "mary@b\u{FC}cher.example"), ("B2", "mary@xn--bcher-kva.example")] {
            try engine.createAccount(
                AccountRow(id: id, email: email, givenName: "", familyName: "", createdAt: id == "A1" ? 1 : 2))
        }
        engine.close()
        let found = try nephos.run(["check"])
        #expect(found.status == 1 && found.output.contains("mary@b\u{FC}cher.example  A1 B2\n"), "\(found)")
        #expect(found.errors.contains("Nothing is damaged") && found.errors.contains("account delete ID"), "\(found)")
        #expect(try nephos("account", "show", "B2").contains("\nascii  mary@xn--bcher-kva.example\n"))
        try nephos("account", "delete", "B2", "--now", "--yes")
        try nephos("check")
        #expect(try nephos("account", "show", "MARY@B\u{DC}CHER.example").contains("id     A1\n"))
    }
}
