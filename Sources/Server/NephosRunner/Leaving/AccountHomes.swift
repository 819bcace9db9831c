package import NephosStorage

/// Where an account has users, and the row that records its deletion.
package struct AccountHomes: Sendable {
    package let worker: Worker

    package init(worker: Worker) { self.worker = worker }

    /// Ends the sessions of apps everywhere for an account that is to be deleted; the account is kept for now.
    ///
    /// - Parameter keep: Called between two transactions.
    package func endSessions(_ deletion: AccountDeletionRow, keep: () async throws -> Void = {}) async throws {
        try await forEach(of: deletion.account) { store, user in
            try await worker.endSessions(of: user, in: store, keep: keep)
        }
        _ = try await change(deletion) { [now = max(worker.now, 1)] in
            $0.endedAt = now
        } ifNot: {
            $0.endedAt != 0
        }
    }

    /// Visits all environments that have a user for an account, whether the person signed in there or an operator signed them in. One that
    /// cannot be opened does not prevent the others from being visited.
    package func forEach(
        of account: String, _ body: (any TenantStore, UserRow) async throws -> Void
    ) async throws {
        var failure: (any Error)?
        for container in try await worker.run({ [engine = worker.engine] in try engine.containers() }) {
            for environment in Environment.allCases {
                do {
                    let store = try await worker.open(Tenant(container: container.id, environment: environment))
                    let users = try await worker.rows(UserRow.from([(.account, account)]), from: store)
                    if let user = users.first { try await body(store, user) }
                } catch StorageError.noSuchTenant {
                    // It was deleted meanwhile, with everything in it.
                } catch let error as StorageError where error.isOfOneTenant {
                    failure = failure ?? error
                }
            }
        }
        if let failure { throw failure }
    }

    /// Changes the row that records an account's deletion, unless the change is already done.
    ///
    /// - Returns: The row after the change; nil if the account is not being deleted.
    func change(
        _ deletion: AccountDeletionRow, _ body: @escaping @Sendable (inout AccountDeletionRow) -> Void,
        ifNot isDone: @escaping @Sendable (AccountDeletionRow) -> Bool
    ) async throws -> AccountDeletionRow? {
        let scan = AccountDeletionRow.keyed(deletion.account)
        return try await worker.run { [directory = worker.engine.directory] in
            var set = ReadSet()
            set.ask(scan)
            return try directory.commit(set) { reading -> Decision<AccountDeletionRow?> in
                var writes = WriteSet()
                guard let old = reading[scan].first, !isDone(old) else { return .write(writes, reading[scan].first) }
                var new = old
                body(&new)
                writes.put(new, replacing: old)
                return .write(writes, new)
            }
        }
    }
}
