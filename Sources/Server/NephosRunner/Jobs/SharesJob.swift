import NephosDomain
import NephosStorage

extension Job {
    /// Notifies the members of shares that have changed (``AnnounceShares``).
    package static func shares(_ worker: Worker) -> Job {
        Job(AnnounceShares.job, dueAfterWriting: nil) { run, store in
            var after: DatabaseNumber = 0
            var failure: (any Error)?
            while true {
                var set = ReadSet()
                set.annexes = [AnnexScan(kind: .personal, after: after, limit: 64)]
                let heads = try await worker.read(set, from: store).annexes.first ?? []
                guard let last = heads.last else { break }
                for head in heads {
                    guard let work = AnnounceShares(head, now: run.now) else { continue }
                    do {
                        try await announce(work, worker, run, store)
                    } catch {
                        // What fails for one owner does not keep the others waiting; it is tried again by the next run.
                        failure = error
                        try await run.keep()
                    }
                }
                after = last.database
                try await run.keep()
            }
            if let failure { throw failure }
            return .finished
        }
    }

    private static func announce(
        _ work: AnnounceShares, _ worker: Worker, _ run: JobRun, _ store: any TenantStore
    ) async throws {
        var isDone = false
        while !isDone {
            try await notify(work, worker, run, store)
            isDone = try await worker.runner.commit(work.finishReading, to: store, decide: work.finish)
            try await run.keep()
        }
    }

    private static func notify(
        _ work: AnnounceShares, _ worker: Worker, _ run: JobRun, _ store: any TenantStore
    ) async throws {
        let people = try await worker.read(work.membersReading, from: store)
        let zones = try await worker.read(work.zonesReading(people), from: store)
        let members = work.members(people, zones)
        let users = try await worker.rows(UserRow.keyed(Array(Set(members.map(\.user)))), from: store)
        let homes = Dictionary(users.map { ($0.id, $0.privateDatabase) }) { first, _ in first }
        var failure: (any Error)?
        for member in members {
            guard let home = homes[member.user], home > 0 else { continue }
            let notify = work.notify(member, in: home)
            do {
                try await worker.runner.commit(notify.reading, to: store, decide: notify.decide)
            } catch {
                // The others are notified nevertheless.
                failure = error
            }
            try await run.keep()
        }
        if let failure { throw failure }
    }
}
