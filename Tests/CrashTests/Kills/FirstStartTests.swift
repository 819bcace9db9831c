#if os(Linux)
    import Foundation
    import NephosTesting
    import Testing

    #if canImport(Glibc)
        import Glibc
    #endif

    /// A process that makes or migrates a data folder may die before any of its changes to the disk, and the next one
    /// goes on (docs/protocol.md, D3 and D4). The moments are exact: the recorder ends the process just before the n-th
    /// change that it makes.
    @Suite("Dying at first start in a data folder", .serialized)
    struct SQLiteFirstStartTests {
        private let recorder: DiskRecorder
        private let folder: TemporaryFolder
        private var data: String { folder.path + "/data" }

        init() throws {
            recorder = try DiskRecorder()
            folder = try TemporaryFolder(prefix: "nephos-first")
        }

        @Test func aFirstStartThatDiesAnywhereIsFinishedByTheNext() throws {
            try die(["serve", "--port", "0"]) { moment in
                let server = try ServerProcess(data: data)
                try expectUsable(server, "first start, change \(moment)")
            }
        }

        @Test func aContainerThatDiesWhileItIsMadeIsThereOrCanBeMade() throws {
            try die(["container", "create", "iCloud.test.half"]) { moment in
                let server = try ServerProcess(data: data)
                let isThere = try server.command("container", "list").contains("iCloud.test.half")
                let again = try server.command.run(["container", "create", "iCloud.test.half"])
                #expect(again.status == (isThere ? 1 : 0), "change \(moment), there: \(isThere), \(again.errors)")
                try expectUsable(server, "container create, change \(moment)")
            }
        }

        @Test func aContainerThatDiesWhileItIsDeletedIsThereOrGone() throws {
            try die(["container", "delete", "iCloud.test.half"], after: ["container", "create", "iCloud.test.half"]) {
                let server = try ServerProcess(data: data)
                let isThere = try server.command("container", "list").contains("iCloud.test.half")
                let again = try server.command.run(["container", "delete", "iCloud.test.half"])
                #expect(again.status == (isThere ? 0 : 1), "change \($0), there: \(isThere), \(again.errors)")
                try expectClean(server.command, "container delete, change \($0)")
                try server.command("container", "create", "iCloud.test.half")
                try expectUsable(server, "container delete, change \($0)")
            }
        }

        /// Runs a command once to see how many changes it makes, then dies before some of them, each time in a fresh
        /// folder; expects `nephos check` to be content with that, and lets `goOn` use what is left.
        private func die(
            _ arguments: [String], after preparation: [String]? = nil, _ goOn: (Int) throws -> Void
        ) throws {
            Options.announce("dying in \(arguments.joined(separator: " "))")
            var chance = SeededGenerator(seed: Options.seed)
            let total = try changes(of: arguments, after: preparation)
            try #require(total > 3, "the command changed nothing")
            let moments = (1...total).shuffled(using: &chance).prefix(Options.kills)
            for moment in moments {
                try prepare(preparation)
                let command = try recorded(killAt: moment)
                let end = try start(command, arguments).wait()
                #expect(end == .signalled(SIGKILL), "change \(moment) of \(total) never came: \(end)")
                try expectClean(try NephosCommand(data: data), "after change \(moment) of \(arguments)")
                try goOn(moment)
            }
        }

        private func prepare(_ preparation: [String]?) throws {
            try empty()
            guard let preparation else { return }
            let result = try NephosCommand(data: data).run(preparation)
            try #require(result.status == 0, "\(result.errors)")
        }

        private func changes(of arguments: [String], after preparation: [String]?) throws -> Int {
            try prepare(preparation)
            let child = try start(recorded(), arguments)
            if arguments[0] == "serve" {
                // It says where it listens once all of a first start is done.
                _ = Deadline(seconds: 30).waits { child.hasEnded != nil || saidReady }
                child.signal(SIGTERM)
            }
            try #require(child.wait() == .exited(0))
            let log = try DiskLog(reading: recorder.log)
            return log.entries.count { ![.syncEnd, .directory, .mapped].contains($0.kind) }
        }

        private var saidReady: Bool {
            (try? readFile(folder.path + "/errors")).map { String(decoding: $0, as: UTF8.self).contains("http://") }
                ?? false
        }

        private func empty() throws {
            if FileManager.default.fileExists(atPath: data) { try FileManager.default.removeItem(atPath: data) }
            try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
        }

        private func recorded(killAt moment: Int? = nil) throws -> NephosCommand {
            var command = try NephosCommand(data: data)
            command.environment.merge(recorder.environment(data: data, killAt: moment)) { $1 }
            return command
        }

        private func start(_ command: NephosCommand, _ arguments: [String]) throws -> ChildProcess {
            try command.start(arguments, output: folder.path + "/output", errors: folder.path + "/errors")
        }

        private func expectUsable(_ server: ServerProcess, _ moment: String) throws {
            let wire = Wire(try Access(on: server).client(port: server.port, person: 0))
            try wire.modify([Item.save("first", 1)], .private, zone: Wire.sharedZone)
            #expect(try wire.follow(zone: Wire.sharedZone).values == ["first": 1])
            try expectClean(server.command, moment)
        }
    }
#endif
