import CloudKitSchema
import NephosDomain
package import NephosRunner
import NephosStorage

extension Administration {
    /// The maximum number of rows that one transaction of a reset changes, so that requests wait for it no longer than for each
    /// other.
    private static let resetChunk = 200

    /// What a reset of development would change and delete.
    ///
    /// - Parameter progress: Called with the number of records that were examined.
    package func previewReset(
        of container: String, progress: (Int) -> Void = { _ in }
    ) throws(AdminError) -> SchemaReset {
        let tenant = Tenant(container: container, environment: .development)
        let store = try store(tenant)
        let development = try read(store).catalog
        let production = try catalog(of: tenant.inProduction)
        let change = AdoptSchema(resettingTo: production, by: inputs.author, now: inputs.now())
        var schema = development.schema
        // User records are created again.
        schema[type: Schema.RecordType.usersName] = nil
        return SchemaReset(
            settings: try difference(from: development, to: change.documents(over: development), in: store),
            losses: try losses(
                of: SchemaDifference(from: schema, to: Schema()), development, in: store, progress),
            production: production, version: development.version)
    }

    /// Resets development: its schema becomes that of production, including deployed settings, and all its records are deleted, including those
    /// of every person, and the trash. Accounts, sessions, tokens and keys stay; user records are created again, without roles.
    ///
    /// It works in small transactions while a server may be running. An interrupted reset is completed by another call.
    ///
    /// - Parameters:
    ///   - preview: What the operator agreed to; if development has changed since, nothing changes. nil for whatever it is.
    ///   - progress: Called with the number of completed databases and the total.
    package func resetDevelopment(
        of container: String, as preview: SchemaReset? = nil, progress: (Int64, Int64) -> Void = { _, _ in }
    ) async throws(AdminError) {
        let tenant = Tenant(container: container, environment: .development)
        let store = try store(tenant)
        let production = if let preview { preview.production } else { try catalog(of: tenant.inProduction) }
        let change = AdoptSchema(resettingTo: production, by: inputs.author, now: inputs.now())
        let before = try read(store).catalog
        // The settings stay until the records are gone that they hide.
        try await commit(to: store, at: preview?.version, change.reading) { reading in
            withSchemaWork(try change.decideSchema(reading))
        }
        let head = try read(store).catalog.head
        try await resetPublicRecords(in: store)
        for database in 1...head.lastDatabase {
            if database > head.lanes {
                let reset = ResetZones(database, now: inputs.now())
                try await commit(to: store, reset.reading, reset.decide)
            }
            try await dropIndexes(in: database, of: store)
            progress(database, head.lastDatabase)
        }
        try await emptyTrash(of: store)
        do {
            while try await store.sweepDeadZones(rows: Self.resetChunk, at: inputs.now()) {}
        } catch {
            throw AdminError(error)
        }
        // Everything is gone that could violate production's settings, or that only those of development hid.
        try await commit(to: store, change.reading, change.decideSections)
        try await settle(change.documents(over: before), of: store, from: before)
    }

    private func resetPublicRecords(in store: any TenantStore) async throws(AdminError) {
        var position: NameScan.Position?
        repeat {
            let step = ResetPublicRecords(after: position, limit: Self.resetChunk, now: inputs.now())
            position = try await commit(to: store, step.reading, step.decide).next
        } while position != nil
    }

    private func emptyTrash(of store: any TenantStore) async throws(AdminError) {
        while true {
            let step = EmptyTrash(limit: Self.resetChunk, now: inputs.now())
            guard try await commit(to: store, step.reading, step.decide) > 0 else { return }
        }
    }

    private func dropIndexes(in database: DatabaseNumber, of store: any TenantStore) async throws(AdminError) {
        var set = ReadSet()
        set.ask(IndexRow.all(of: database))
        let indexes = try read(store, set).indexes(of: database)
        guard !indexes.isEmpty else { return }
        do {
            try noteWork(in: store)
            try await store.dropIndexes(indexes.map(\.number), in: database)
        } catch { throw AdminError(error) }
    }
}

/// What a reset of development changes, and the stored data that it deletes.
package struct SchemaReset: Sendable {
    package let settings: SettingsDifference
    package let losses: SchemaLosses
    /// The catalog that development adopts.
    fileprivate let production: Catalog
    /// The version of development's catalog that it changes.
    fileprivate let version: Int64
}
