package import NephosAssets
import NephosDomain
package import NephosStorage

/// Deletes accounts: in every environment of every container, and then in the installation. The command or server that does it may die at any
/// moment; the row that records the deletion is removed last, and another process starts over, skipping what is already gone
/// (docs/decisions/0051).
package struct AccountErasure: Sendable {
    /// The delay after which to continue when features must first process deletions.
    static let pause: Milliseconds = 5_000

    package let worker: Worker
    private let files: any AssetStore
    private let features: [Feature]

    package init(_ worker: Worker, files: any AssetStore, features: [Feature]) {
        (self.worker, self.files, self.features) = (worker, files, features)
    }

    private var directory: any DirectoryStore { worker.engine.directory }
    private var homes: AccountHomes { AccountHomes(worker: worker) }

    /// Removes all data of an account's person. From now on the deletion cannot be canceled.
    ///
    /// - Parameters:
    ///   - progress: Called with each environment that had a user for them.
    ///   - keep: Called between two transactions.
    /// - Returns: Whether it is complete. If not, features must first process deletions, and a server continues.
    package func run(
        _ deletion: AccountDeletionRow, progress: @Sendable (Tenant) -> Void = { _ in },
        keep: @escaping @Sendable () async throws -> Void
    ) async throws -> Bool {
        // A sign-in during the pass has requested another one (``Runner/stays(_:at:)``).
        while let begun = try await begin(deletion) {
            var waiting: [JobKey: Milliseconds] = [:]
            try await homes.forEach(of: begun.account) { store, user in
                progress(store.tenant)
                let person = LeavingPerson(user: user, store: store, worker: worker, keep: keep)
                let erasure = PersonErasure(person: person, deletion: begun, files: files, features: features)
                if try await !erasure.run() { waiting[JobKey(Job.upkeep, of: store.tenant)] = worker.now }
            }
            guard waiting.isEmpty else {
                // All work in a tenant follows its upkeep.
                waiting[JobKey(Job.leaving)] = worker.now + Self.pause
                try await worker.run { [engine = worker.engine, waiting] in try engine.jobs.note(waiting) }
                return false
            }
            var rest = Rest.more
            while rest == .more {
                rest = try await removeRows(of: begun)
                if rest != .nothing { try await keep() }
            }
            if rest == .nothing { return true }
        }
        return true
    }

    /// Begins a pass, after which all sessions not created since its start are gone. nil if the person has changed their mind.
    private func begin(_ deletion: AccountDeletionRow) async throws -> AccountDeletionRow? {
        try await homes.change(deletion) { [now = max(worker.now, 1)] in
            if $0.begunAt == 0 { $0.begunAt = now }
            // Concurrent processes share the same value, so that none makes the others start over.
            if $0.endedAt == 0 { $0.endedAt = now }
        } ifNot: {
            $0.begunAt != 0 && $0.endedAt != 0
        }
    }

    // MARK: The installation

    /// What is left of an account.
    private enum Rest {
        case nothing
        /// There may be more rows of the installation.
        case more
        /// Somebody signed in to an environment meanwhile.
        case homes
    }

    /// Removes rows of all tables of the installation; the account and the row that records its deletion last, in a transaction that finds
    /// nothing else.
    ///
    /// - Parameter deletion: The row as the pass began.
    private func removeRows(of deletion: AccountDeletionRow) async throws -> Rest {
        let (account, row) = (AccountRow.keyed(deletion.account), AccountDeletionRow.keyed(deletion.account))
        return try await worker.run { [directory] in
            let email = try directory.rows(account).first.map { EmailAddress.text(of: $0.email) }
            let rows = directory.described.directory.map { RowsOfAccount($0, deletion.account, email) }
            var set = ReadSet()
            set.ask(account)
            set.ask(row)
            for rows in rows { rows.ask(&set) }
            return try directory.commit(set) { reading -> Decision<Rest> in
                var writes = WriteSet()
                for rows in rows { rows.remove(reading, &writes) }
                guard writes.isEmpty else { return .write(writes, .more) }
                // Another process has completed it.
                guard let found = reading[row].first else { return .write(writes, .nothing) }
                guard found.endedAt == deletion.endedAt else { return .write(writes, .homes) }
                for account in reading[account] { writes.remove(account) }
                writes.remove(found)
                return .write(writes, .nothing)
            }
        }
    }
}

/// Rows of one table of the installation that belong to an account.
private struct RowsOfAccount: Sendable {
    let ask: @Sendable (inout ReadSet) -> Void
    let remove: @Sendable (Reading, inout WriteSet) -> Void

    /// - Parameter email: ``EmailAddress/text``; nil if the account is gone.
    init<Row: StoredRow>(_ rows: Row.Type, _ account: String, _ email: String?) {
        let scans = Row.rows(ofAccount: account, email, limit: LeavingPerson.most)
        ask = { set in for scan in scans { set.ask(scan) } }
        remove = { reading, writes in
            // A row that matches both scans is removed once.
            var found: [Row] = []
            for row in scans.flatMap({ reading[$0] }) where !found.contains(row) { found.append(row) }
            for row in found { writes.remove(row) }
        }
    }
}
