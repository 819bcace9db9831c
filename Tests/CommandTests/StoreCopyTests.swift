import Foundation
import NephosTesting
import ServerTesting
import Testing

/// docs/running.md, "Moving a store".
@Suite("nephos store copy") struct StoreCopyTests {
    private let source: DataFolder
    private let target: DataFolder

    init() throws {
        source = try DataFolder.prepared()
        target = try DataFolder(TestStore(.sqlite))
    }

    private var from: String { source.store.url ?? source.nephos.data }

    private func copy(_ more: String..., from: String? = nil, to: String? = nil) throws -> Outcome {
        try source.run(
            ["store", "copy", from ?? self.from, to ?? target.nephos.data, "--from-assets", "FOLDER/assets"] + more,
            environment: ["NEPHOS_STORE": ""])
    }

    @Test("A copy has everything the store has, reports how much that is, and passes the check")
    func copies() throws {
        let result = try copy()
        #expect(result.status == 0, "\(result.errors)")
        let lines = result.output.split(separator: "\n")
        #expect(lines.first?.wholeMatch(of: /table +rows +bytes/) != nil)
        #expect(lines.contains { $0.wholeMatch(of: /containers +1 +-/) != nil })
        #expect(lines.last?.wholeMatch(of: /files +0 +0/) != nil)
        #expect(result.errors.contains("is the same as"))
        #expect(!result.errors.contains("postgres://"))
        #expect(try target.run(["container", "list"]).output == "\(DataFolder.container)\n")
        #expect(try target.run(["account", "list"]).output.contains("mary@example.org"))
        #expect(try target.run(["check"]).status == 0)
        #expect(
            try target.run(["schema", "export", DataFolder.container]).output
                == source.run(["schema", "export", DataFolder.container]).output)
    }

    @Test("An existing store is not overwritten, and a store is not copied into itself")
    func occupied() throws {
        try target.nephos("container", "create", "iCloud.other", "--new-store")
        let result = try copy()
        #expect(result.status == 1)
        #expect(result.errors.contains("is not empty"))
        #expect(try target.run(["container", "list"]).output == "iCloud.other\n")
        let same = try copy(to: from)
        #expect(same.status == 2)
        #expect(same.errors.contains("FROM and TO are the same"))
    }

    @Test("Nothing is copied into a folder with other files, and these stay") func foreign() throws {
        let notes = target.nephos.data + "/containers/notes"
        try FileManager.default.createDirectory(atPath: notes, withIntermediateDirectories: true)
        try "precious".write(toFile: notes + "/todo.txt", atomically: true, encoding: .utf8)
        let result = try copy()
        #expect(result.status == 1)
        #expect(result.errors.contains("contains files that do not belong to a store"), "\(result.errors)")
        // Nor does it go where a store begins.
        try target.nephos("container", "create", "iCloud.other", "--new-store")
        #expect(try target.run(["container", "list"]).output == "iCloud.other\n")
        #expect(FileManager.default.fileExists(atPath: notes + "/todo.txt"))
    }

    @Test("An invalid address is rejected and not repeated") func scheme() throws {
        let result = try copy(to: "Postgres://mary:secret@db.example.org/nephos")
        #expect(result.status == 2)
        #expect(result.errors.contains("begin with postgres://") && !result.errors.contains("secret"))
    }

    @Test("Two stores never share a folder of files, since each removes what it does not use") func sharedFiles() throws
    {
        let result = try copy("--to-assets", "FOLDER/assets")
        #expect(result.status == 2 && result.errors.contains("Pass --to-assets with a new folder."), "\(result.errors)")
        #expect(!FileManager.default.fileExists(atPath: target.nephos.data))
        // Nor through a link, even to a folder that FROM gets only now.
        let files = source.folder.path + "/assets"
        if FileManager.default.fileExists(atPath: files) { try FileManager.default.removeItem(atPath: files) }
        let link = target.nephos.data + "-files"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: files)
        defer { unlink(link) }
        let linked = try copy("--to-assets", link)
        #expect(linked.status == 2 && linked.errors.contains("would share the files"), "\(linked.errors)")
        #expect(!FileManager.default.fileExists(atPath: target.nephos.data))
    }

    @Test("A copy to a database elsewhere that does not have to prove its identity is warned of") func unverified()
        throws
    {
        let result = try copy(to: "postgres://u@db.invalid/nephos?connect_timeout=2")
        #expect(result.status == 1 && result.errors.hasPrefix("Warning: "), "\(result.errors)")
        #expect(result.errors.contains("sslmode=verify-full"))
    }

    @Test("A missing store is named, and nothing is created")
    func missing() throws {
        let result = try copy(from: "FOLDER/nowhere")
        #expect(result.status == 1)
        #expect(result.errors.contains("There is no store in "))
        #expect(!FileManager.default.fileExists(atPath: target.nephos.data))
        let address = try copy(from: "postgres://a@b@c/d")
        #expect(address.status == 2)
        #expect(address.errors.contains("not a valid PostgreSQL address"))
    }

    @Test("A wrong key opens nothing, and nothing is created")
    func wrongKey() throws {
        let key = try source.run(["secret", "new"]).output
        try writeSecret(source.folder.path + "/other.key", key)
        let result = try copy("--from-key", "FOLDER/other.key")
        #expect(result.status == 1)
        #expect(result.errors.contains("sealed under a key that"))
        #expect(!FileManager.default.fileExists(atPath: target.nephos.data))
    }

    @Test("The secrets of the copy are sealed with the key that was given for it")
    func newKey() throws {
        let key = try source.run(["secret", "new"]).output
        let file = source.folder.path + "/new.key"
        try writeSecret(file, key)
        #expect(try copy("--to-key", "FOLDER/new.key").status == 0)
        #expect(try target.run(["check"]).errors.contains("sealed under a key that"))
        #expect(try target.run(["check"], environment: ["NEPHOS_SECRET_KEY_FILE": file]).status == 0)
    }
}

