#if os(Linux)
    import Foundation
    import NephosTesting

    /// A server under load from its first start to its end: its changes to the disk, and what was acknowledged to clients.
    struct RecordedLoad {
        let log: DiskLog
        private let crew: Crew
        private let access: Access
        /// When accounts, tokens and zones had been acknowledged as well, and then the constraints on a first record.
        private let ready, declared: UInt64
        /// A record that nobody changes, and its claim.
        private static let kept = (name: "kept", identifier: "kept")
        private static let claimants = 2
        /// The first entry after the last request; the rest is the server's orderly shutdown.
        let end: Int

        /// - Parameter requests: The number of requests by the writers.
        /// - Throws: ``Disk/Fault`` if a request failed, or the log is not complete.
        init(requests: Int, seed: UInt64) throws {
            let recorder = try DiskRecorder()
            let folder = try TemporaryFolder(prefix: "nephos-power")
            let data = folder.path + "/data"
            try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
            try giveToOrdinaryUser(data)
            let server = try ServerProcess(environment: recorder.environment(data: data), data: data)
            let access = try Access(on: server)
            self.access = access
            ready = monotonicNow()
            let client = access.client(port: server.port, person: 0)
            try ClaimedRecords.declareType(in: access.container, by: server.command)
            guard try ClaimedRecords.save(Self.kept.name, Self.kept.identifier, client) else {
                throw Disk.Fault(description: "the first of all records was refused")
            }
            try ClaimedRecords.declare(in: access.container, by: server.command)
            declared = monotonicNow()
            let load = Load(target: requests)
            let claimants = (0..<Self.claimants).map { Self.claim(as: $0, access, server.port, until: load) }
            let work = Crew(access, seed: seed).work(load, port: server.port, stopsWhenEnough: true)
            let faults = work.faults + claimants.compactMap { $0.finish() }
            guard faults.isEmpty else { throw Disk.Fault(description: faults.joined(separator: "\n")) }
            crew = work.crew
            let finished = monotonicNow()
            guard try server.stop() == .exited(0) else { throw Disk.Fault(description: "the server did not stop") }
            log = try DiskLog(reading: recorder.log)
            end = log.entries.firstIndex { $0.nanoseconds > finished } ?? log.entries.count
            try proveComplete(data)
        }

        /// Saves records concurrently with the crew whose claims conflict with each other, so that many are rejected.
        ///
        /// - Returns: The error at the end, if any.
        private static func claim(as number: Int, _ access: Access, _ port: Int, until load: Load) -> Job<String?> {
            Job {
                var records = ClaimedRecords(access.client(port: port, person: number), writer: number)
                do {
                    while !load.isEnough {
                        guard try records.step() else { return "claimant \(number) was turned away" }
                    }
                    return nil
                } catch { return "claimant \(number): \(error)" }
            }
        }

        private func proveComplete(_ data: String) throws {
            var disk = Disk(log)
            try disk.advance(to: log.entries.count)
            if let difference = try Disk.difference(disk.image, folder: data) {
                throw Disk.Fault(description: "the log is not complete: \(difference)")
            }
        }

        /// This many places in the log, in order: some anywhere, some just before or after the end of a sync, some during the
        /// creation of the folder and the container, and the import of constraints.
        func moments(_ count: Int, using chance: inout some RandomNumberGenerator) -> [Int] {
            let syncs = log.entries.indices.filter { log.entries[$0].kind == .syncEnd }
            let firstRequest = log.entries.firstIndex { $0.nanoseconds > declared } ?? 1
            return (0..<count).map { number in
                switch number % 5 {
                case 0, 1: Int.random(in: firstRequest..<log.entries.count, using: &chance)
                case 2, 3: syncs[Int.random(in: syncs.indices, using: &chance)] + Int.random(in: 0...1, using: &chance)
                default: Int.random(in: 1...firstRequest, using: &chance)
                }
            }
            .sorted()
        }

        /// Opens the contents of a disk after a power failure just before entry `moment`, and compares it with what was
        /// acknowledged until then.
        ///
        /// - Parameter checks: False omits `nephos check`, whose findings are faults.
        func audit(
            _ image: Disk.Image, after moment: Int, checks: Bool = true
        ) throws -> (tally: Tally, faults: [String]) {
            let folder = try TemporaryFolder(prefix: "nephos-restored")
            let data = folder.path + "/data"
            try Disk.write(image, to: data)
            let command = try NephosCommand(data: data)
            let time = moment < log.entries.count ? log.entries[moment].nanoseconds : .max
            if checks, let fault = try self.fault(foundBy: command, at: time) { return (Tally(), [fault]) }
            let server = try ServerProcess(data: data)
            if access.containerMade < time, try !command("container", "list").contains(access.container) {
                return (Tally(), ["the container is lost"])
            }
            // Before that there is nothing that writers could request.
            guard ready < time else { return (Tally(), []) }
            let audit = crew.audit(port: server.port, at: time)
            let claims = checks && declared < time ? try claimFaults(server) : []
            return (audit.tally, audit.faults + claims)
        }

        /// The findings of `nephos check`, including claims.
        private func fault(foundBy command: NephosCommand, at time: UInt64) throws -> String? {
            var check = try command.run(["check"])
            // If even the store is lost, the server creates one, and then reports what is missing.
            if check.status == 0 || check.errors.contains("There is no store in \(command.data)") { return nil }
            if time <= declared, check.output.contains("import the settings again") {
                // The power failed while they were imported.
                try ClaimedRecords.declare(in: access.container, by: command)
                check = try command.run(["check"])
            }
            return check.status == 0 ? nil : "check: \(check.output)\(check.errors)"
        }

        /// Faults in the claims of records: two have the same, or a record may take what another has.
        private func claimFaults(_ server: ServerProcess) throws -> [String] {
            let client = access.client(port: server.port, person: 0)
            let faults = [
                try ClaimedRecords.faults(client),
                try ClaimedRecords.faults(ofRivalsOf: Self.kept.name, Self.kept.identifier, client),
            ]
            let check = try server.command.run(["check"])
            return (faults + [check.status == 0 ? "" : "check: \(check.output)\(check.errors)"]).filter { !$0.isEmpty }
        }
    }
#endif
