import CloudKitWire
package import NephosRunner
package import NephosStorage

extension Administration {
    /// Configures Apple's push service for one environment of a container, replacing any earlier configuration.
    ///
    /// - Parameters:
    ///   - isSandbox: For devices that registered with `apnsEnvironment` `development`.
    ///   - pem: The text of the `.p8` file.
    /// - Throws: ``AdminError/refused(_:)``, which explains what is wrong with the key or its IDs.
    package func configurePush(
        in tenant: Tenant, team: String, keyID: String, pem: String, topic: String, isSandbox: Bool
    ) async throws(AdminError) {
        do {
            let key = try APNsKey(pem: pem, teamID: team, keyID: keyID)
            _ = try APNsConfiguration(key: key, topic: topic)
        } catch {
            throw .refused("\(error)")
        }
        let row = PushKeyRow(
            isDevelopment: isSandbox, team: team, keyID: keyID, topic: topic, pem: pem, createdAt: inputs.now())
        try await commit(to: try store(tenant), ReadSet()) { reading in
            let old = reading.catalog.pushKeys.first { $0.isDevelopment == isSandbox }
            var writes = WriteSet()
            writes.catalog = [CatalogWrite(old: old.map { .pushKey($0) }, new: .pushKey(row))]
            return .write(writes, ())
        }
    }

    /// The newest entries of the push log, oldest first.
    ///
    /// - Parameter user: An e-mail address, or the name of a user record; nil for everybody.
    /// - Throws: ``AdminError/noAccount(_:)``.
    package func pushLog(of tenant: Tenant, user: String? = nil, limit: Int) throws(AdminError) -> [PushLogRow] {
        let store = try store(tenant)
        let id = try user.map { name throws(AdminError) in try userID(named: name, in: store) }
        var set = ReadSet()
        let newest = PushLogRow.newest(of: id, limit: limit)
        set.ask(newest)
        return try read(store, set)[newest].reversed()
    }

    /// Entries of the push log that were written after a time, oldest first.
    package func pushLog(of tenant: Tenant, since: Milliseconds, limit: Int) throws(AdminError) -> [PushLogRow] {
        var set = ReadSet()
        let later = PushLogRow.after(since, limit: limit)
        set.ask(later)
        return try read(try store(tenant), set)[later]
    }
}
