import NephosDomain
package import NephosRunner
import NephosStorage

/// What came of a change of keys.
package struct SecretReport: Sendable, Equatable {
    /// Rows that were sealed under the next key, or thrown away.
    package var done = 0
    /// Rows that stay as they are: damaged ones, and those that no key opens. While there are any it is not over.
    package var left = 0
}

extension Administration {
    /// Seals all secrets under another key, beside running servers, some in one transaction. Interrupted, it goes on when it is
    /// called again.
    ///
    /// - Parameter progress: Called with the tenant and the rows that were looked at there.
    /// - Throws: ``AdminError/refused(_:)`` where there is no key to change to.
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
        // Whoever began before may still write what is sealed under the key of before.
        do { try await keeper.settle() } catch { throw AdminError(error) }
        let report = try await change(tenants, under: key, progress) { $0.fate(sealingUnder: key) }
        if report.left == 0 { try end(next, keeper) }
        return report
    }

    /// Throws away what nobody can open any more, and takes another key: everybody signs in again, webhooks, keys for push
    /// services and how mails are sent are to be said anew, mails that wait are gone, and devices fetch everything anew. Records and files stay.
    ///
    /// The engine must have been opened without the key.
    ///
    /// - Parameter features: Those of the program, which take away what stands on secrets of theirs.
    /// - Throws: ``AdminError/refused(_:)`` where the key is there.
    package func resetSecrets(
        of features: [Feature] = [], progress: @escaping (String, Int) -> Void = { _, _ in }
    ) async throws(AdminError) -> SecretReport {
        let keeper = try keeper()
        let names = try stored { () throws(StorageError) in try keeper.secretNames() }
        guard names.key != 0 else { throw .refused("The secrets of this store are in the clear: nothing is lost.") }
        let hasNext = names.next != 0 && keeper.secretKeys[names.next] != nil
        guard keeper.secretKeys[names.key] == nil || names.next != 0 && !hasNext else {
            throw .refused("The key of this store is there: nothing is lost. To change it: nephos secret rotate")
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
        // Nobody believes what cannot be opened, so whatever is left keeps nobody from going on.
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

    /// Takes back the sessions of everybody who has one that cannot be opened, with the devices that came with them.
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
        guard let keeper = engine.secrets else { throw .refused("This store seals nothing.") }
        return keeper
    }

    /// - Returns: What the store names then, the next key among it.
    private func begin(_ names: SecretNames, _ keeper: any SecretKeeper) throws(AdminError) -> SecretNames {
        let next: SecretNames
        do {
            next = try keeper.alone {
                let next = SecretNames(key: names.key, next: try nextKey(names, keeper).id)
                guard try keeper.change(names, to: next) == next else {
                    throw AdminError.refused("Somebody else changes the key. Wait, and try again.")
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
        // One that came when this was interrupted before the store named it.
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
            try keeper.alone {
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
