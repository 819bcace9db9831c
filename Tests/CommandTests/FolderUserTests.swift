import Foundation
import NephosTesting
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// docs/running.md, "The user": a data folder of the server's user, and a command of whoever runs the tests. If that is root, the
/// folder belongs to somebody else; for an ordinary user both are the same, and the rest is what such a user sees.
@Suite("Whose rights a command uses") struct SQLiteFolderUserTests {
    /// A store whose folder its user may have prepared for root, and things that belong to the caller alone.
    private struct Fixture {
        let folder, foreign: TemporaryFolder
        let server, caller: NephosCommand
        static let container = "iCloud.com.example.app"

        /// - Parameter filled: Whether the store exists already.
        init(filled: Bool = true) throws {
            folder = try TemporaryFolder(prefix: "nephos-user")
            foreign = try TemporaryFolder(prefix: "nephos-foreign")
            guard chown(foreign.path, geteuid(), getegid()) == 0, chmod(foreign.path, 0o700) == 0 else {
                throw SystemError("take \(foreign.path)")
            }
            server = try NephosCommand(data: folder.path + "/data")
            var caller = server
            caller.user = .caller
            self.caller = caller
            try writeFile(foreign.path + "/file", Array("of the caller".utf8))
            guard mkdir(foreign.path + "/folder", 0o700) == 0 else { throw SystemError("mkdir") }
            try writeFile(foreign.path + "/folder/file", Array("of the caller, too".utf8))
            guard filled else { return }
            try server("container", "create", Self.container, "--new-store")
            try server("account", "create", "mary@example.org")
            try server("mail", "configure", "--folder", "--from", "nephos@example.org")
        }

        /// Puts a link in place of something in the data folder, as its owner can.
        func link(_ place: String, to target: String) throws {
            let path = "\(server.data)/\(place)"
            let above = URL(fileURLWithPath: path).deletingLastPathComponent().path
            try FileManager.default.createDirectory(atPath: above, withIntermediateDirectories: true)
            try giveToOrdinaryUser(server.data)
            if access(path, F_OK) == 0 { try FileManager.default.removeItem(atPath: path) }
            guard symlink(target, path) == 0 else { throw SystemError("symlink \(path)") }
        }

        /// Names, owners, modes and contents of the caller's things.
        func things() throws -> [String] {
            let names =
                FileManager.default.enumerator(atPath: foreign.path)?.compactMap { $0 as? String }.sorted() ?? []
            return try names.map { name in
                var status = stat()
                guard lstat("\(foreign.path)/\(name)", &status) == 0 else { throw SystemError("lstat \(name)") }
                let isFile = status.st_mode & S_IFMT == S_IFREG
                let text = try isFile ? String(decoding: readFile("\(foreign.path)/\(name)"), as: UTF8.self) : ""
                return "\(name) \(status.st_uid):\(status.st_gid) \(status.st_mode) \(text)"
            }
        }

        /// The owners of what is in the data folder that are not the folder's own.
        func strangers() throws -> [String] {
            var status = stat()
            guard lstat(server.data, &status) == 0 else { throw SystemError("lstat \(server.data)") }
            let (user, group) = (status.st_uid, status.st_gid)
            let names = FileManager.default.enumerator(atPath: server.data)?.compactMap { $0 as? String } ?? []
            return try names.filter { name in
                guard lstat("\(server.data)/\(name)", &status) == 0 else { throw SystemError("lstat \(name)") }
                return status.st_uid != user || status.st_gid != group
            }
        }
    }

    /// A place in the data folder, and what a link there leads to in the caller's folder.
    struct Place: CustomTestStringConvertible {
        let path: String
        let target: String
        var testDescription: String { "\(path) to \(target)" }

        /// The folder of files may be elsewhere if it belongs to the same user, as it does for an ordinary user.
        var isForeign: Bool { path != "assets" || geteuid() == 0 }
    }

