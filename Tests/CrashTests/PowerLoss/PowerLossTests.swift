#if os(Linux)
    import Foundation
    import NephosTesting
    import Testing

    /// What was acknowledged survives a power cut (docs/protocol.md, D1 to D3).
    ///
    /// Why this is honest:
    /// - The real server and the real command run under load; every change they make to the data folder is recorded
    ///   in its order, with its bytes and its time (`disk-recorder.c`). Each run first proves the record complete: replayed
    ///   without losses it gives the real folder, byte for byte.
    /// - A disk after the power cut holds what completed syncs cover. Of the rest it holds nothing, everything, or any of
    ///   it: page by page, in any order, at any state since the last sync, one page torn at a sector; sizes and names
    ///   likewise (``StoredFile``, ``Disk``). That is what POSIX leaves open and more than a healthy disk does, except
    ///   for one thing: a disk that answers syncs and keeps nothing cannot be survived by anybody.
    /// - Moments are drawn from all over the load, and many from the most delicate places: just before and after a sync
    ///   ends, and among the writes of a checkpoint.
    /// - What clients were told, and when, is known by the same clock. `nephos check` and a server then open the rebuilt
    ///   folder, and all of it must be there.
    /// - Beside them records are saved that want the same of each other (docs/decisions/0037). What is claimed afterwards is
    ///   what records say: the check works it out anew, a rival is refused, and what is freed can be had.
    /// - The last test takes one kind of sync away at a time and expects to be told of lost writes: the proof can fail.
    @Suite("Power cuts", .serialized)
    struct SQLitePowerLossTests {
        @Test func everyAcknowledgedWriteSurvivesAPowerCutAndNoBatchIsTorn() throws {
            Options.announce("\(Options.powerCuts) power cuts")
            var chance = SeededGenerator(seed: Options.seed)
            var tally = Tally()
            // Twenty of each load, so that there are several loads where there are many.
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

            // Of files it is the syncs of their bytes, made as long as they are drafts, and of the folders that name them.
            // `nephos check` misses them, and so do those who load them.
            for (path, finding) in [("/assets/.drafts/", "its content was changed"), ("/assets/iCloud", "is missing")] {
                let withoutFiles = try image(history, using: &chance) { !$0.contains(path) }
                let (_, findings) = try history.audit(withoutFiles, after: history.end)
                #expect(findings.contains { $0.contains(finding) }, "\(path): the check found \(findings)")
                let (_, faults) = try history.audit(withoutFiles, after: history.end, checks: false)
                #expect(faults.contains { $0.contains("its file answers") }, "\(path): those who load found \(faults)")
            }
        }

        /// What is left at the end of a load by a disk that keeps nothing but what it must, and lies about some syncs.
        private func image(
            _ history: RecordedLoad, using chance: inout SeededGenerator, countsSync: @escaping (String) -> Bool
        ) throws -> Disk.Image {
            var disk = Disk(history.log, countsSync: countsSync)
            try disk.advance(to: history.end)
            return disk.image(after: .everything, using: &chance)
        }
    }
#endif
