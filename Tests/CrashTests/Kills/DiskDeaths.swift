#if os(Linux)
    import Foundation
    import NephosTesting
    import Testing

    /// A data folder, in copies of which processes die before one of their changes to the disk. The moments are exact: the recorder
    /// kills the process just before its n-th change.
    struct DiskDeaths {
        private let recorder: DiskRecorder
        private let folder: TemporaryFolder
        var data: String { folder.path + "/data" }
        /// The original that is copied to ``data`` before a process dies in it.
        var prepared: String { folder.path + "/prepared" }

        init(_ prefix: String) throws {
            recorder = try DiskRecorder()
            folder = try TemporaryFolder(prefix: prefix)
            try FileManager.default.createDirectory(atPath: prepared, withIntermediateDirectories: true)
            try giveToOrdinaryUser(prepared)
        }

        /// Runs a command once to count its changes, then kills it before some of them, each time in a new copy of ``prepared``;
        /// expects `nephos check` to find nothing, and calls `goOn` with the remaining data.
        ///
        /// - Parameter most: Maximum number of kills.
        func each(in arguments: [String], most: Int = Options.kills, _ goOn: (Int) throws -> Void) throws {
            Options.announce("dying in \(arguments.joined(separator: " "))")
            var chance = SeededGenerator(seed: Options.seed)
            let total = try changes(of: arguments)
            try #require(total > 3, "the command changed nothing")
            let moments = (1...total).shuffled(using: &chance).prefix(most)
            for moment in moments {
                try copy()
                let command = try recorded(killAt: moment)
                let end = try start(command, arguments).wait()
                #expect(end == .signalled(SIGKILL), "change \(moment) of \(total) never came: \(end)")
                try expectCleanOrNoStore("after change \(moment) of \(arguments)")
                try goOn(moment)
            }
        }

        func copy() throws {
            if FileManager.default.fileExists(atPath: data) { try FileManager.default.removeItem(atPath: data) }
            try FileManager.default.copyItem(atPath: prepared, toPath: data)
            try giveToOrdinaryUser(data)
        }

        /// The number of changes made by the last recorded process.
        var changes: Int {
            get throws {
                try DiskLog(reading: recorder.log).entries.count { ![.syncEnd, .directory, .mapped].contains($0.kind) }
            }
        }

        /// - Parameter moment: nil for a process that is not killed.
        func environment(killAt moment: Int? = nil) -> [String: String] {
            recorder.environment(data: data, killAt: moment)
        }

        /// Killed before its last step, the creation of a store leaves no store.
        private func expectCleanOrNoStore(_ comment: String) throws {
            let result = try NephosCommand(data: data).run(["check"])
            #expect(
                result.status == 0 || result.errors.contains("There is no store in \(data)"),
                "check: \(result.output)\(result.errors) \(comment), seed \(Options.seed)")
        }

        private func changes(of arguments: [String]) throws -> Int {
            try copy()
            let child = try start(recorded(), arguments)
            if arguments[0] == "serve" {
                // It logs its address once a first start is complete.
                _ = Deadline().waits { child.hasEnded != nil || saidReady }
                child.signal(SIGTERM)
            }
            try #require(child.wait() == .exited(0))
            return try changes
        }

        private var saidReady: Bool {
            (try? readFile(folder.path + "/errors")).map { String(decoding: $0, as: UTF8.self).contains("http://") }
                ?? false
        }

        private func recorded(killAt moment: Int? = nil) throws -> NephosCommand {
            var command = try NephosCommand(data: data)
            command.environment.merge(environment(killAt: moment)) { $1 }
            return command
        }

        private func start(_ command: NephosCommand, _ arguments: [String]) throws -> ChildProcess {
            try command.start(arguments, output: folder.path + "/output", errors: folder.path + "/errors")
        }
    }
#endif
