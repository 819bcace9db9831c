import NephosDomain
package import NephosRunner
import NephosStorage

/// The result of a change of keys.
package struct SecretReport: Sendable, Equatable {
    /// Rows that were sealed with the next key, or deleted.
    package var done = 0
    /// Rows that were not changed: damaged ones, and those that no key decrypts. While there are any, the change is not complete.
    package var left = 0
}

extension Administration {
    /// Seals all secrets with another key, while servers may be running, in small transactions. If interrupted, it continues when
    /// it is called again.
    ///
    /// - Parameter progress: Called with the tenant and the number of rows checked there.
    /// - Throws: ``AdminError/refused(_:)`` if there is no key to change to.
    package func rotateSecrets(
        progress: @escaping (String, Int) -> Void = { _, _ in }
    ) async throws(AdminError) -> SecretReport {
        let keeper = try keeper()
        let names = try stored { () throws(StorageError) in try keeper.secretNames() }
        let next = try names.next == 0 ? begin(names, keeper) : names
        let key = next.current
        let tenants = try allTenants()
        for tenant in tenants {
            do { try await openStore(tenant)?.sealSecrets(under: key) } catch { throw AdminError(error) }
        }
        // Servers that started earlier may still write secrets sealed with the previous key.
        do { try await keeper.settle() } catch { throw AdminError(error) }
        let report = try await change(tenants, under: key, progress) { $0.fate(sealingUnder: key) }
        if report.left == 0 { try end(next, keeper) }
        return report
    }

    /// Deletes everything that can no longer be decrypted, and switches to another key: everybody has to sign in again, webhooks, keys for push
    /// services and mail settings must be configured again, waiting mails are lost, and devices fetch everything again. Records and files stay.
    ///
    /// The engine must have been opened without the key.
    ///
    /// - Parameter features: The features of the program, which remove data that depends on their secrets.
    /// - Throws: ``AdminError/refused(_:)`` if the key is available.
    package func resetSecrets(
        of features: [Feature] = [], progress: @escaping (String, Int) -> Void = { _, _ in }
    ) async throws(AdminError) -> SecretReport {
        let keeper = try keeper()
        let names = try stored { () throws(StorageError) in try keeper.secretNames() }
        guard names.key != 0 else { throw .refused("The secrets of this store are in the clear: no key is lost.") }
        let hasNext = names.next != 0 && keeper.secretKeys[names.next] != nil
        guard keeper.secretKeys[names.key] == nil || names.next != 0 && !hasNext else {
            throw .refused("Nothing was reset: this store's key is not lost. To change it: nephos secret rotate")
        }
        let next = try hasNext ? names : begin(names, keeper)
        let tenants = try allTenants()
        var removed = 0
        for tenant in tenants {
            guard let store = try openStore(tenant) else { continue }
            try await reset(store, under: next.current)
            try await endSessions(in: store)
            for feature in features { removed += try await feature.keyIsLost(self, tenant) }
        }
        do { try await keeper.settle() } catch { throw AdminError(error) }
        var report = try await change(tenants, under: next.current, progress) { $0.hasClosedSecret ? .remove : nil }
        report.done += removed
        // What cannot be decrypted is not used, so remaining rows do not prevent completion.
        try end(next, keeper)
        return report
    }

    private func reset(_ store: any TenantStore, under key: Int64) async throws(AdminError) {
        let (signingKey, fileKey, now) = (inputs.randomBytes(32), inputs.randomBytes(32), inputs.now())
        try await commit(to: store, ReadSet()) { reading in
            var writes = WriteSet()
            let head = reading.catalog.head
            if !head.isOpen {
                writes.secrets = .reset(under: key, signingKey: signingKey, fileKey: fileKey, now: now)
            } else if head.isSealed(underOtherThan: key) {
                writes.secrets = .seal(under: key)
            }
            return .write(writes, ())
        }
    }

