import NephosTesting
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

@Suite("The location of the data folder", .onOwnThreads) struct SQLiteFolderTests {
    @Test func aFolderThatIsNotThereIsAnEmptyListAndIsNotMade() throws {
        let folder = try DataFolder(TestStore(.sqlite))
        let result = try folder.nephos.run(["container", "list"])
        #expect(result.status == 0)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains("nephos container create ID --new-store --data \(folder.nephos.data)"))
        #expect(access(folder.nephos.data, F_OK) != 0)
    }

    @Test(arguments: [
        ["check"], ["token", "create", "iCloud.x"], ["container", "delete", "iCloud.x"],
        ["container", "create", "iCloud.x"],
        ["account", "create", "mary@example.org"], ["serve", "--port", "0"],
    ])
    func whatNeedsAStoreFailsWhereThereIsNone(arguments: [String]) throws {
        let folder = try DataFolder(TestStore(.sqlite))
        let result = try folder.run(arguments)
        #expect(result.status == 1)
        #expect(result.errors.contains("There is no store in \(folder.nephos.data)."))
        #expect(access(folder.nephos.data, F_OK) != 0)
    }

    @Test func theEnvironmentNamesTheFolderWhereTheOptionDoesNot() throws {
        let folder = try DataFolder.prepared(in: TestStore(.sqlite))
        #expect(try folder.run(["container", "list"]).output == "\(DataFolder.container)\n")
        #expect(try folder.run(["container", "list", "--data", "FOLDER/other"]).output.isEmpty)
    }

    @Test func aSecondServerOnTheFolderFailsWithAClearLine() throws {
        let server = try ServerProcess(store: TestStore(.sqlite))
        let second = try server.command.run(["serve", "--port", "\(Socket.freePort())"])
        #expect(second.status == 1)
        #expect(second.output.isEmpty)
        #expect(second.errors.contains("another server"), "\(second.errors)")
    }

    /// The errors of a server that cannot listen. In a process of its own: metrics are set up once in each.
    private func refused(_ options: String...) throws -> String {
        let folder = try TemporaryFolder(prefix: "nephos-port")
        let server = try ChildProcess(
            try builtProgram("nephos", orNamedBy: "NEPHOS_BINARY"),
            ["serve", "--new-store", "--data", folder.path + "/data"] + options,
            environment: [:], output: folder.path + "/output", errors: folder.path + "/errors")
        #expect(server.wait() == .exited(1))
        return String(decoding: try readFile(folder.path + "/errors"), as: UTF8.self)
    }

    @Test func aFileInPlaceOfTheFolderIsNotAnEmptyStore() throws {
        let folder = try DataFolder(TestStore(.sqlite))
        try writeFile(folder.folder.path + "/text", Array("Hello".utf8))
        let listed = try folder.run(["container", "list", "--data", "FOLDER/text"])
        #expect(listed.status == 1 && listed.errors.contains("/text is a file, not a folder."), "\(listed)")
    }

    @Test func aPortThatIsInUseIsNamedWithWhatToDo() throws {
        let server = try ServerProcess(store: TestStore(.sqlite))
        let said = try refused("--port", "\(server.port)")
        #expect(said.contains("Port \(server.port) is in use; choose another with --port."), "\(said)")
    }

    @Test func anAddressThatTheMachineLacksIsNamedWithWhatToDo() throws {
        let said = try refused("--host", "192.0.2.1", "--port", "8080")
        #expect(
            said.contains(
                "Cannot serve on 192.0.2.1, port 8080: this machine has no such address. Choose another address with --host"
            ),
            "\(said)")
    }
}

@Suite("Keys in files") struct KeyFileTests {
    @Test func aGeneratedKeyIsReadableByItsOwnerOnlyAndRegistersAsItself() throws {
        let folder = try DataFolder.prepared()
        let path = folder.folder.path + "/key.pem"
        let id = try folder.nephos("key", "create", DataFolder.container, "--generate", path)

        var status = stat()
        #expect(stat(path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        let pem = String(decoding: try readFile(path), as: UTF8.self)
        #expect(pem.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        #expect(pem.hasSuffix("-----END PRIVATE KEY-----\n"))
        #expect(id.count == 64)
    }

    @Test func aFileThatIsThereIsNeverOverwritten() throws {
        let folder = try DataFolder.prepared()
        let path = folder.folder.path + "/key.pem"
        try folder.nephos("key", "create", DataFolder.container, "--generate", path)
        let first = try readFile(path)
        let again = try folder.run(["key", "create", DataFolder.container, "--generate", path])
        #expect(again.status == 1)
        #expect(again.errors.contains("\(path) already exists."))
        #expect(try readFile(path) == first)
    }

    @Test func noFileIsMadeForAContainerThatIsNotThere() throws {
        let folder = try DataFolder.prepared()
        let path = folder.folder.path + "/key.pem"
        #expect(try folder.run(["key", "create", "iCloud.x", "--generate", path]).status == 1)
        #expect(access(path, F_OK) != 0)
    }
}