    @Test(
        "What lies in a data folder cannot make a command of root touch files of others",
        arguments: [
            Place(path: "serve.lock", target: "file"), Place(path: "upgrade.lock", target: "file"),
            Place(path: "nephos.sqlite", target: "file"), Place(path: "nephos.sqlite-wal", target: "file"),
            Place(path: "secret.key", target: "file"), Place(path: "containers", target: "folder"),
            Place(path: "containers/.gone-1", target: "folder"), Place(path: "containers/.new-1", target: "folder"),
            Place(path: "containers/iCloud.com.example.app", target: "folder"),
            Place(path: "containers/iCloud.com.example.app/development.sqlite", target: "file"),
            Place(path: "containers/iCloud.com.example.app/deleting", target: "file"),
            Place(path: "assets", target: "folder"), Place(path: "assets/.drafts", target: "folder"),
            Place(path: "assets/iCloud.com.example.app", target: "folder"), Place(path: "mail", target: "folder"),
        ].filter(\.isForeign))
    func links(place: Place) throws {
        // Locks are also created with a new store.
        for filled in place.path.hasSuffix(".lock") ? [true, false] : [true] {
            let fixture = try Fixture(filled: filled)
            try fixture.link(place.path, to: "\(fixture.foreign.path)/\(place.target)")
            let before = try fixture.things()
            // Whether they succeed depends on the place.
            for command in [
                ["container", "list"], ["container", "create", "iCloud.other", "--new-store"], ["check"],
                ["mail", "test", "mary@example.org"],
                ["store", "copy", fixture.server.data, "\(fixture.folder.path)/copy"],
                ["container", "delete", Fixture.container, "--yes"], ["secret", "reset", "--yes"],
            ] {
                // A copy names its stores by itself.
                var caller = fixture.caller
                if command[0] == "store" { caller = try NephosCommand(data: "", executable: caller.executable) }
                _ = try Self.run(command, caller)
                #expect(try fixture.things() == before, "\(command)")
            }
        }
    }

    private static func run(_ arguments: [String], _ command: NephosCommand) throws -> CommandResult {
        let folder = try TemporaryFolder(prefix: "nephos-run")
        let (output, errors) = (folder.path + "/output", folder.path + "/errors")
        let data = command.data.isEmpty ? [] : ["--data", command.data]
        let child = try ChildProcess(
            command.executable, arguments + data, environment: command.environment, as: .caller, output: output,
            errors: errors)
        let status = if case .exited(let code) = child.wait() { code } else { Int32(-1) }
        return CommandResult(
            status: status, output: String(decoding: try readFile(output), as: UTF8.self),
            errors: String(decoding: try readFile(errors), as: UTF8.self))
    }

    @Test(
        "A link in place of a file is refused, and the message says so",
        arguments: ["nephos.sqlite", "secret.key", "containers/iCloud.com.example.app/development.sqlite"])
    func refused(name: String) throws {
        let fixture = try Fixture()
        let (path, moved) = ("\(fixture.server.data)/\(name)", "\(fixture.folder.path)/moved")
        guard rename(path, moved) == 0, symlink(moved, path) == 0 else { throw SystemError("move \(path)") }
        let result = try fixture.server.run(["token", "create", Fixture.container])
        #expect(result.status == 1 && result.errors.contains("\(path): it is a symbolic link"), "\(result)")
    }

    @Test("A link in place of a lock is refused")
    func lock() throws {
        let fixture = try Fixture(filled: false)
        try fixture.link("upgrade.lock", to: "\(fixture.folder.path)/elsewhere")
        let result = try fixture.server.run(["container", "create", Fixture.container, "--new-store"])
        #expect(result.status == 1 && result.errors.contains("it is a symbolic link"), "\(result)")
        #expect(access("\(fixture.folder.path)/elsewhere", F_OK) != 0)
    }

