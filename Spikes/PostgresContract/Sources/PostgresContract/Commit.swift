import NephosStorage
import Synchronization

/// The catalog that a store remembers, by version. Only committed catalogs may be added.
final class CatalogCache: Sendable {
    private let remembered = Mutex<Catalog?>(nil)

    var catalog: Catalog? { remembered.withLock { $0 } }
    func remember(_ catalog: Catalog) { remembered.withLock { $0 = catalog } }
}

/// One commit on one connection: with READ COMMITTED, heads are locked first and in ascending order, reads follow the
/// locks, and the catalog's row is locked after them, only by commits that change it.
struct Commit<Answer: Sendable> {
    let connection: Connection
    let set: ReadSet
    let cache: CatalogCache
    let decide: @Sendable (Reading) throws -> Decision<Answer>

    private enum Outcome {
        case done(Answer)
        case refused(any Error)
        case needsLocks([DatabaseNumber])
    }

    /// Returns the answer of the decision, or the error that it threw.
    func run() throws(StorageError) -> Result<Answer, any Error> {
        var locks = Set(set.databases)
        let before = (connection.roundTrips, connection.statements)
        defer {
            Measures.now.withLock {
                $0.commits += 1
                $0.roundTrips += connection.roundTrips - before.0
                $0.statements += connection.statements - before.1
            }
        }
        while true {
            switch try attempt(locking: locks.sorted()) {
            case .done(let answer): return .success(answer)
            case .refused(let error):
                try connection.run([Statement("ROLLBACK")])
                return .failure(error)
            case .needsLocks(let more):
                // A head below a locked one cannot be locked anymore: everything starts again, from the first read
                // set, with all locks that are known to be required.
                try connection.run([Statement("ROLLBACK")])
                Measures.now.withLock { $0.moreLocks += 1 }
                locks.formUnion(more)
            }
        }
    }

    private func attempt(locking locks: [DatabaseNumber]) throws(StorageError) -> Outcome {
        // The reads are sent together with the lock: each statement has its own snapshot, taken when the statements
        // before it have ended, so that reads after the lock see what its last holder has committed.
        var reading = try begin([Statement("BEGIN"), lock(locks)])
        var catalogIsLocked = false
        while true {
            Measures.now.withLock { $0.decisions += 1 }
            let decision: Decision<Answer>
            do { decision = try decide(reading) } catch { return .refused(error) }
            switch decision {
            case .need(let more):
                let missing = Set(more.databases).subtracting(locks)
                if !missing.isEmpty { return .needsLocks(missing.sorted()) }
                var rows = try connection.run(more.statements)[...]
                try reading.take(more, from: &rows)
            case .write(let writes, let answer):
                if writes.touchesCatalog, !catalogIsLocked {
                    catalogIsLocked = true
                    guard try lockCatalog(asSeenIn: reading) else {
                        Measures.now.withLock { $0.catalogMoved += 1 }
                        reading = try begin([])
                        continue
                    }
                }
                try connection.run(writes.statements(reading.catalog.head) + [Statement("COMMIT")])
                return .done(answer)
            }
        }
    }

    private func lock(_ heads: [DatabaseNumber]) -> Statement {
        Statement("SELECT db FROM heads WHERE db = ANY($1) ORDER BY db FOR UPDATE", .ints(heads))
    }

    /// Runs `first`, then reads the catalog and the set: in one round trip if the catalog is still the remembered one.
    private func begin(_ first: [Statement]) throws(StorageError) -> Reading {
        var rows = try connection.run(first + [CatalogReader.head] + set.statements)[...]
        rows = rows.dropFirst(first.count)
        let reader = CatalogReader(connection)
        var reading = Reading(catalog: try reader.catalog(headRows: rows.removeFirst(), cache: cache))
        try reading.take(set, from: &rows)
        return reading
    }

    /// - Returns: Whether the catalog is still the one that the decision was based on.
    private func lockCatalog(asSeenIn reading: Reading) throws(StorageError) -> Bool {
        let rows = try connection.run([Statement("\(CatalogReader.head.sql) FOR UPDATE")])
        let head = try CatalogReader.head(rows[0])
        return head.version == reading.catalog.version && head.lastDatabase == reading.catalog.head.lastDatabase
    }
}

extension WriteSet {
    var touchesCatalog: Bool { !catalog.isEmpty || !databases.isEmpty }
}
