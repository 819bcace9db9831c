import Foundation
import NephosTesting
import ServerTesting
import Testing

/// docs/operating.md, "Backups".
@Suite("nephos backup create of a data folder") struct SQLiteBackupTests {
    private let cloud: TestCloud
    private let folder: TemporaryFolder

    init() throws {
        cloud = try TestCloud(store: TestStore(.sqlite))
        folder = try TemporaryFolder(prefix: "nephos-backups")
        try giveToOrdinaryUser(folder.path)
    }

    private var command: NephosCommand { cloud.server.command }
    private var backup: String { folder.path + "/backup" }

    /// A record with a file. - Returns: The file's path in the data folder.
    private func saveFile(_ client: CloudKitClient) throws -> String {
        let value = try client.send(file: Array("the picture".utf8), to: try client.uploadURLs(field: "file")[0])
        let record: JSON = ["recordName": "tom", "recordType": "Cat", "fields": ["file": ["value": value]]]
        let operations: JSON = ["operations": [["operationType": "create", "record": record]]]
        #expect(try client.post("records/modify", .private, operations).json["records"][0]["serverErrorCode"].isAbsent)
        return try #require(try files(in: command.data + "/assets").first { !$0.hasSuffix(".durable") })
    }

    private func files(in folder: String) throws -> [String] {
        let all = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return all.map { "\(folder)/\($0)" }.filter { path in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
        }
    }

    private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    @Test(
        "A backup has everything but the key, for its owner only, and is checked; a server started on it has all records and files"
    )
    func restores() throws {
        let container = try cloud.container()
        let ada = try container.person("ada@example.org")
        _ = try saveFile(ada)
        let token = try ada.post("changes/zone", .private, ["zones": [["zoneID": ["zoneName": "_defaultZone"]]]])
        let result = try command.run(["backup", "create", backup])
        #expect(result.status == 0, "\(result)")
        let lines = result.output.split(separator: "\n")
        #expect(lines.first?.wholeMatch(of: /moment +containers +rows +files +bytes/) != nil)
        #expect(lines.last?.wholeMatch(of: /20\d\d-\S+Z +1 +\d+ +1 +\d{5,}/) != nil, "\(result.output)")
        #expect(result.errors.contains("The backup is complete") && result.errors.contains("key"))
        #expect(
            try Set(FileManager.default.contentsOfDirectory(atPath: backup)).isSuperset(of: [
                "nephos.sqlite", "containers", "assets",
            ]))
        #expect(!exists(backup + "/incomplete") && !exists(backup + "/secret.key"))
        for path in try files(in: backup) {
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(path)")
        }
        #expect(try FileManager.default.attributesOfItem(atPath: backup)[.posixPermissions] as? Int == 0o700)

