#if os(Linux)
    import Foundation
    import NephosTesting

    /// A server that worked under load from its first start to its end: what it did to the disk, and what clients know.
    struct RecordedLoad {
        let log: DiskLog
        private let crew: Crew
        private let access: Access
        /// When accounts, tokens and zones had been acknowledged as well.
        private let ready: UInt64
        /// The first entry after the last request; what follows is the server's orderly end.
        let end: Int

        /// - Parameter requests: How many of them the writers make.
        /// - Throws: ``Disk/Fault`` when a request failed, or the log does not tell all that happened to the folder.
        init(requests: Int, seed: UInt64) throws {
            let recorder = try DiskRecorder()
            let folder = try TemporaryFolder(prefix: "nephos-power")
            let data = folder.path + "/data"
            try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
            try giveToOrdinaryUser(data)
            let server = try ServerProcess(environment: recorder.environment(data: data), data: data)
            access = try Access(on: server)
            ready = monotonicNow()
            let work = Crew(access, seed: seed).work(Load(target: requests), port: server.port, stopsWhenEnough: true)
            guard work.faults.isEmpty else { throw Disk.Fault(description: work.faults.joined(separator: "\n")) }
            crew = work.crew
            let finished = monotonicNow()
            guard try server.stop() == .exited(0) else { throw Disk.Fault(description: "the server did not stop") }
            log = try DiskLog(reading: recorder.log)
            end = log.entries.firstIndex { $0.nanoseconds > finished } ?? log.entries.count
            try proveComplete(data)
        }

        private func proveComplete(_ data: String) throws {
            var disk = Disk(log)
            try disk.advance(to: log.entries.count)
            if let difference = try Disk.difference(disk.image, folder: data) {
                throw Disk.Fault(description: "the log is not complete: \(difference)")
            }
        }

        /// So many places in the log, in its order: some anywhere, some just before or after the end of a sync, some while
        /// the folder and the container were made.
        func moments(_ count: Int, using chance: inout some RandomNumberGenerator) -> [Int] {
            let syncs = log.entries.indices.filter { log.entries[$0].kind == .syncEnd }
            let firstRequest = log.entries.firstIndex { $0.nanoseconds > ready } ?? 1
            return (0..<count).map { number in
                switch number % 5 {
                case 0, 1: Int.random(in: firstRequest..<log.entries.count, using: &chance)
                case 2, 3: syncs[Int.random(in: syncs.indices, using: &chance)] + Int.random(in: 0...1, using: &chance)
                default: Int.random(in: 1...firstRequest, using: &chance)
                }
            }
            .sorted()
        }

        /// Opens what a disk held after a power cut just before entry `moment`, and compares it with what was
        /// acknowledged until then.
        ///
        /// - Parameter checks: False leaves out `nephos check`, whose findings are faults.
        func audit(
            _ image: Disk.Image, after moment: Int, checks: Bool = true
        ) throws -> (tally: Tally, faults: [String]) {
            let folder = try TemporaryFolder(prefix: "nephos-restored")
            let data = folder.path + "/data"
            try Disk.write(image, to: data)
            let command = try NephosCommand(data: data)
            if checks {
                let check = try command.run(["check"])
                // Where even the store is lost, the server makes one, and then misses what was promised.
                let isThere = !check.errors.contains("There is no store in \(data)")
                if check.status != 0, isThere { return (Tally(), ["check: \(check.output)\(check.errors)"]) }
            }
            let server = try ServerProcess(data: data)
            let time = moment < log.entries.count ? log.entries[moment].nanoseconds : .max
            if access.containerMade < time, try !command("container", "list").contains(access.container) {
                return (Tally(), ["the container is lost"])
            }
            // Before that there is nothing that writers could ask for.
            guard ready < time else { return (Tally(), []) }
            let audit = crew.audit(port: server.port, at: time)
            return (audit.tally, audit.faults)
        }
    }
#endif