/// The same of a folder that is damaged, or served.
@Suite("nephos store copy of a data folder") struct SQLiteStoreCopyTests {
    private let source: DataFolder
    private let target: DataFolder

    init() throws {
        source = try DataFolder.prepared(in: TestStore(.sqlite))
        target = try DataFolder(TestStore(.sqlite))
    }

    private func copy() throws -> Outcome {
        try source.run(["store", "copy", source.nephos.data, target.nephos.data])
    }

    @Test("A copy of a damaged store stays incomplete, and is neither served nor used")
    func damaged() throws {
        try source.nephos("token", "create", DataFolder.container, "--name", "as it was written")
        let path = "\(source.nephos.data)/containers/\(DataFolder.container)/development.sqlite"
        var bytes = try #require(FileManager.default.contents(atPath: path))
        let range = try #require(bytes.range(of: Data("as it was written".utf8)))
        bytes.replaceSubrange(range, with: Data("as it was WRITTEN".utf8))
        try bytes.write(to: URL(fileURLWithPath: path))
        let result = try copy()
        #expect(result.status == 1)
        #expect(result.errors.contains("The copy was not finished"))
        for command in [["container", "list"], ["serve", "--port", "0"]] {
            let refused = try target.run(command)
            #expect(refused.status == 1)
            #expect(refused.errors.contains("This store is the unfinished copy of another"), "\(command)")
        }
    }

    @Test("Rejects a store inside the other") func nested() throws {
        for target in ["/containers/new", "/containers", "/assets"] {
            let result = try source.run(["store", "copy", source.nephos.data, source.nephos.data + target])
            #expect(result.status == 2)
            #expect(result.errors.contains("inside the other"), "\(result.errors)")
        }
        #expect(try source.run(["check"]).status == 0)
    }

    @Test("A folder in use by a server is not copied")
    func served() throws {
        let file = open("\(source.nephos.data)/serve.lock", O_CREAT | O_RDWR, 0o600)
        defer { close(file) }
        #expect(flock(file, LOCK_EX | LOCK_NB) == 0)
        let result = try copy()
        #expect(result.status == 1)
        #expect(result.errors.contains("A server uses \(source.nephos.data)"))
    }
}
