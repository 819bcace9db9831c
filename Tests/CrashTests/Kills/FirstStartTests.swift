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
        /// What ``data`` is a copy of before a process dies in it.
        private var prepared: String { folder.path + "/prepared" }
        /// A record with this number carries a file of some hundred bytes.
        private let valueWithFile: Int64 = 1313

        init() throws {
            recorder = try DiskRecorder()
            folder = try TemporaryFolder(prefix: "nephos-first")
            try FileManager.default.createDirectory(atPath: prepared, withIntermediateDirectories: true)
            try giveToOrdinaryUser(prepared)
        }

        @Test func aFirstStartThatDiesAnywhereIsFinishedByTheNext() throws {
            try die(["serve", "--new-store", "--port", "0"]) { moment in
                let server = try ServerProcess(data: data)
                try expectUsable(server, "first start, change \(moment)")
            }
        }

        @Test func aContainerThatDiesWhileItIsMadeIsThereOrCanBeMade() throws {
            try die(["container", "create", "iCloud.test.half", "--new-store"]) { moment in
                let server = try ServerProcess(data: data)
                let isThere = try server.command("container", "list").contains("iCloud.test.half")
                let again = try server.command.run(["container", "create", "iCloud.test.half"])
                #expect(again.status == (isThere ? 1 : 0), "change \(moment), there: \(isThere), \(again.errors)")
                try expectUsable(server, "container create, change \(moment)")
            }
        }

        /// What stays of a container that dies between its deletion and that of its files is theirs alone: no check
        /// minds them, and a container that is made under the name has its own.
        @Test func aContainerThatDiesWhileItIsDeletedIsThereOrGone() throws {
            let access = try prepareContainerWithFile("iCloud.test.half")
            try die(["container", "delete", "iCloud.test.half"]) {
                let server = try ServerProcess(data: data)
                let isThere = try server.command("container", "list").contains("iCloud.test.half")
                if isThere { try expectFile(Wire(access.client(port: server.port, person: 0)), "change \($0)") }
                let again = try server.command.run(["container", "delete", "iCloud.test.half"])
                #expect(again.status == (isThere ? 0 : 1), "change \($0), there: \(isThere), \(again.errors)")
                try expectClean(server.command, "container delete, change \($0)")
                try server.command("container", "create", "iCloud.test.half")
                try expectUsable(server, "container delete, change \($0)")
            }
        }

        /// Makes a container with a record that carries a file, in the folder that every death begins with.
        private func prepareContainerWithFile(_ id: String) throws -> Access {
            let server = try ServerProcess(data: prepared)
            let access = try Access(on: server, container: id, people: ["eve@example.org"])
            let wire = Wire(access.client(port: server.port, person: 0))
            try wire.modify([Item.save("kept", valueWithFile)], .private, zone: nil)
            try #require(server.stop() == .exited(0))
            return access
        }

        private func expectFile(_ wire: Wire, _ moment: String) throws {
            let found = try wire.lookup(["kept"], .private, zone: nil)
            #expect(found == ["kept": valueWithFile], "\(moment)")
        }

        /// Runs a command once to see how many changes it makes, then dies before some of them, each time in a fresh
        /// copy of ``prepared``; expects `nephos check` to be content with that, and lets `goOn` use what is left.
        private func die(_ arguments: [String], _ goOn: (Int) throws -> Void) throws {
            Options.announce("dying in \(arguments.joined(separator: " "))")
            var chance = SeededGenerator(seed: Options.seed)
            let total = try changes(of: arguments)
            try #require(total > 3, "the command changed nothing")
            let moments = (1...total).shuffled(using: &chance).prefix(Options.kills)
            for moment in moments {
                try prepare()
                let command = try recorded(killAt: moment)
                let end = try start(command, arguments).wait()
                #expect(end == .signalled(SIGKILL), "change \(moment) of \(total) never came: \(end)")
                try expectCleanOrNoStore("after change \(moment) of \(arguments)")
                try goOn(moment)
            }
        }

        /// Died before its last step, the making of a store leaves none.
        private func expectCleanOrNoStore(_ comment: String) throws {
            let result = try NephosCommand(data: data).run(["check"])
            #expect(
                result.status == 0 || result.errors.contains("There is no store in \(data)"),
                "check: \(result.output)\(result.errors) \(comment), seed \(Options.seed)")
        }

        private func prepare() throws {
            if FileManager.default.fileExists(atPath: data) { try FileManager.default.removeItem(atPath: data) }
            try FileManager.default.copyItem(atPath: prepared, toPath: data)
            try giveToOrdinaryUser(data)
        }

        private func changes(of arguments: [String]) throws -> Int {
            try prepare()
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
            try wire.modify([Item.save("first", valueWithFile)], .private, zone: Wire.sharedZone)
            #expect(try wire.follow(zone: Wire.sharedZone).values == ["first": valueWithFile])
            #expect(try wire.lookup(["first"], .private, zone: Wire.sharedZone) == ["first": valueWithFile])
            try expectClean(server.command, moment)
        }
    }
#endif