    @Test("The data folder itself can be behind a link, and its folder of files be one")
    func behind() throws {
        let fixture = try Fixture()
        let link = "\(fixture.folder.path)/link"
        guard symlink(fixture.server.data, link) == 0 else { throw SystemError("symlink") }
        try FileManager.default.createDirectory(
            atPath: "\(fixture.folder.path)/disk", withIntermediateDirectories: true)
        try fixture.link("assets", to: "\(fixture.folder.path)/disk")
        try giveToOrdinaryUser("\(fixture.folder.path)/disk")
        var caller = try NephosCommand(data: link)
        caller.user = .caller
        #expect(try caller("container", "list") == Fixture.container)
        try caller("check")
    }

    @Test("What a command of root creates in a data folder belongs to the folder's owner")
    func created() throws {
        for fixture in [try Fixture(), try Fixture(filled: false)] {
            try fixture.caller("container", "create", "iCloud.new", "--new-store")
            try fixture.caller("account", "create", "ada@example.org")
            try fixture.caller("mail", "configure", "--folder", "--from", "nephos@example.org")
            try fixture.caller("mail", "test", "ada@example.org")
            try fixture.caller("secret", "rotate")
            try fixture.caller("check")
            #expect(try fixture.strangers().isEmpty)
            // The server's user can use all of it.
            try fixture.server("container", "create", "iCloud.another")
            try fixture.server("secret", "rotate")
        }
    }

    @Test("A server of root runs as the owner of its folder")
    func serves() throws {
        let fixture = try Fixture(filled: false)
        let (output, errors) = (fixture.foreign.path + "/output", fixture.foreign.path + "/errors")
        let child = try fixture.caller.start(["serve", "--new-store", "--port", "0"], output: output, errors: errors)
        defer {
            child.signal(SIGTERM)
            child.wait()
        }
        let listens = Deadline().waits {
            String(decoding: (try? readFile(errors)) ?? [], as: UTF8.self).contains("Nephos serves")
        }
        let said = String(decoding: try readFile(errors), as: UTF8.self)
        #expect(listens, "\(said)")
        #expect(try fixture.strangers().isEmpty)
        #if os(Linux)
            var status = stat()
            guard lstat(fixture.server.data, &status) == 0 else { throw SystemError("lstat") }
            let group = getpwuid(status.st_uid)?.pointee.pw_gid ?? status.st_gid
            var threads = 0
            for thread in try FileManager.default.contentsOfDirectory(atPath: "/proc/\(child.id)/task") {
                // Some may have ended.
                guard let text = try? readFile("/proc/\(child.id)/task/\(thread)/status") else { continue }
                let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
                func numbers(_ field: String) -> [String]? {
                    lines.first { $0.hasPrefix(field) }?.split(whereSeparator: \.isWhitespace).dropFirst().map(
                        String.init)
                }
                threads += 1
                #expect(numbers("Uid:") == Array(repeating: "\(status.st_uid)", count: 4), "\(thread)")
                guard geteuid() == 0 else { continue }
                #expect(numbers("Gid:") == Array(repeating: "\(group)", count: 4), "\(thread)")
                #expect(numbers("Groups:")?.contains("0") == false, "\(thread)")
            }
            #expect(threads > 1)
        #endif
    }

