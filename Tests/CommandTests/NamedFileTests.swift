import Foundation
import NephosTesting
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// docs/running.md, "Files that a command names".
@Suite("Files that a command line names", .onOneEngine) struct NamedFileTests {
    private static let container = DataFolder.container

    @Test(
        "A pipe or a device is no input: it could keep a command waiting, or have no end",
        arguments: [
            ["schema", "import", container], ["schema", "validate", container], ["settings", "import", container],
            ["records", "import", container, "Article"], ["settings", "logo", container],
        ])
    func pipes(command: [String]) throws {
        let data = try DataFolder.prepared()
        let pipe = data.folder.path + "/pipe"
        guard mkfifo(pipe, 0o600) == 0 else { throw SystemError("mkfifo") }
        for path in [pipe, "/dev/null", "/dev/zero"] {
            let result = try data.run(command + [path])
            #expect(result.status == 1 && result.errors.contains("\(path) is a pipe or a device"), "\(result)")
        }
        let folder = try data.run(command + [data.folder.path])
        #expect(
            folder.status == 1 && folder.errors.contains("\(data.folder.path) is a folder. Pass a file."), "\(folder)")
    }

    @Test("A pipe or a device is no output either: replacing /dev/null would break it for everybody")
    func outputs() throws {
        let data = try DataFolder.prepared()
        let pipe = data.folder.path + "/pipe"
        guard mkfifo(pipe, 0o600) == 0 else { throw SystemError("mkfifo") }
        for path in [pipe, data.folder.path] {
            let result = try data.run(["schema", "export", Self.container, path])
            #expect(
                result.status == 1 && result.errors.contains("Cannot write \(path): it is not a file."), "\(result)")
        }
        var status = stat()
        #expect(lstat(pipe, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
    }

    @Test("What the shell has opened is an input like a file: /dev/stdin, and <(…)")
    func opened() throws {
        let folder = try TemporaryFolder(prefix: "nephos-opened")
        let nephos = try NephosCommand(TestStore())
        try nephos("container", "create", Self.container, "--new-store")
        try nephos("account", "create", "mary@example.org")
        try writeFile(folder.path + "/schema.ckdb", Array(DataFolder.schema.utf8))
        // The path may be relative, and the shell changes its folder.
        let program = URL(fileURLWithPath: try nephos.executable).path
        let command = "'\(program)' schema import \(Self.container) --data '\(nephos.data)'"
        let script = """
            cd '\(folder.path)'
            \(command) <(cat schema.ckdb)
            \(command) /dev/stdin <schema.ckdb
            cat schema.ckdb | \(command) /dev/stdin
            cat schema.ckdb | \(command)
            '\(program)' account password mary@example.org --password-file <(echo correct horse battery) --data '\(nephos.data)'
            umask 022
            echo correct horse battery >password
            '\(program)' account password mary@example.org --password-file /dev/stdin --data '\(nephos.data)' <password
            """
        let (output, errors) = (folder.path + "/output", folder.path + "/errors")
        let shell = try ChildProcess(
            "/bin/bash", ["-euo", "pipefail", "-c", script],
            environment: nephos.environment.merging(
                nephos.environment["NEPHOS_STORE"]?.isEmpty == false ? ["NEPHOS_SECRET_KEY": TestStore.secretKey] : [:]
            ) { $1 }, output: output, errors: errors)
        let outcome = shell.wait()
        let said = String(decoding: try readFile(errors), as: UTF8.self)
        #expect(outcome == .exited(0), "\(said)")
    }

    @Test("An input that is read as a whole has a limit")
    func large() throws {
        let data = try DataFolder.prepared()
        let path = data.folder.path + "/large"
        try writeFile(path, Array("x".utf8))
        guard truncate(path, (64 << 20) + 1) == 0 else { throw SystemError("truncate") }
        let result = try data.run(["schema", "import", Self.container, path])
        #expect(result.status == 1 && result.errors.contains("\(path) has more than 64 MB"), "\(result)")
    }

    /// docs/security.md.
    @Test("A file with a password, key or token that other users can read is refused")
    func secrets() throws {
        let data = try DataFolder.prepared()
        let path = data.folder.path + "/secret"
        for (command, text) in [
            (["account", "password", "mary@example.org", "--password-file", path], "correct horse battery"),
            (
                [
                    "mail", "configure", "--smtp", "smtp.example.org:587", "--tls", "starttls", "--user", "nephos",
                    "--from",
                    "a@example.org", "--password-file", path,
                ], "hunter 2"
            ),
            (
                [
                    "push", "configure", Self.container, "--team", "TEAM123456", "--key-id", "KEY1234567", "--topic",
                    "a.b",
                    "--key", path,
                ], "no key"
            ),
        ] {
            try writeSecret(path, text)
            let closed = try data.run(command)
            #expect(!closed.errors.contains("chmod"), "\(closed)")
            for mode in [mode_t(0o644), 0o640, 0o604, 0o660, 0o602] {
                guard chmod(path, mode) == 0 else { throw SystemError("chmod") }
                let result = try data.run(command)
                #expect(result.status == 1 && result.errors.contains("Run: chmod 600 '\(path)'"), "\(mode): \(result)")
                #expect(!result.errors.contains(text))
            }
        }
    }

    @Test("The command that closes such a file can be run as it is printed, whatever its path contains")
    func quoted() throws {
        let data = try DataFolder.prepared()
        let path = data.folder.path + "/it's a secret"
        try writeSecret(path, "correct horse battery")
        guard chmod(path, 0o644) == 0 else { throw SystemError("chmod") }
        let result = try data.run(["account", "password", "mary@example.org", "--password-file", path])
        let quoted = #"'\#(data.folder.path)/it'\''s a secret'"#
        #expect(result.status == 1 && result.errors.contains("Run: chmod 600 \(quoted)"), "\(result)")
    }

    @Test("So is the file of the key of all secrets; one of root may be read by a group, that of the server's user")
    func key() throws {
        let data = try DataFolder.prepared()
        let path = data.folder.path + "/key"
        try writeSecret(path, try data.run(["secret", "new"]).output)
        let environment = ["NEPHOS_SECRET_KEY_FILE": path, "NEPHOS_SECRET_KEY": ""]
        guard chmod(path, 0o640) == 0 else { throw SystemError("chmod") }
        let result = try data.run(["token", "create", Self.container], environment: environment)
        #expect(result.status != 0 && result.errors.contains("Run: chmod 600 '\(path)'"), "\(result)")
        guard geteuid() == 0, chown(path, 0, getegid()) == 0 else { return }
        let another = try data.run(["token", "create", Self.container], environment: environment)
        #expect(!another.errors.contains("chmod"), "\(another)")
        guard chmod(path, 0o644) == 0 else { throw SystemError("chmod") }
        let open = try data.run(["token", "create", Self.container], environment: environment)
        #expect(open.errors.contains("Run: chmod 640 '\(path)'"), "\(open)")
    }

    /// docs/people.md, "Exporting what is stored".
    @Test("The data of a person is not exported into a folder that other users can look into")
    func folder() throws {
        let data = try DataFolder.prepared()
        let path = data.folder.path + "/mary"
        guard mkdir(path, 0o700) == 0, chmod(path, 0o755) == 0 else { throw SystemError("mkdir") }
        let command = ["account", "export", "mary@example.org", path]
        let result = try data.run(command)
        #expect(result.status == 1 && result.errors.contains("Run: chmod 700 '\(path)'"), "\(result)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).isEmpty)
        guard chmod(path, 0o700) == 0 else { throw SystemError("chmod") }
        #expect(try data.run(command).status == 0)
        let again = try data.run(command)
        #expect(again.status == 1 && again.errors.contains("is not empty"), "\(again)")
    }
}

/// docs/security.md: the key of a data folder.
@Suite("The key file of a data folder") struct SQLiteKeyFileTests {
    @Test("It is refused if other users can read it")
    func readable() throws {
        let data = try DataFolder.prepared(in: TestStore(.sqlite))
        let path = data.nephos.data + "/secret.key"
        guard chmod(path, 0o644) == 0 else { throw SystemError("chmod") }
        let result = try data.run(["token", "create", DataFolder.container])
        #expect(result.status == 1 && result.errors.contains("Run: chmod 600 '\(path)'"), "\(result)")
        guard chmod(path, 0o600) == 0 else { throw SystemError("chmod") }
        #expect(try data.run(["token", "create", DataFolder.container]).status == 0)
    }
}
