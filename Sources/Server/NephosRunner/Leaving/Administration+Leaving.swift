package import NephosAssets
package import NephosStorage

extension Administration {
    /// The pending deletions of accounts, by account id.
    package func deletions(of accounts: [AccountRow]) throws(AdminError) -> [String: AccountDeletionRow] {
        let scan = AccountDeletionRow.keyed(accounts.map(\.id))
        let rows = try stored { () throws(StorageError) in try engine.directory.rows(scan) }
        return Dictionary(rows.map { ($0.account, $0) }) { first, _ in first }
    }

    /// Ends the sessions of an account that is to be deleted, in every environment.
    package func endSessions(_ deletion: AccountDeletionRow) async throws(AdminError) {
        do { try await AccountHomes(worker: worker).endSessions(deletion) } catch { throw AdminError(error) }
    }

    /// Deletes an account that is due, with all data of its person. An interrupted deletion is continued by another call, or by a server.
    ///
    /// - Parameter progress: Called with each environment that had a user for them.
    /// - Returns: Whether it is complete. If not, a server continues.
    package func erase(
        _ deletion: AccountDeletionRow, files: any AssetStore, progress: @escaping @Sendable (Tenant) -> Void = { _ in }
    ) async throws(AdminError) -> Bool {
        let erasure = AccountErasure(worker, files: files, features: features)
        do { return try await erasure.run(deletion, progress: progress, keep: {}) } catch { throw AdminError(error) }
    }

    /// Exports what is stored of a person.
    package func export(
        _ account: AccountRow, files: any AssetStore, to sink: any ExportSink
    ) async throws(AdminError) {
        do { try await PersonExport(worker, files: files, to: sink).run(account) } catch { throw AdminError(error) }
    }

    private var worker: Worker { Worker(runner, clock: inputs.now) }
}

extension AdminError {
    /// The error for signing in with an account that is being deleted.
    package static func leaves(_ account: AccountRow) -> AdminError {
        .refused(
            "\(account.shownEmail) is being deleted, and cannot sign in. To keep it: nephos account restore \(account.shownEmail)"
        )
    }
}
