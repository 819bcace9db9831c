import NephosAssets
import NephosDomain
package import NephosStorage

/// Removes a person from an environment of a container in small, repeatable transactions, and their user row last. If the process dies in
/// between, the remaining rows record that there is more to do.
struct PersonErasure: Sendable {
    /// How long to wait for features to process deletions, before the database that records them is deleted too.
    static let eraseTimeout: Milliseconds = 600_000

    let person: LeavingPerson
    let deletion: AccountDeletionRow
    let files: any AssetStore
    let features: [Feature]

    private var worker: Worker { person.worker }
    private var store: any TenantStore { person.store }
    private var user: UserRow { person.user }

    /// - Returns: Whether all of it is gone. If not, features must first process deletions.
    func run() async throws -> Bool {
        try await removeSessions()
        try await leaveShares()
        for rows in store.described.all { try await remove(rows) }
        for feature in features { try await feature.leaving(person) }
        try await removePublicRecords()
        return try await removeDatabase()
    }

    private func commit<Answer: Sendable>(
        _ set: ReadSet, _ decide: @escaping @Sendable (Reading) throws -> Decision<Answer>
    ) async throws -> Answer {
        let answer = try await worker.runner.commit(set, to: store, decide: decide)
        try await person.keep()
        return answer
    }

    // MARK: In the environment

    private func removeSessions() async throws {
        try await worker.endSessions(of: user, in: store, keep: person.keep)
        while true {
            let forget = ForgetSessions(of: user.id, now: worker.now, limit: LeavingPerson.most)
            guard try await commit(forget.reading, forget.decide) > 0 else { return }
        }
    }

    /// Takes the person out of the shares of others, who keep what they saved there.
    private func leaveShares() async throws {
        var last: [ParticipantRow] = []
        while true {
            let rows = try await worker.rows(
                LeaveShareForGood.shares(of: user.id, limit: LeavingPerson.most), from: store)
            // Rows of a database that is gone stay; `nephos check` finds them.
            guard !rows.isEmpty, rows != last else { return }
            last = rows
            for row in rows {
                let leave = LeaveShareForGood(row, now: worker.now)
                try await commit(leave.reading, leave.decide)
            }
        }
    }

    /// Removes rows of any table that reference the person.
    private func remove<Row: StoredRow>(_ rows: Row.Type) async throws {
        let lanes = try await worker.read(ReadSet(), from: store).catalog.head.lanes
        let databases = Array(1...max(lanes, 1)) + [user.privateDatabase]
        for scan in Row.rows(of: user.id, in: databases, limit: LeavingPerson.most) { try await person.remove(scan) }
    }

    // MARK: In public

    private func removePublicRecords() async throws {
        if deletion.takesPublic {
            var position: NameScan.Position?
            repeat {
                let step = RemoveRecords(of: user.id, .all(after: position), now: worker.now)
                position = try await commit(step.reading, step.decide)
            } while position != nil
            try await worker.carryOnCascades(of: store, keep: person.keep)
        }
        let own = RemoveRecords(of: user.id, .userRecord, now: worker.now)
        _ = try await commit(own.reading, own.decide)
        var position: TrashRow.Position?
        repeat {
            let step = LeaveTrash(of: user.id, after: position, now: worker.now)
            position = try await commit(step.reading, step.decide)
        } while position != nil
    }

    // MARK: The private database

    private func removeDatabase() async throws -> Bool {
        let database = user.privateDatabase
        while try await forgetEvents(of: database) > 0 {}
        let end = ResetZones(database, isLeft: true, now: worker.now)
        try await commit(end.reading, end.decide)
        while try await store.sweepDeadZones(rows: LeavingPerson.most, at: worker.now) { try await person.keep() }
        while try await emptyTrash(of: database) > 0 {}
        guard try await isNoted(database) else { return false }
        try await removeFiles(of: database)
        for rows in store.described.all { try await remove(rows, in: database) }
        return try await store.removePerson(user, at: worker.now)
    }

    private func forgetEvents(of database: DatabaseNumber) async throws -> Int {
        let forget = ForgetEvents(of: database, limit: LeavingPerson.most)
        return try await commit(forget.reading, forget.decide)
    }

    private func emptyTrash(of database: DatabaseNumber) async throws -> Int {
        guard try await head(of: database) != nil else { return 0 }
        let empty = EmptyTrash(of: database, limit: LeavingPerson.most, now: worker.now)
        return try await commit(empty.reading, empty.decide)
    }

    private func head(of database: DatabaseNumber) async throws -> HeadRow? {
        var set = ReadSet()
        set.databases = [database]
        return try await worker.read(set, from: store).databases[0]
    }

    /// Whether features have processed all events of the database, as far as its head records that.
    private func isNoted(_ database: DatabaseNumber) async throws -> Bool {
        guard worker.now < deletion.begunAt + Self.eraseTimeout else { return true }
        return try await head(of: database)?.annex.isFound != true
    }

    /// Removes the bytes first: the rows record which are left. Nobody reads them any more.
    private func removeFiles(of database: DatabaseNumber) async throws {
        let scan = Scan<AssetRow>(.database(database), limit: LeavingPerson.most)
        while true {
            let rows = try await worker.rows(scan, from: store)
            guard !rows.isEmpty else { return }
            try await worker.run { [store, files] in
                let home = AssetHome(try store.read(ReadSet()).catalog.head)
                for row in rows { if let file = AssetFile(row, in: home) { try files.remove(file) } }
            }
            let removal = RemoveRows(scan, rows)
            try await commit(removal.reading, removal.decide)
        }
    }

    private func remove<Row: StoredRow>(_ rows: Row.Type, in database: DatabaseNumber) async throws {
        guard Row.table.owner == .database else { return }
        try await person.remove(Scan<Row>(.database(database), limit: LeavingPerson.most, lock: .update))
    }
}

extension Worker {
    /// Ends all sessions of a person in an environment, on all devices.
    package func endSessions(
        of user: UserRow, in store: any TenantStore, keep: () async throws -> Void = {}
    ) async throws {
        var ended = RevokeSessions.most
        while ended == RevokeSessions.most {
            let revoke = RevokeSessions(.all, of: user.id, home: user.home, now: now)
            ended = try await runner.commit(revoke.reading, to: store, decide: revoke.decide).sessions
            try await keep()
        }
    }
}
