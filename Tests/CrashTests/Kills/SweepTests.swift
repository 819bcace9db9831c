#if os(Linux)
    import Foundation
    import NephosTesting
    import Testing

    /// Background work of a server that dies is continued after the next start, and its intermediate state is valid
    /// (docs/protocol.md, D3). The moments are exact: the recorder kills the process just before its n-th change to the disk.
    @Suite("Dying in background work on a data folder", .serialized, .onOwnThreads)
    struct SQLiteSweepTests {
        private let recorder: DiskRecorder
        private let folder: TemporaryFolder
        private var data: String { folder.path + "/data" }

        init() throws {
            recorder = try DiskRecorder()
            folder = try TemporaryFolder(prefix: "nephos-sweep")
            try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
            try giveToOrdinaryUser(data)
        }

        /// A zone of 3,000 records with references is deleted. The server dies while it is swept, again and again, until one lives
        /// long enough to complete the sweep.
        @Test func aSweepGoesOnAfterEveryKill() throws {
            Options.announce("a sweep under kills")
            var chance = SeededGenerator(seed: Options.seed)
            let access = try deleteBigZone()
            var deaths = 0
            // The first one has enough to sweep. The others get several times as long as any has lived.
            var (patience, longest) = (Double(Patience.seconds), 0.0)
            // More changes than a server without anything to sweep makes in this time, mainly leases of jobs.
            while let life = try dies(at: Int.random(in: 1...800, using: &chance), access, within: patience) {
                deaths += 1
                longest = max(longest, life)
                patience = max(5, 5 * longest)
                try #require(
                    deaths < 100, "a server that has nothing to sweep changes more than it is allowed before it dies")
                try expectClean(try NephosCommand(data: data), "after \(deaths) kills")
            }
            print("a sweep was killed \(deaths) times")
            #expect(deaths > 1, "the sweep was never interrupted")
            let server = try ServerProcess(data: data)
            let wire = Wire(access.client(port: server.port, person: 0))
            #expect(try !wire.zones().contains("Big"))
            try wire.modifyZone("create", "Big")
            #expect(try wire.follow(zone: "Big").values.isEmpty, "a new zone shows records of the old one")
            try expectClean(server.command)
        }

        /// Fills a zone and deletes it, on a server that stops before it sweeps anything.
        private func deleteBigZone() throws -> Access {
            let server = try ServerProcess(environment: ["NEPHOS_UPKEEP_SECONDS": "86400"], data: data)
            let access = try Access(on: server)
            let wire = Wire(access.client(port: server.port, person: 0))
            try wire.modifyZone("create", "Big")
            for batch in 0..<15 {
                let names = (0..<200).map { "\(batch)-\($0)" }
                let operations = names.map { Item.save($0, 1, child: $0 == names[0] ? nil : names[0]) }
                try wire.modify(operations, .private, zone: "Big")
            }
            try wire.modifyZone("delete", "Big")
            #expect(try server.stop() == .exited(0))
            return access
        }

        /// Runs a server that sweeps every second and dies before its change number `moment`.
        ///
        /// - Returns: For how many seconds it served; nil if it made fewer changes in the given time because there was no more to
        ///   sweep.
        private func dies(at moment: Int, _ access: Access, within seconds: Double) throws -> Double? {
            var environment = recorder.environment(data: data, killAt: moment)
            environment["NEPHOS_UPKEEP_SECONDS"] = "1"
            let server: ServerProcess
            do {
                server = try ServerProcess(environment: environment, data: data)
            } catch let error as ServerDidNotStart {
                #expect(error.end == .signalled(SIGKILL), "\(error)")
                return 0
            }
            let start = ContinuousClock.now
            // Only containers in use are swept this often. It may die during the request.
            _ = try? Wire(access.client(port: server.port, person: 0)).zones()
            guard let end = try server.process.wait(atMost: seconds) else { return nil }
            #expect(end == .signalled(SIGKILL))
            return (ContinuousClock.now - start) / .seconds(1)
        }
    }
#endif
