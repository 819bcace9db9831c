import Foundation
import NephosTesting
import Testing

/// docs/running.md, "Behind a proxy"; docs/security.md.
@Suite("Startup messages of serve about its network and its files", .onOneEngine) struct DoorTests {
    /// The output of serve with an unreachable database, which it detects last.
    private func said(_ arguments: [String], options: String) throws -> String {
        let folder = try DataFolder(TestStore(.sqlite))
        let result = try folder.run(
            ["serve", "--port", "0"] + arguments,
            environment: ["NEPHOS_STORE": "postgres://u:secret@db.invalid/nephos?connect_timeout=2\(options)"])
        #expect(result.status == 1)
        #expect(!result.errors.contains("secret"), "\(result.errors)")
        return result.errors
    }

    @Test("A reachable server warns of a missing public URL, and of an unencrypted or unverified database connection")
    func warnings() throws {
        let said = try said(["--host", "0.0.0.0"], options: "")
        #expect(said.contains("--public-url") && said.contains("--trusted-proxy"), "\(said)")
        #expect(said.contains("no mails with links are sent"), "\(said)")
        #expect(said.contains("sslmode=verify-full"), "\(said)")
        #expect(try self.said(["--host", "::"], options: "&sslmode=require").contains("sslmode=verify-full"))
    }

    // docs/mail.md, "Links in mails".
    @Test("A server that trusts a proxy, and does not know its own address, warns that it sends no mails with links")
    func mails() throws {
        for host in ["127.0.0.1", "0.0.0.0"] {
            let said = try said(["--host", host, "--trusted-proxy", "10.0.0.0/8"], options: "&sslmode=verify-full")
            #expect(said.contains("without --public-url no mails with links are sent"), "\(said)")
        }
    }

    // docs/limits.md, "Networks".
    @Test("A server with a public https URL warns if it trusts no proxy, because all clients share the limits of one")
    func throttled() throws {
        let arguments = ["--host", "0.0.0.0", "--public-url", "https://cloud.example.org"]
        let said = try said(arguments, options: "&sslmode=verify-full")
        #expect(said.contains("not named by --trusted-proxy"), "\(said)")
    }

    @Test("A server that only a proxy on its own machine can reach does not start until the proxy is named")
    func unnamed() throws {
        let folder = try DataFolder(TestStore(.sqlite))
        let arguments = ["serve", "--port", "0", "--public-url", "https://cloud.example.org"]
        let refused = try folder.run(arguments)
        #expect(refused.status == 2 && refused.errors.contains("--trusted-proxy 127.0.0.1"), "\(refused.errors)")
        for proxy in ["none", "127.0.0.1"] {
            let said = try said(
                ["--public-url", "https://cloud.example.org", "--trusted-proxy", proxy],
                options: "&sslmode=verify-full")
            #expect(!said.contains("trusted-proxy"), "\(said)")
        }
    }

    @Test(
        "A server with a public URL or only local access, and a verified database, gives no warnings"
    )
    func noWarnings() throws {
        for arguments in [
            [
                "--host", "0.0.0.0", "--public-url", "https://cloud.example.org", "--trusted-proxy", "10.0.0.0/8",
                "--trusted-proxy", "fd00::1",
            ],
            ["--host", "127.0.0.1"], ["--host", "127.0.0.1", "--public-url", "http://localhost:8080"],
        ] {
            let said = try said(arguments, options: "&sslmode=verify-full")
            #expect(!said.contains("Warning"), "\(said)")
        }
    }

    @Test(
        "An invalid address is wrong usage",
        arguments: [
            ["--trusted-proxy", "proxy.example.org"], ["--trusted-proxy", "10.0.0.0/33"], ["--metrics", "9100"],
            ["--metrics", "localhost:99999"], ["--allow-webhook", "https://example.org/"],
        ])
    func wrongUsage(_ arguments: [String]) throws {
        let result = try DataFolder(TestStore(.sqlite)).run(["serve", "--port", "0"] + arguments)
        #expect(result.status == 2 && result.errors.contains(arguments[0]), "\(result.errors)")
    }
}

/// docs/security.md.
@Suite("Files with secrets") struct SecretFileTests {
    @Test(
        "A generated key is complete and readable by its owner only, leaves no other file, and never overwrites an existing one"
    )
    func keys() throws {
        let data = try DataFolder.prepared()
        let folder = try TemporaryFolder(prefix: "nephos-keys")
        let path = folder.path + "/key.pem"
        let arguments = ["key", "create", DataFolder.container, "--environment", "development", "--generate", path]
        #expect(try data.run(arguments).status == 0)
        let written = try readFile(path)
        #expect(String(decoding: written, as: UTF8.self).hasSuffix("-----END PRIVATE KEY-----\n"))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
        let again = try data.run(arguments)
        #expect(again.status == 1 && again.errors.contains("already exists"))
        #expect(try readFile(path) == written)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["key.pem"])
    }

    @Test("A key whose folder does not exist is not registered, and the error names the reason")
    func nowhere() throws {
        let data = try DataFolder.prepared()
        let result = try data.run(
            ["key", "create", DataFolder.container, "--environment", "development", "--generate", "/nowhere/key.pem"])
        #expect(result.status == 1 && result.errors.contains("Cannot write /nowhere/key.pem: No such file"))
    }
}