        // What was saved after the moment is not in it.
        let late: JSON = ["operationType": "create", "record": ["recordName": "late", "recordType": "Cat"]]
        #expect(try ada.post("records/modify", .private, ["operations": [late]]).status == 200)
        try FileManager.default.copyItem(atPath: command.data + "/secret.key", toPath: backup + "/secret.key")
        try giveToOrdinaryUser(backup)
        let server = try ServerProcess(data: backup)
        #expect(try server.command.run(["check"]).status == 0)
        let again = CloudKitClient(port: server.port, container: container.id, credentials: ada.credentials)
        let wanted: JSON = ["records": [["recordName": "tom"], ["recordName": "late"]]]
        let records = try again.post("records/lookup", .private, wanted).json["records"]
        let url = try #require(records[0]["fields"]["file"]["value"]["downloadURL"].string)
        #expect(try again.load("GET", url).body == Array("the picture".utf8))
        #expect(records[1]["serverErrorCode"].string == "NOT_FOUND")
        let since = try token.json["zones"][0]["syncToken"]
        let news = try again.post(
            "changes/zone", .private, ["zones": [["zoneID": ["zoneName": "_defaultZone"], "syncToken": since]]])
        #expect(try news.json["zones"][0]["records"].elements.isEmpty, "a change token of before is good")
        try server.stop()
    }

    @Test("A file that is missing is named, everything else is copied, and the backup stays incomplete")
    func missingFile() throws {
        let file = try saveFile(try cloud.container().person("ada@example.org"))
        try FileManager.default.removeItem(atPath: file)
        let result = try command.run(["backup", "create", backup])
        #expect(result.status == 1)
        let name = try #require(file.split(separator: "/").last?.prefix(40))
        #expect(result.output.contains(": is missing") && result.output.contains(name), "\(result.output) \(name)")
        #expect(result.errors.contains("\(backup)/incomplete, which can be used as a data folder"), "\(result.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: backup) == ["incomplete"])
        #expect(exists(backup + "/incomplete/nephos.sqlite"))
        let none = try NephosCommand(data: backup).run(["container", "list"])
        #expect(none.status == 1 && none.errors.contains("has a backup that was not completed"), "\(none)")
        let again = try command.run(["backup", "create", backup])
        #expect(again.status == 1 && again.errors.contains("has a backup that was not completed"), "\(again.errors)")
    }

    @Test("A damaged row is found in the backup, which stays incomplete") func damage() throws {
        let container = try cloud.container()
        try command("token", "create", container.id, "--name", "as it was written")
        try cloud.server.stop()
        let path = "\(command.data)/containers/\(container.id)/development.sqlite"
        var bytes = try #require(FileManager.default.contents(atPath: path))
        let range = try #require(bytes.range(of: Data("as it was written".utf8)))
        bytes.replaceSubrange(range, with: Data("as it was WRITTEN".utf8))
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.write(contentsOf: bytes)
        try file.close()
        let result = try command.run(["backup", "create", backup])
        #expect(result.status == 1 && result.output.contains("api_tokens"), "\(result)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: backup) == ["incomplete"])
    }

    @Test(
        "A folder with anything in it, one that others can see, one without a folder above it, and one inside of the data are refused"
    )
    func refusals() throws {
        _ = try cloud.container()
        try FileManager.default.createDirectory(
            atPath: backup, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        let (full, link) = (folder.path + "/full", folder.path + "/link")
        try FileManager.default.createDirectory(
            atPath: full, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        try writeFile(full + "/file", Array("kept".utf8))
        try giveToOrdinaryUser(folder.path)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: command.data)
        for (path, reason) in [
            (backup, "chmod 700"), (full, "is not empty"), (backup + "/a/b", "there is no folder"),
            (command.data + "/backup", "is inside of"), (command.data + "/assets/backup", "is inside of"),
            (link + "/containers/backup", "is inside of"), (command.data, "is inside of"),
        ] {
            let result = try command.run(["backup", "create", path])
            #expect(result.status != 0 && result.errors.contains(reason), "\(path): \(result)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: backup) == [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: full) == ["file"])
        #expect(try command.run(["check"]).status == 0)
    }

    @Test("Of a database it names the command that copies it") func database() throws {
        var other = command
        other.environment["NEPHOS_STORE"] = "postgres://nobody@db.invalid/nephos"
        let result = try other.run(["backup", "create", backup])
        #expect(result.status == 1 && result.errors.contains("pg_dump"), "\(result)")
        #expect(result.errors.contains("\(command.data)/assets"))
        #expect(!exists(backup))
    }

    @Test("Too few files that a process may have open are reported before anything is locked") func openFiles() throws {
        for _ in 0..<3 { _ = try cloud.container() }
        for isThere in [false, true] {
            if isThere {
                guard mkdir(backup, 0o700) == 0 else { throw SystemError("mkdir") }
                try giveToOrdinaryUser(backup)
            }
            let child = try ChildProcess(
                "/bin/sh",
                [
                    "-c", "ulimit -n 80; exec \"$0\" backup create \"$1\" --data \"$2\"", command.executable, backup,
                    command.data,
                ],
                output: folder.path + "/output", errors: folder.path + "/errors")
            #expect(child.wait() == .exited(1))
            let errors = String(decoding: try readFile(folder.path + "/errors"), as: UTF8.self)
            #expect(
                errors.contains("all 7 databases must be open at once") && errors.contains("ulimit -n"), "\(errors)")
            // A folder that was there before stays.
            #expect(exists(backup) == isThere && !exists(backup + "/incomplete"))
        }
    }

    #if os(Linux)
        @Test("A full disk is reported, and leaves nothing") func fullDisk() throws {
            _ = try cloud.container()
            let disk = try FullDisk(.plain)
            var full = command
            full.environment.merge(disk.environment) { $1 }
            try disk.fill()
            let result = try full.run(["backup", "create", backup])
            #expect(result.status == 1 && result.errors.contains("The disk is full."), "\(result)")
            #expect(!exists(backup))
        }
    #endif
}
