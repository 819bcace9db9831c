import Crypto
import DeliveryTesting
import NephosTesting
import Testing

extension DeliveryTests {
    /// Invalid keys, IDs and URLs, as operators type them: rejected with an explanation, and nothing is changed.
    @Suite struct ConfigureTests {
        /// The contents of a file, and the message about it.
        private static let files: [(name: String, text: String, reason: String)] = [
            ("empty", "", "The key is empty"),
            ("blanks", " \n\t\n", "The key is empty"),
            ("text", "hello", "not a PEM text"),
            ("half", String(TestKey().pem.prefix(60)), "not a PEM text"),
            ("damaged", TestKey().pem.replacing(/\n[A-Za-z0-9+\/]{20}/, with: "\nAAAA"), "damaged"),
            ("public", P256.Signing.PrivateKey().publicKey.pemRepresentation, "public key"),
            ("p384", P384.Signing.PrivateKey().pemRepresentation, "P-256"),
            ("rsa", block("RSA PRIVATE KEY"), "RSA key"),
            ("encrypted", block("ENCRYPTED PRIVATE KEY"), "encrypted"),
            ("certificate", block("CERTIFICATE"), "certificate"),
            ("request", block("CERTIFICATE REQUEST"), "something other"),
            ("long", String(repeating: "x", count: 20_000), "too long"),
        ]

        private static func block(_ label: String) -> String {
            "-----BEGIN \(label)-----\nMIIBVQIBADANBgkqhkiG9w0B\n-----END \(label)-----\n"
        }

        // The message explains what is wrong with the file, and the previous key stays in use
        @Test func aFileThatIsNoKeyIsRefusedAndTheKeyOfBeforeStays() async throws {
            let around = try await PushEnvironment()
            let folder = try TemporaryFolder(prefix: "nephos-bad-key")
            func configure(
                _ file: String, team: String = "TEAM123456", key: String = "KEY1234567", topic: String = "a.b"
            )
                throws -> CommandResult
            {
                try around.cloud.server.command.run([
                    "push", "configure", around.party.container.id, "--environment", "development", "--team", team,
                    "--key-id", key, "--key", file, "--topic", topic,
                ])
            }
            for (name, text, reason) in Self.files {
                let file = "\(folder.path)/\(name)"
                try writeSecret(file, text)
                let result = try configure(file)
                #expect(result.status == 1 && result.output == "", "\(name): \(result)")
                #expect(result.errors.contains(reason), "\(name): \(result.errors)")
                #expect(!result.errors.contains("MIIBVQ") && result.errors.utf8.count < 600, "\(name)")
            }
            for (file, reason) in [
                ("\(folder.path)/missing", "Cannot read \(folder.path)/missing"),
                (folder.path, "\(folder.path) is a folder"),
            ] {
                let result = try configure(file)
                #expect(result.status == 1 && result.errors.contains(reason), "\(result)")
            }
            let good = "\(folder.path)/good"
            try writeSecret(good, TestKey().pem)
            for result in try [
                configure(good, team: "short"), configure(good, team: "team123456"), configure(good, key: "KEY123456"),
                configure(good, key: ""), configure(good, topic: ""), configure(good, topic: "a b"),
                configure(good, topic: "a/b"), configure(good, topic: String(repeating: "a", count: 256)),
            ] {
                #expect(result.status == 1 && !result.errors.contains("PRIVATE KEY-----\nMI"), "\(result)")
            }
            try around.party[.phone].nameless.subscribe(query("Open", "s"), in: .public)
            try around.phone(phoneToken("1"), of: .phone)
            try around.party.server.create("Open", "a", in: .public)
            let push = try #require(await around.apns.requests(atLeast: 1).first)
            #expect(around.key.claims(of: push) != nil && push.header("apns-topic") == PushEnvironment.topic)
            #expect(!around.cloud.server.logText.contains("PRIVATE KEY"))
            try await around.end()
        }

        private static let urls: [(url: String, reason: String)] = [
            ("", "complete URL"), ("example.org", "complete URL"), ("/hook", "complete URL"), ("https://", "host"),
            ("http://example.org/hook", "https://"), ("http://10.0.0.1/", "https://"),
            ("ftp://example.org/", "https://"),
            ("http://127.1/", "host"), ("http://localhost.example.org/", "https://"),
            ("https://user:secret@example.org/", "user name"), ("https://example.org/#part", "fragment"),
            ("https://example.org:0/", "port"), ("https://example.org:65536/", "port"),
            ("https://exämple.org/", "host"),
            ("https://example.org/a b", "percent-encoded"), ("https://example.org/%zz", "percent-encoded"),
            ("https://example.org/\u{1}", "percent-encoded"),
            ("https://example.org/\(String(repeating: "a", count: 2_048))", "bytes"),
        ]

        // docs/protocol.md B11; nothing is left of a rejected webhook
        @Test func aWebhookThatIsRefusedIsNotThere() throws {
            let party = try freshParty()
            for (url, reason) in Self.urls {
                let result = try Hook.run("create", party.container, "--url", url, "--record-type", "Open")
                #expect(result.status == 1 && result.output == "", "\(url): \(result)")
                #expect(result.errors.contains(reason) && result.errors.utf8.count < 600, "\(url): \(result.errors)")
            }
            let refused: [(arguments: [String], status: Int32, reason: String)] = [
                (["--record-type", "Nobody"], 1, "Nobody"), (["--record-type", ""], 1, ""),
                (["--record-type", "Open", "--on", "save"], 2, "create, update or delete"),
                (["--record-type", "Open", "--filter", "missing == 1"], 1, "missing"),
                (["--record-type", "Open", "--filter", "ratio == 1"], 1, "ratio"),
                (["--record-type", "Open", "--filter", "n"], 2, "FIELD OPERATOR VALUE"),
                (["--record-type", "Open", "--key", "0000"], 1, "0000"),
                (["--record-type", "Club"], 1, ""),
                (["--record-type", "Open"] + ["a", "b", "c", "d"].flatMap { ["--field", $0] }, 2, "three"),
            ]
            for (arguments, status, reason) in refused {
                let result = try party.container.cloud.server.command.run(
                    ["webhook", "create", party.container.id, "--environment", "development", "--url"]
                        + ["http://127.0.0.1:9/"] + arguments)
                #expect(result.status == status && result.output == "", "\(arguments): \(result)")
                #expect(result.errors.contains(reason), "\(arguments): \(result.errors)")
            }
            #expect(try Hook.run("list", party.container).output == "")
        }
    }
}