    #if os(Linux)
        @Test("A server of root that could not use its port as the owner of its folder creates nothing")
        func lowPort() throws {
            let setting = try readFile("/proc/sys/net/ipv4/ip_unprivileged_port_start")
            let first = String(decoding: setting, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            guard geteuid() == 0, Int(first) ?? 0 > 80 else { return }
            let fixture = try Fixture(filled: false)
            for ports in [["--port", "80"], ["--port", "0", "--metrics", "127.0.0.1:80"]] {
                let result = try fixture.caller.run(["serve", "--new-store"] + ports)
                #expect(result.status == 2 && result.errors.contains("port 80 of --"), "\(result)")
                #expect(access(fixture.server.data, F_OK) != 0)
            }
        }
    #endif

    @Test("A server whose user cannot read its key file again says so, since it would never find another key")
    func unreadableKey() throws {
        guard geteuid() == 0 else { return }
        let fixture = try Fixture(filled: false)
        let key = fixture.foreign.path + "/secret.key"
        let made = try Self.run(["secret", "new"], try NephosCommand(data: "", executable: fixture.caller.executable))
        try writeFile(key, Array(made.line.utf8))
        guard chmod(key, 0o600) == 0 else { throw SystemError("chmod") }
        var caller = fixture.caller
        caller.environment["NEPHOS_SECRET_KEY_FILE"] = key
        let (output, errors) = (fixture.foreign.path + "/output", fixture.foreign.path + "/errors")
        let child = try caller.start(["serve", "--new-store", "--port", "0"], output: output, errors: errors)
        if child.wait(atMost: Double(Patience.seconds)) == nil { child.signal(SIGKILL) }
        #expect(child.wait() == .exited(1))
        let said = String(decoding: try readFile(errors), as: UTF8.self)
        #expect(said.contains("chgrp ") && said.contains("chmod 640 '\(key)'"), "\(said)")
    }

    @Test("The secrets of the demo are not read through a link")
    func demo() throws {
        let fixture = try Fixture(filled: false)
        /// The API token that a server prints.
        func token() throws -> String {
            let folder = try TemporaryFolder(prefix: "nephos-demo")
            let (output, errors) = (folder.path + "/output", folder.path + "/errors")
            let child = try fixture.server.start(["serve", "--demo", "--port", "0"], output: output, errors: errors)
            defer {
                child.signal(SIGTERM)
                child.wait()
            }
            var line: String?
            _ = Deadline().waits {
                let lines = String(decoding: (try? readFile(output)) ?? [], as: UTF8.self).split(separator: "\n")
                line = lines.first { $0.hasPrefix("API token ") }.map(String.init)
                return line != nil
            }
            let said = String(decoding: try readFile(errors), as: UTF8.self)
            return try #require(line, "\(said)")
        }
        let first = try token()
        #expect(try token() == first)
        let (path, moved) = ("\(fixture.server.data)/demo.json", "\(fixture.folder.path)/moved")
        guard rename(path, moved) == 0, symlink(moved, path) == 0 else { throw SystemError("move \(path)") }
        #expect(try token() != first)
        var status = stat()
        #expect(lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG)
    }

    @Test("A folder of root that others can write to is not used as root")
    func shared() throws {
        guard geteuid() == 0 else { return }
        let fixture = try Fixture(filled: false)
        var status = stat()
        guard lstat(fixture.folder.path, &status) == 0 else { throw SystemError("lstat") }
        let data = fixture.foreign.path + "/data"
        guard mkdir(data, 0o700) == 0, chown(data, 0, status.st_gid) == 0, chmod(data, 0o770) == 0 else {
            throw SystemError("mkdir")
        }
        var caller = try NephosCommand(data: data)
        caller.user = .caller
        let arguments = ["container", "create", Fixture.container, "--new-store"]
        let refused = try caller.run(arguments)
        #expect(refused.status == 1 && refused.errors.contains("chown USER '\(data)'"), "\(refused)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: data).isEmpty)
        guard chmod(data, 0o700) == 0 else { throw SystemError("chmod") }
        #expect(try caller.run(arguments).status == 0)
        // A server may have created the store as a member of the group.
        guard chmod(fixture.foreign.path, 0o711) == 0 else { throw SystemError("chmod") }
        try giveToOrdinaryUser(data)
        guard chown(data, 0, status.st_gid) == 0, chmod(data, 0o770) == 0 else { throw SystemError("chown") }
        #expect(try caller.run(["account", "create", "mary@example.org"]).status == 0)
    }

    @Test("A link at an output, or in place of an input, leads no command of root to a file of root")
    func linkedFiles() throws {
        guard geteuid() == 0 else { return }
        let fixture = try Fixture()
        let (theirs, mine) = (fixture.folder.path, fixture.foreign.path)
        try fixture.caller("settings", "export", Fixture.container, "\(mine)/settings")
        let targets = ["\(mine)/file", "\(mine)/settings"]
        for target in targets { guard chmod(target, 0o600) == 0 else { throw SystemError("chmod") } }
        let before = try fixture.things()
        for (name, target) in [("file", targets[0]), ("in", targets[1]), ("folder", mine)] {
            guard symlink(target, "\(theirs)/\(name)") == 0 else { throw SystemError("symlink") }
        }
        // Whether the first succeeds does not matter: it replaces the link at most.
        _ = try fixture.caller.run(["settings", "export", Fixture.container, "\(theirs)/file"])
        let below = try fixture.caller.run(["settings", "export", Fixture.container, "\(theirs)/folder/new"])
        #expect(below.status == 1, "\(below)")
        let read = try fixture.caller.run(["settings", "import", Fixture.container, "\(theirs)/in"])
        #expect(read.status == 1 && read.errors.contains("not read as root"), "\(read)")
        #expect(try fixture.things() == before)

        guard symlink(targets[0], "\(mine)/link") == 0, link(targets[0], "\(mine)/second") == 0 else {
            throw SystemError("link")
        }
        for name in ["link", "second"] {
            let result = try fixture.caller.run(["settings", "export", Fixture.container, "\(mine)/\(name)"])
            #expect(result.status == 1 && result.errors.contains("is a link, or belongs to another user"), "\(result)")
        }
        #expect(try String(decoding: readFile(targets[0]), as: UTF8.self) == "of the caller")
    }

    @Test("A backup that root creates belongs to the owner of the data, who must be able to get there")
    func backedUp() throws {
        let fixture = try Fixture()
        let path = "\(fixture.foreign.path)/backup"
        if geteuid() == 0 {
            let closed = try fixture.caller.run(["backup", "create", path])
            #expect(closed.status == 1 && closed.errors.contains("chmod o+x '\(fixture.foreign.path)'"), "\(closed)")
            #expect(access(path, F_OK) != 0)
        }
        guard chmod(fixture.foreign.path, 0o711) == 0 else { throw SystemError("chmod") }
        let result = try fixture.caller.run(["backup", "create", path])
        #expect(result.status == 0, "\(result)")
        var (data, backup) = (stat(), stat())
        guard lstat(fixture.server.data, &data) == 0, lstat(path, &backup) == 0 else { throw SystemError("lstat") }
        #expect(backup.st_uid == data.st_uid && backup.st_mode & 0o777 == 0o700)
        let again = try fixture.caller.run(["backup", "create", path])
        #expect(again.status == 1 && again.errors.contains("is not empty"), "\(again)")
        let killed = "\(fixture.foreign.path)/killed"
        guard mkdir(killed, 0o700) == 0, mkdir(killed + "/incomplete", 0o700) == 0 else { throw SystemError("mkdir") }
        try giveToOrdinaryUser(killed)
        let third = try fixture.caller.run(["backup", "create", killed])
        #expect(third.status == 1 && third.errors.contains("has a backup that was not completed"), "\(third)")
    }

    @Test("Files that a command line names are used with the rights of whoever runs the command")
    func named() throws {
        let fixture = try Fixture()
        let mine = fixture.foreign.path
        try fixture.caller("schema", "export", Fixture.container, "\(mine)/schema.ckdb")
        try fixture.caller("schema", "import", Fixture.container, "\(mine)/schema.ckdb", "--environment", "development")
        try fixture.caller("settings", "export", Fixture.container, "\(mine)/file")
        #expect(try !String(decoding: readFile("\(mine)/file"), as: UTF8.self).contains("of the caller"))
        try fixture.caller("settings", "import", Fixture.container, "\(mine)/file")
        try writeFile("\(mine)/password", Array("correct horse battery".utf8))
        guard chmod("\(mine)/password", 0o600) == 0 else { throw SystemError("chmod") }
        try fixture.caller("account", "create", "ada@example.org", "--password-file", "\(mine)/password")
        try fixture.caller("key", "create", Fixture.container, "--generate", "\(mine)/key.pem")
        #expect(try String(decoding: readFile("\(mine)/key.pem"), as: UTF8.self).contains("END PRIVATE KEY"))
        let again = try fixture.caller.run(["key", "create", Fixture.container, "--generate", "\(mine)/key.pem"])
        #expect(again.status == 1 && again.errors.contains("already exists"), "\(again)")
        try writeFile("\(mine)/key.new", try readFile("\(mine)/key.pem"))
        try fixture.caller("account", "export", "mary@example.org", "\(mine)/mary")
        #expect(try String(decoding: readFile("\(mine)/mary/account.json"), as: UTF8.self).contains("mary@example.org"))
        for (name, mode) in [("key.pem", mode_t(0o600)), ("mary", 0o700), ("mary/account.json", 0o600)] {
            var status = stat()
            guard lstat("\(mine)/\(name)", &status) == 0 else { throw SystemError("lstat \(name)") }
            #expect(status.st_mode & 0o777 == mode, "\(name)")
        }
        // A command that fails leaves no file, or an empty one where the owner of the data can remove nothing.
        #expect(try fixture.caller.run(["schema", "export", "iCloud.none", "\(mine)/none"]).status == 1)
        #expect(try access("\(mine)/none", F_OK) != 0 || geteuid() == 0 && readFile("\(mine)/none").isEmpty)
        #expect(try fixture.strangers().isEmpty)
    }

    @Test("The key file that the environment names is read by whoever runs the command")
    func key() throws {
        let fixture = try Fixture(filled: false)
        let key = fixture.foreign.path + "/secret.key"
        // The command has no store.
        let made = try Self.run(
            ["secret", "new"], try NephosCommand(data: "", executable: fixture.caller.executable))
        #expect(made.status == 0, "\(made)")
        try writeFile(key, Array(made.line.utf8))
        guard chmod(key, 0o600) == 0 else { throw SystemError("chmod") }
        var caller = fixture.caller
        caller.environment["NEPHOS_SECRET_KEY_FILE"] = key
        try caller("container", "create", Fixture.container, "--new-store")
        #expect(try caller("container", "list") == Fixture.container)
        #expect(access("\(fixture.server.data)/secret.key", F_OK) != 0)
    }

    @Test("A store is copied as the owner of its folder, whom the copy belongs to")
    func copied() throws {
        let fixture = try Fixture()
        let copy = "\(fixture.folder.path)/copy"
        let result = try Self.run(
            ["store", "copy", fixture.server.data, copy],
            try NephosCommand(data: "", executable: fixture.server.executable))
        #expect(result.status == 0, "\(result)")
        var (one, other) = (stat(), stat())
        guard lstat(fixture.server.data, &one) == 0, lstat(copy, &other) == 0 else { throw SystemError("lstat") }
        #expect(one.st_uid == other.st_uid)
        #expect(try NephosCommand(data: copy)("container", "list") == Fixture.container)
    }

    @Test("So it is in a new folder that only the caller could create, and so are its files")
    func copiedElsewhere() throws {
        let fixture = try Fixture()
        guard chmod(fixture.foreign.path, 0o711) == 0 else { throw SystemError("chmod") }
        let (copy, files) = (fixture.foreign.path + "/copy", fixture.foreign.path + "/files")
        let result = try Self.run(
            ["store", "copy", fixture.server.data, copy, "--to-assets", files],
            try NephosCommand(data: "", executable: fixture.server.executable))
        #expect(result.status == 0, "\(result)")
        var (data, status) = (stat(), stat())
        for path in [copy, files] {
            guard lstat(fixture.server.data, &data) == 0, lstat(path, &status) == 0 else { throw SystemError("lstat") }
            #expect(status.st_uid == data.st_uid && status.st_mode & 0o777 == 0o700, "\(path)")
        }
        #expect(try NephosCommand(data: copy)("container", "list") == Fixture.container)
    }
}
