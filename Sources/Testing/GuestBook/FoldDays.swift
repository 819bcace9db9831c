import NephosDomain
import NephosRunner
import NephosStorage

/// Moves the counts in the head of a database to the rows of its days: in one transaction, so that nothing is lost or counted
/// twice.
struct FoldDays {
    let database: DatabaseNumber

    var reading: ReadSet {
        var set = ReadSet()
        set.databases = [database]
        return set
    }

    /// Returns the number of signatures that it has moved.
    func decide(_ reading: Reading) -> Decision<Int> {
        guard var head = reading.databases[0] else { return .write(WriteSet(), 0) }
        let days = GuestAnnex(head.annex[GuestBook.name]).days
        guard !days.isEmpty else { return .write(WriteSet(), 0) }
        let scan = GuestDayRow.of(days.map(\.day), in: database)
        guard let stored = reading.rows(of: scan) else {
            var more = ReadSet()
            more.ask(scan)
            return .need(more)
        }
        var set = WriteSet()
        for day in days {
            let old = stored.first { $0.day == day.day }
            var row = old ?? GuestDayRow(database: database, day: day.day)
            row.signed += day.signed
            row.removed += day.removed
            set.put(row, replacing: old)
        }
        _ = head.annex.set([], of: GuestBook.name)
        set.heads = [head]
        return .write(set, days.reduce(0) { $0 + Int($1.signed + $1.removed) })
    }
}

extension Job {
    /// Folds counts, a second after they were made.
    static func guestBook(_ worker: Worker, folded: @escaping @Sendable (Int) -> Void) -> Job {
        Job(GuestBook.name, dueAfterWriting: nil) { run, store in
            var after: DatabaseNumber = 0
            while true {
                var set = ReadSet()
                set.annexes = [AnnexScan(kind: .publicLane, after: after, limit: 100)]
                let heads = try await worker.read(set, from: store).annexes.first ?? []
                guard let last = heads.last else { return .finished }
                for head in heads where !head.annex[GuestBook.name].isEmpty {
                    let fold = FoldDays(database: head.database)
                    folded(try await worker.runner.commit(fold.reading, to: store, decide: fold.decide))
                    try await run.keep()
                }
                after = last.database
            }
        }
    }
}
