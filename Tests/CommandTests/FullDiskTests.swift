#if os(Linux)
    import Foundation
    import NephosTesting
    import Testing

    /// docs/running.md, "When the disk is full", with the folder.
    @Suite("A server whose folder is on a full disk", .onOwnThreads) struct SQLiteFullDiskTests {
        @Test(
            "makes clients try again, keeps reading, and saves as soon as there is room",
            arguments: FullDisk.Kind.allCases)
        func goesOn(_ kind: FullDisk.Kind) throws {
            let disk = try FullDisk(kind)
            let office = try Office(TestCloud(environment: disk.environment, store: TestStore(.sqlite)))
            try disk.fill()
            try office.save(until: [.full])
            #expect(try office.authors[0].make(zone: "More") == .full)
            try office.expectReading()
            #expect(office.says("the disk is full: free some space"))
            #expect(try office.isFull)
            let command = try office.cloud.server.command.run(["account", "create", "late@example.org"])
            #expect(command.status == 1)
            #expect(command.errors.contains("The disk is full. Free some space and try again"), "\(command.errors)")

            try disk.makeRoom()
            for author in office.authors { #expect(try author.save("room", 9) == .saved) }
            #expect(office.says("there is room on the disk again"))
            #expect(try !office.isFull)
            try office.expectNothingLost()
        }

        @Test("refuses to start with the reason, and starts with everything once there is room")
        func start() throws {
            let disk = try FullDisk(.plain)
            let office = try Office(TestCloud(environment: disk.environment, store: TestStore(.sqlite)))
            try disk.fill()
            try office.save(until: [.full])
            let server = try office.cloud.process
            #expect(try server.stop() == .exited(0))
            let refused = #expect(throws: ServerDidNotStart.self) { try server.start() }
            #expect(refused?.end == .exited(1))
            let said = refused?.log ?? ""
            #expect(said.contains("The disk is full. Free some space and try again"), "\(said)")

            try disk.makeRoom()
            try server.start()
            try office.expectNothingLost()
        }
    }

    /// docs/running.md, "When the disk is full", with files.
    @Suite("A server whose files are on a full disk", .onOwnThreads) struct FullDiskOfFilesTests {
        @Test("keeps nothing of an upload that fills the disk halfway, and accepts it when there is room")
        func upload() throws {
            let disk = try FullDisk(.plain)
            let folder = try TemporaryFolder(prefix: "nephos-assets")
            let cloud = try TestCloud(
                environment: disk.environment.merging(["NEPHOS_ASSETS": folder.path]) { $1 }, store: TestStore(.sqlite))
            let ada = try cloud.container().person("ada@example.org")
            let content = (0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 5) }
            let url = try ada.uploadURLs(field: "file")[0]

            let connection = try HTTPConnection(port: ada.port)
            let length = HTTPHeader("Content-Length", "\(content.count)")
            try connection.send(HTTPRequest("POST", try CloudKitClient.target(of: url), headers: [length]))
            try connection.socket.send(content[..<1_000_000])
            #expect(Deadline().waits { (try? drafts(folder).count) == 1 }, "no draft")
            try disk.fill()
            try connection.socket.send(content[1_000_000...])
            let answer = try connection.response()
            #expect(try answer.status == 503 && answer.json["serverErrorCode"] == "TRY_AGAIN_LATER")
            #expect(
                try answer.json["reason"].string?.contains("storage is full") == true && answer["Retry-After"] == "60")
            #expect(try drafts(folder) == [])
            #expect(
                Deadline().waits { cloud.server.logText.contains("the disk is full: free some space") },
                "\(cloud.server.logText)")

            try disk.makeRoom()
            #expect(try ada.send(file: content, to: url)["size"] == 2_000_000)
            let check = try cloud.server.command.run(["check"])
            #expect(check.status == 0, "\(check)")
        }

        private func drafts(_ folder: TemporaryFolder) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder.path + "/.drafts")
        }
    }

    /// docs/running.md, "When the disk is full", with a database.
    @Suite("A server whose database is on a full disk", .onOwnThreads) struct PostgresFullDiskTests {
        /// A PostgreSQL server on a disk that can be full, and a server in use on one of its databases.
        private struct Site {
            let disk: FullDisk
            let postgres: PostgresServer
            let office: Office

            init(_ kind: FullDisk.Kind) throws {
                disk = try FullDisk(kind)
                postgres = try PostgresServer(environment: disk.environment)
                let url = try postgres.createDatabase()
                office = try Office(TestCloud(environment: ["NEPHOS_STORE": url], store: TestStore(.sqlite)))
            }
        }

        @Test("makes clients try again, keeps reading, and saves as soon as there is room")
        func goesOn() throws {
            let site = try Site(.plain)
            let (disk, office) = (site.disk, site.office)
            var other = office.cloud.server.command
            other.environment["NEPHOS_STORE"] = try site.postgres.createDatabase()
            // The write-ahead log has room in its newest file, whatever the previous one contained.
            try site.postgres.sql("SELECT pg_switch_wal()", in: try #require(other.environment["NEPHOS_STORE"]))
            try office.authors[0].save("newest", 1)

            try disk.fill()
            try office.save(until: [.full])
            try office.expectReading()
            #expect(office.says("the disk is full: free some space"))
            let first = try other.run(["container", "list"])
            #expect(first.status == 1)
            #expect(first.errors.contains("The disk is full. Free some space and try again"), "\(first.errors)")

            try disk.makeRoom()
            for author in office.authors { #expect(try author.save("room", 9) == .saved) }
            #expect(office.says("there is room on the disk again"))
            try office.expectNothingLost()
            try other("container", "list")
            #expect(!site.postgres.logText.contains("PANIC"), "it never stopped")
        }

        @Test("makes clients try again when PostgreSQL stops, and recovers by itself when it runs again")
        func stopped() throws {
            let site = try Site(.copyingOnWrite)
            let (disk, office) = (site.disk, site.office)
            try disk.fill()
            try office.save(until: [.unreachable])
            #expect(Deadline().waits { !site.postgres.isRunning })
            #expect(site.postgres.logText.contains("No space left on device"))
            #expect(try office.authors[0].save("down", 8) == .unreachable)
            #expect(try office.health == 503)
            #expect(office.says("the database cannot be reached"))

            try disk.makeRoom()
            try site.postgres.start()
            for author in office.authors {
                #expect(try Deadline().waits { try author.save("room", 9) == .saved })
            }
            try office.expectNothingLost()
            #expect(try office.cloud.process.process.hasEnded == nil)
        }
    }
#endif
