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
        let stores = try allStores()
        do {
            for store in stores { try await store.sealSecrets(under: next.current) }
            // Whoever began before may still write what is sealed under the key of before.
            try await keeper.settle()
        } catch {
            throw AdminError(error)
        }
        let key = next.current
        let report = try await change(stores, progress) { $0.fate(sealingUnder: key) }
        if report.left == 0 { try end(next, keeper) }
        return report
    }

    /// Throws away what nobody can open any more, and takes another key: everybody signs in again, webhooks and keys for push
    /// services are to be made anew, and devices fetch everything anew. Records and files stay.
    ///
    /// The engine must have been opened without the key.
    /// - Throws: ``AdminError/refused(_:)`` where the key is there.
    package func resetSecrets(
        progress: @escaping (String, Int) -> Void = { _, _ in }
    ) async throws(AdminError) -> SecretReport {
        let keeper = try keeper()
        let names = try stored { () throws(StorageError) in try keeper.secretNames() }
        guard names.key != 0 else { throw .refused("The secrets of this store are in the clear: nothing is lost.") }
        guard keeper.secretKeys[names.key] == nil else {
            throw .refused("The key of this store is there: nothing is lost. To change it: nephos secret rotate")
        }
        let next = try names.next == 0 || keeper.secretKeys[names.next] == nil ? begin(names, keeper) : names
        let stores = try allStores()
        for store in stores { try await reset(store, under: next.current) }
        do { try await keeper.settle() } catch { throw AdminError(error) }
        let report = try await change(stores, progress) { $0.hasClosedSecret ? .remove : nil }
        if report.left == 0 { try end(next, keeper) }
        return report
    }

    private func reset(_ store: any TenantStore, under key: Int64) async throws(AdminError) {
        let (signingKey, fileKey, now) = (inputs.randomBytes(32), inputs.randomBytes(32), inputs.now())
        try await commit(to: store, ReadSet()) { reading in
            var writes = WriteSet()
            if reading.catalog.head.isSealed(underOtherThan: key) {
                writes.secrets = .reset(under: key, signingKey: signingKey, fileKey: fileKey, now: now)
            }
            return .write(writes, ())
        }
    }

    private func change(
        _ stores: [any TenantStore], _ progress: @escaping (String, Int) -> Void,
        _ fate: @escaping @Sendable (any StoredRow) -> SecretFate?
    ) async throws(AdminError) -> SecretReport {
        var report = SecretReport()
        for store in stores {
            var looked = 0
            do {
                let count = try await store.eachSecret(fate) { rows in
                    looked += rows
                    progress(store.tenant.description, looked)
                }
                report.done += count.done
                report.left += count.left
            } catch {
                throw AdminError(error)
            }
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
        let key = try nextKey(names, keeper)
        let next = SecretNames(key: names.key, next: key.id)
        let named = try stored { () throws(StorageError) in try keeper.change(names, to: next) }
        guard named == next else { throw .refused("Somebody else changes the key. Wait, and try again.") }
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
        try stored { () throws(StorageError) in
            _ = try keeper.change(names, to: SecretNames(key: names.next))
            guard keeper.keepsKeys, let key = keeper.secretKeys[names.next] else { return }
            try keeper.keep([key])
        }
    }

    private func allStores() throws(AdminError) -> [any TenantStore] {
        var stores: [any TenantStore] = []
        for id in try containers() {
            for environment in Environment.allCases {
                stores.append(try store(Tenant(container: id, environment: environment)))
            }
        }
        return stores
    }
}
