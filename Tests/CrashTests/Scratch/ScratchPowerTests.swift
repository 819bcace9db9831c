#if os(Linux)
    import Foundation
    import NephosTesting
    import StorageConformance
    import Testing

    /// Described rows on a disk that loses power (``SQLitePowerLossTests`` explains the method).
    @Suite("Power cuts while described rows are written", .serialized, .onOwnThreads) struct SQLiteScratchPowerTests {
        private let log: DiskLog
        private let steps: [(hand: Int, step: Int64, time: UInt64)]

        /// Records a process that creates a store, writes and ends.
        init() throws {
            let recorder = try DiskRecorder()
            let folder = try TemporaryFolder(prefix: "nephos-power")
            let data = folder.path + "/data"
            try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
            try giveToOrdinaryUser(data)
            let writer = try ScratchWriter(data: data, environment: recorder.environment(data: data), steps: 40)
            try writer.finish()
            (log, steps) = (try DiskLog(reading: recorder.log), try writer.acknowledged())
            var disk = Disk(log)
            try disk.advance(to: log.entries.count)
            #expect(try Disk.difference(disk.image, folder: data) == nil, "the log is not complete")
        }

        @Test("After a power cut every acknowledged row is stored, no batch is partial, and secrets open")
        func cuts() async throws {
            Options.announce("10 power cuts amid described rows")
            var chance = SeededGenerator(seed: Options.seed)
            var disk = Disk(log)
            let first = log.entries.firstIndex { $0.nanoseconds > steps[0].time } ?? 0
            for moment in (0..<10).map({ _ in Int.random(in: first...log.entries.count, using: &chance) }).sorted() {
                try disk.advance(to: moment)
                let loss = Loss.allCases.randomElement(using: &chance) ?? .some
                let faults = try await faults(disk.image(after: loss, using: &chance), after: moment)
                #expect(faults.isEmpty, "entry \(moment), seed \(Options.seed): \(faults.joined(separator: "\n"))")
            }
        }

        @Test("A disk that lost a tenant's whole log is detected")
        func lies() async throws {
            var chance = SeededGenerator(seed: Options.seed)
            var disk = Disk(log) { !($0.contains("/containers/") && $0.hasSuffix("-wal")) }
            // Before the end, when the whole log is moved into the file.
            let last = log.entries.firstIndex { $0.nanoseconds > steps[steps.count - 1].time } ?? log.entries.count
            try disk.advance(to: last)
            #expect(try await !faults(disk.image(after: .everything, using: &chance), after: last).isEmpty)
        }

        /// Opens the contents of a disk after a power failure just before entry `moment`.
        private func faults(_ image: Disk.Image, after moment: Int) async throws -> [String] {
            let folder = try TemporaryFolder(prefix: "nephos-restored")
            let data = folder.path + "/data"
            try Disk.write(image, to: data)
            let time = moment < log.entries.count ? log.entries[moment].nanoseconds : .max
            var known = Array(repeating: ScratchWork.Known(), count: ScratchWork.hands)
            for step in steps where step.time < time { known[step.hand].acknowledge(step.step) }
            return try await ScratchRounds(data: data, environment: [:], url: nil).faults(&known)
        }
    }
#endif