    /// Revokes the sessions of everybody who has one that cannot be decrypted, with the devices registered with them.
    private func endSessions(in store: any TenantStore) async throws(AdminError) {
        var last: [ColumnValue]?
        while true {
            let after = last
            let page = try stored { () throws(StorageError) in try store.rows(SessionRow.after(after, limit: 200)) }
            guard let end = page.last else { return }
            last = [.bytes(end.id)]
            let homes = page.filter { $0.hasClosedSecret && $0.revokedAt == 0 }.map { ($0.user, $0.privateDatabase) }
            for (user, home) in Dictionary(homes, uniquingKeysWith: { first, _ in first }) {
                let revocation = RevokeSessions(.all, of: user, home: home, now: inputs.now())
                while try await commit(to: store, revocation.reading, revocation.decide).sessions == RevokeSessions.most
                {}
            }
        }
    }

    private func change(
        _ tenants: [Tenant], under key: Int64, _ progress: @escaping (String, Int) -> Void,
        _ fate: @escaping @Sendable (any StoredRow) -> SecretFate?
    ) async throws(AdminError) -> SecretReport {
        var report = SecretReport()
        do {
            var looked = 0
            let count = try engine.directory.eachSecret(fate) { rows in
                looked += rows
                progress("the installation", looked)
            }
            (report.done, report.left) = (count.done, count.left)
        } catch { throw AdminError(error) }
        for tenant in tenants {
            guard let store = try openStore(tenant) else { continue }
            var looked = 0
            do {
                let count = try await store.eachSecret(fate) { rows in
                    looked += rows
                    progress(tenant.description, looked)
                }
                report.done += count.done
                report.left += count.left
            } catch {
                throw AdminError(error)
            }
            if try read(store).catalog.head.isSealed(underOtherThan: key) { report.left += 1 }
        }
        return report
    }

    // MARK: Names

    private func keeper() throws(AdminError) -> any SecretKeeper {
        guard let keeper = engine.secrets else { throw .refused("This store does not seal secrets.") }
        return keeper
    }

    /// - Returns: The key names that the store then has, including the next key.
    private func begin(_ names: SecretNames, _ keeper: any SecretKeeper) throws(AdminError) -> SecretNames {
        let next: SecretNames
        do {
            next = try keeper.exclusively {
                let next = SecretNames(key: names.key, next: try nextKey(names, keeper).id)
                guard try keeper.change(names, to: next) == next else {
                    throw AdminError.refused("Another command is changing the key. Wait and try again.")
                }
                return next
            }
        } catch {
            throw AdminError(error)
        }
        return next
    }

    private func nextKey(_ names: SecretNames, _ keeper: any SecretKeeper) throws(AdminError) -> SecretKey {
        keeper.secretKeys.refresh()
        // A key that was created when this was interrupted before the store named it.
        if let newest = keeper.secretKeys.newest, newest.id != names.key { return newest }
        guard keeper.keepsKeys else {
            throw .refused(
                """
                \(keeper.secretKeys.place) has no new key: write one above the others there (nephos secret new prints it), start \
                all servers with it, and try again.
                """)
        }
        let key = SecretKey.random()
        let old = keeper.secretKeys[names.key].map { [$0] } ?? []
        try stored { () throws(StorageError) in try keeper.keep([key] + old) }
        return key
    }

    private func end(_ names: SecretNames, _ keeper: any SecretKeeper) throws(AdminError) {
        do {
            try keeper.exclusively {
                let over = SecretNames(key: names.next)
                guard try keeper.change(names, to: over) == over, keeper.keepsKeys,
                    let key = keeper.secretKeys[names.next]
                else { return }
                try keeper.keep([key])
            }
        } catch {
            throw AdminError(error)
        }
    }

    // MARK: Tenants

    private func allTenants() throws(AdminError) -> [Tenant] {
        try containers().flatMap { id in
            Environment.allCases.map { Tenant(container: id, environment: $0) }
        }
    }

    /// One after the other, so that no more are open than an engine keeps; nil for a container that was deleted meanwhile.
    private func openStore(_ tenant: Tenant) throws(AdminError) -> (any TenantStore)? {
        do throws(AdminError) { return try store(tenant) } catch {
            guard case .noContainer = error else { throw error }
            return nil
        }
    }
}
