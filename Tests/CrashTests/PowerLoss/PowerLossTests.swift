#if os(Linux)
    import Foundation
    import NephosTesting
    import Testing

    /// Acknowledged data survives a power failure (docs/protocol.md, D1 to D3).
    ///
    /// Why this is a valid proof:
    /// - The real server and the real command run under load; every change they make to the data folder is recorded in order, with
    ///   its bytes and its time (`disk-recorder.c`). Each run first proves that the record is complete: replayed without losses it
    ///   gives the real folder, byte for byte.
    /// - A disk after the power failure contains what completed syncs cover. Of the rest it contains nothing, everything, or any
    ///   part: page by page, in any order, in any state since the last sync, one page torn at a sector; sizes and names likewise
    ///   (``StoredFile``, ``Disk``). That is what POSIX leaves open and more than a healthy disk does, with one exception: nobody
    ///   can survive a disk that acknowledges syncs and stores nothing.
    /// - Moments are chosen from the entire load, and many from the most critical places: just before and after a sync ends, and
    ///   among the writes of a checkpoint.
    /// - What was acknowledged to clients, and when, is recorded with the same clock. `nephos check` and a server then open the
    ///   rebuilt folder, and all of it must be there.
    /// - At the same time records with conflicting claims are saved (docs/decisions/0037). The claims afterwards must match the
    ///   records: the check recomputes them, a rival is rejected, and a freed claim is available.
    /// - The last test disables one kind of sync at a time and expects lost writes to be detected: the proof can fail.
    @Suite("Power cuts", .serialized, .onOwnThreads)
    struct SQLitePowerLossTests {
        @Test func everyAcknowledgedWriteSurvivesAPowerCutAndNoBatchIsTorn() throws {
            Options.announce("\(Options.powerCuts) power cuts")
            var chance = SeededGenerator(seed: Options.seed)
            var tally = Tally()
            // Twenty of each load, so that there are several loads if there are many.
            for start in stride(from: 0, to: Options.powerCuts, by: 20) {
                let history = try RecordedLoad(requests: 900, seed: Options.seed + UInt64(start))
                var disk = Disk(history.log)
                let count = min(20, Options.powerCuts - start)
                for moment in history.moments(count, using: &chance) {
                    try disk.advance(to: moment)
                    let loss: Loss = chance.once(in: 5) ? .everything : chance.once(in: 5) ? .nothing : .some
                    let (found, faults) = try history.audit(disk.image(after: loss, using: &chance), after: moment)
                    tally += found
                    #expect(faults.isEmpty, "entry \(moment), seed \(Options.seed): \(faults.joined(separator: "\n"))")
                    if !faults.isEmpty { return }
                }
            }
            print("\(Options.powerCuts) power cuts: \(tally)")
        }

        @Test func aDiskThatLiesAboutSyncsOfTheLogOrOfFilesIsFoundOut() throws {
            var chance = SeededGenerator(seed: Options.seed)
            let history = try RecordedLoad(requests: 300, seed: Options.seed)

            let withoutLog = try image(history, using: &chance) { !$0.hasSuffix("-wal") }
            let (_, lost) = try history.audit(withoutLog, after: history.end)
            #expect(!lost.isEmpty, "a disk that kept nothing of the log passed")

            // For files these are the syncs of their bytes, while they are drafts, and of the folders that contain their names.
            // `nephos check` reports their loss, and so do downloads.
            for (path, finding) in [("/assets/.drafts/", "its content was changed"), ("/assets/iCloud", "is missing")] {
                let withoutFiles = try image(history, using: &chance) { !$0.contains(path) }
                let (_, findings) = try history.audit(withoutFiles, after: history.end)
                #expect(findings.contains { $0.contains(finding) }, "\(path): the check found \(findings)")
                let (_, faults) = try history.audit(withoutFiles, after: history.end, checks: false)
                #expect(faults.contains { $0.contains("its file answers") }, "\(path): those who load found \(faults)")
            }
        }

        /// The contents at the end of a load of a disk that stores only what it must, and ignores some syncs.
        private func image(
            _ history: RecordedLoad, using chance: inout SeededGenerator, countsSync: @escaping (String) -> Bool
        ) throws -> Disk.Image {
            var disk = Disk(history.log, countsSync: countsSync)
            try disk.advance(to: history.end)
            return disk.image(after: .everything, using: &chance)
        }
    }
#endif
