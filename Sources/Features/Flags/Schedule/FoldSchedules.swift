import Audience
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension Job {
    /// The delay after a save that is refused, which retrying sooner would not fix.
    private static let againAfter: Milliseconds = 3_600_000

    /// Folds past switches of schedules into the state of flag records and removes them from the schedule. Readers of the
    /// records, and the mirror, see the current state then; the served values do not change.
    static func foldSchedules(_ worker: Worker) -> Job {
        Job(FlagSchedules.job, dueAfterWriting: nil) { run, store in
            var refused: Set<Name> = []
            while true {
                let now = run.now
                let flags = try await worker.run { try store.flagsBySettings() }
                let due = flags.filter { !refused.contains($0.record.name) && $0.isBehindSchedule(at: now) }
                guard !due.isEmpty else {
                    let next = flags.compactMap { $0.nextSwitch(after: now) }.min()
                    let end = refused.isEmpty ? next : min(next ?? .max, now + againAfter)
                    return end.map { .again(at: $0) } ?? .finished
                }
                refused.formUnion(try await fold(due.prefix(RecordSave.most), store, worker, now))
                try await run.keep()
            }
        }
    }

    /// Flags that are changed concurrently are left for the next run.
    ///
    /// - Returns: Flags whose save was refused.
    private static func fold(
        _ flags: ArraySlice<StoredFlag>, _ store: any TenantStore, _ worker: Worker, _ now: Milliseconds
    ) async throws -> [Name] {
        let catalog = try await worker.read(ReadSet(), from: store).catalog
        guard let type = try catalog.flagType() else { return [] }
        let saves = try flags.map { flag in
            let edits = try FlagSwitch.edits(flag, to: flag.read().isOn(at: now), at: now)
            return RecordSave(name: flag.id, type: type, old: flag.record, kind: .edit(edits))
        }
        let context = RequestContext(
            catalog: catalog, caller: .administrator, scope: .public, now: now, operatorName: "its schedule")
        let modify = try ModifyRecords(RecordSave.request(saves), context: context) { "" }
        let answer = try await worker.runner.commit(modify.reading, to: store) {
            reading -> Decision<ModifyRecords.Answer?> in
            guard reading.catalog.isSame(as: catalog) else { return .write(WriteSet(), nil) }
            switch try modify.decide(reading) {
            case .need(let more, _): return .need(more)
            case .write(let set, let answer): return .write(set, answer)
            }
        }
        guard let answer else { return [] }
        return zip(flags, answer.items).compactMap { flag, item in
            switch item.outcome {
            case .saved, .deleted, .refused(.conflict), .refused(.recordNotFound): nil
            case .refused: flag.record.name
            }
        }
    }
}

extension TenantStore {
    /// All flags; empty if the settings name no type, or cannot be read by this server.
    fileprivate func flagsBySettings() throws(StorageError) -> [StoredFlag] {
        let catalog = try read(ReadSet()).catalog
        guard let type = try? catalog.flagType(), let number = catalog.types[type]?.row.number else { return [] }
        return try flags(of: number)
    }
}

extension StoredFlag {
    /// Whether a switch of its schedule is due.
    fileprivate func isBehindSchedule(at now: Milliseconds) -> Bool {
        guard case .success(let flag) = flag, let first = flag.schedule.first else { return false }
        return first.at <= now
    }

    fileprivate func nextSwitch(after now: Milliseconds) -> Milliseconds? {
        guard case .success(let flag) = flag else { return nil }
        return flag.schedule.first { $0.at > now }?.at
    }
}
