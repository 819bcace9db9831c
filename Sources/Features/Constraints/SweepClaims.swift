import NephosDomain
import NephosRunner
import NephosStorage

/// Removes claims of records in deleted zones, in batches.
struct SweepClaims {
    private static let rows = 500

    let database: DatabaseNumber
    var after: ClaimRow?

    private var scan: Scan<ClaimRow> { ClaimRow.all(in: database, after: after, limit: Self.rows) }

    var reading: ReadSet {
        var set = ReadSet()
        set.databases = [database]
        set.zoneLists = [database]
        set.ask(scan)
        return set
    }

    /// Returns where to continue; nil at the end, when the marker in the head is removed.
    func decide(_ reading: Reading) -> Decision<ClaimRow?> {
        guard var head = reading.databases[0] else { return .write(WriteSet(), nil) }
        let live = Set((reading.zoneLists.first ?? []).map(\.number))
        let rows = reading[scan]
        var set = WriteSet()
        for row in rows where !live.contains(row.zone) { set.remove(row) }
        if rows.count == Self.rows, let last = rows.last { return .write(set, last) }
        _ = head.annex.set([], of: Constraints.name)
        set.heads = [head]
        return .write(set, nil)
    }
}

extension Job {
    /// Claims of a deleted zone cause no conflicts, because rivals are always in one zone: they are removed after the zone's
    /// records.
    static func sweepClaims(_ worker: Worker) -> Job {
        Job(Constraints.name, dueAfterWriting: nil) { run, store in
            var after: DatabaseNumber = 0
            while true {
                var set = ReadSet()
                set.annexes = [AnnexScan(after: after, limit: 100)]
                let heads = try await worker.read(set, from: store).annexes.first ?? []
                guard let last = heads.last else { return .finished }
                for head in heads where !head.annex[Constraints.name].isEmpty {
                    var sweep = SweepClaims(database: head.database)
                    repeat {
                        let step = sweep
                        sweep.after = try await worker.runner.commit(step.reading, to: store, decide: step.decide)
                        try await run.keep()
                    } while sweep.after != nil
                }
                after = last.database
            }
        }
    }
}
