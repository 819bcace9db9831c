import NephosStorage

/// The directory of a data folder: `nephos.sqlite`, and the folders of containers, which are created and removed with their rows.
struct SQLiteDirectory: DirectoryStore {
    let engine: SQLiteEngine
    package var described: TableSet { engine.options.tables }

    func read(_ set: ReadSet) throws(StorageError) -> Reading {
        try engine.withStore { store throws(StorageError) in
            try store.connection.beginReading()
            defer { store.connection.rollback() }
            var reading = Reading(catalog: .placeholder)
            try set.load(by: engine.secretKeys, into: &reading) { scan, reading throws(StorageError) in
                try store.load(scan, into: &reading)
            }
            return reading
        }
    }

    func commit<Answer: Sendable>(
        _ set: ReadSet, decide: (Reading) throws -> Decision<Answer>
    ) throws -> Answer {
        let (answer, containers) = try engine.withDirectory { store in
            try store.connection.begin()
            do {
                let decided = try self.decided(set, decide, store)
                try store.connection.commit()
                return decided
            } catch {
                store.connection.rollback()
                throw error
            }
        }
        try finish(containers)
        return answer
    }

    private func decided<Answer: Sendable>(
        _ set: ReadSet, _ decide: (Reading) throws -> Decision<Answer>, _ store: DirectoryFile
    ) throws -> (Answer, ContainerChange) {
        var (writes, answer) = try set.decided(engine.secretKeys, store.load, decide)
        let key = try engine.secretKeys.key(named: store.secretNames().current)
        try writes.seal(under: key)
        // First, so that a failed write leaves no mark in a folder.
        try store.apply(writes)
        try create(writes, sealedUnder: key)
        if let (id, time) = writes.containers.deleted {
            try engine.folders.announceDeletion(of: id)
            try engine.markDeleted(id, at: time)
        }
        return (answer, writes.containers)
    }

    /// Creates the folder of a container, before its row is on the disk.
    private func create(_ writes: WriteSet, sealedUnder key: SecretKey?) throws(StorageError) {
        let seeds = writes.containers.created
        guard let id = seeds.first?.head.tenant.container else { return }
        guard DataDirectory.isSafe(id) else { throw .failed("'\(id)' cannot be the name of a folder") }
        try engine.folders.removeLeftovers()
        try engine.folders.create(id, try seeds.map { seed throws(StorageError) in try seed.sealed(under: key) })
    }

    /// What is left to do after the rows are on the disk.
    private func finish(_ containers: ContainerChange) throws(StorageError) {
        if let id = containers.created.first?.head.tenant.container { engine.forget(id) }
        guard let (id, _) = containers.deleted else { return }
        try engine.withStore { store throws(StorageError) in
            // The folder is removed after the list without it is on the disk: every listed container has its folder.
            try store.write { () throws(StorageError) in
                if try store.container(id) == nil { try engine.folders.retire(id) }
                try engine.folders.removeLeftovers()
            }
        }
        engine.forget(id)
    }
}
