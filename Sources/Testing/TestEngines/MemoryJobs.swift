package import NephosStorage
package import Synchronization

/// Jobs in memory, with the behavior of an engine's job store.
package final class MemoryJobs: JobStore {
    private struct Row {
        var due: Milliseconds
        var again: Milliseconds?
        var holder: Int64 = 0
        var leasedTo: Milliseconds = 0
        var progress: [UInt8] = []
    }

    private let rows = Mutex<[JobKey: Row]>([:])
    /// No job is returned while this is set.
    package let isDown = Mutex(false)

    package init() {}

    package func note(_ jobs: [JobKey: Milliseconds]) {
        rows.withLock { rows in
            for (key, due) in jobs {
                var row = rows[key] ?? Row(due: due)
                row.due = min(row.due, due)
                row.again = min(row.again ?? due, due)
                rows[key] = row
            }
        }
    }

    package func lease(
        _ name: String, by holder: Int64, until: Milliseconds, now: Milliseconds, limit: Int
    ) throws(StorageError) -> [LeasedJob] {
        if isDown.withLock({ $0 }) { throw .failed("the jobs are out of order") }
        return rows.withLock { rows in
            let due = rows.filter { $0.key.name == name && $0.value.due <= now && $0.value.leasedTo <= now }
            return due.sorted { ($0.value.due, $0.key) < ($1.value.due, $1.key) }.prefix(limit).map { key, row in
                rows[key]?.holder = holder
                rows[key]?.leasedTo = until
                rows[key]?.again = nil
                return LeasedJob(key: key, progress: row.progress)
            }
        }
    }

    package func hold(_ key: JobKey, by holder: Int64, until: Milliseconds) {
        rows.withLock { $0[key] = Row(due: 0, holder: holder, leasedTo: until) }
    }

    package func keep(_ key: JobKey, by holder: Int64, until: Milliseconds, progress: [UInt8]) -> Bool {
        rows.withLock { rows in
            guard rows[key]?.holder == holder else { return false }
            rows[key]?.leasedTo = until
            rows[key]?.progress = progress
            return true
        }
    }

    package func end(_ key: JobKey, by holder: Int64, next: Milliseconds?, progress: [UInt8]) {
        rows.withLock { rows in
            guard let row = rows[key], row.holder == holder else { return }
            guard let due = [row.again, next].compactMap({ $0 }).min() else {
                rows[key] = nil
                return
            }
            rows[key] = Row(due: due, progress: progress)
        }
    }
}
