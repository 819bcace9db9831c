package import CloudKitSchema
package import NephosDomain
package import NephosRunner
package import NephosStorage

extension Administration {
    /// The schema of an environment as a file, in canonical form.
    package func exportSchema(of tenant: Tenant) throws(AdminError) -> [UInt8] {
        SchemaPrinter.print(try schema(of: tenant))
    }

    /// The schema of an environment.
    package func schema(of tenant: Tenant) throws(AdminError) -> Schema {
        try catalog(of: tenant).schema
    }

    func catalog(of tenant: Tenant) throws(AdminError) -> Catalog { try read(try store(tenant)).catalog }

    /// Returns what an import of this file would change and lose, without changing anything.
    ///
    /// - Parameter progress: Called with the number of records that were examined, if stored data might be lost.
    /// - Throws: ``AdminError/schema(_:)`` with the first error; ``AdminError/refused(_:)`` if settings use what would be removed;
    ///   ``AdminError/notInProduction(container:)``.
    package func previewImport(
        _ file: [UInt8], into tenant: Tenant, progress: (Int) -> Void = { _ in }
    ) throws(AdminError) -> SchemaImport {
        let document = try document(file, for: tenant)
        let store = try store(tenant)
        let catalog = try read(store).catalog
        let development = catalog.schema
        let production = try schema(of: tenant.inProduction)
        let refusals = document.importRefusals(development: development, production: production)
        if let first = refusals.first { throw .schema(first) }
        let new = document.schema.imported(over: development)
        try check(new, by: catalog)
        try checkRecords(of: store, by: new, [:], from: catalog)
        let difference = SchemaDifference(from: development, to: new)
        return SchemaImport(
            difference: difference, effects: catalog.effects(ofGrantsIn: new),
            losses: try losses(of: difference, catalog, in: store, progress), version: catalog.version)
    }

    /// Replaces the schema of development by that of a file, in one transaction.
    ///
    /// - Parameter preview: What the operator agreed to; if the schema or the settings have changed since, nothing changes. nil for
    ///   whatever it is.
    /// - Returns: What changed.
    /// - Throws: ``AdminError/schema(_:)`` with the first error; ``AdminError/refused(_:)`` if settings use what would be removed;
    ///   ``AdminError/notInProduction(container:)``.
    package func importSchema(
        _ file: [UInt8], into tenant: Tenant, as preview: SchemaImport? = nil
    ) async throws(AdminError) -> SchemaDifference {
        let document = try document(file, for: tenant)
        let production = try schema(of: tenant.inProduction)
        let change = ChangeSchema.importing(document, production: production)
        let store = try store(tenant)
        try checkRecords(of: store, by: change)
        return try await commit(to: store, at: preview?.version, change.reading) { reading in
            try check(try change.schema(over: reading.catalog.schema), by: reading.catalog)
            return withSchemaWork(try change.decide(reading))
        }
    }

    /// What a deploy would change in production.
    ///
    /// - Throws: ``AdminError/schema(_:)`` if it would be refused.
    package func previewDeploy(of container: String) throws(AdminError) -> SchemaDeploy {
        let development = Tenant(container: container, environment: .development)
        let adoption = AdoptSchema(deploying: try catalog(of: development), by: inputs.author, now: inputs.now())
        let store = try store(development.inProduction)
        let production = try read(store).catalog
        let new: Schema
        do throws(SchemaError) { new = try adoption.schema(over: production.schema) } catch { throw .schema(error) }
        let documents = adoption.documents(over: production)
        return SchemaDeploy(
            schema: SchemaDifference(from: production.schema, to: new),
            effects: production.effects(ofGrantsIn: new),
            settings: try difference(from: production, to: documents, in: store), adoption: adoption, newSchema: new,
            documents: documents, production: production)
    }

    /// Deploys the schema of development to production: types, fields, indexes, roles and grants, and the features' settings for
    /// how records are used; never records. Nothing is removed from production's schema. This cannot be undone.
    ///
    /// - Parameters:
    ///   - preview: What the operator agreed to; if production has changed since, nothing changes. nil for whatever it is.
    ///   - progress: Reports progress of a check of stored data, if settings make one necessary.
    /// - Returns: What changed in production.
    @discardableResult
    package func deploySchema(
        of container: String, as preview: SchemaDeploy? = nil,
        progress: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws(AdminError) -> SchemaDeploy {
        let deploy = if let preview { preview } else { try previewDeploy(of: container) }
        let store = try store(Tenant(container: container, environment: .production))
        try await changing(
            deploy.documents, from: deploy.production, of: store, schema: deploy.newSchema, progress: progress
        ) { version throws(AdminError) in
            try await commit(to: store, at: version, deploy.adoption.reading) { reading in
                withSchemaWork(try deploy.adoption.decide(reading))
            }
        }
        return deploy
    }

    /// Refuses a change of the schema that stored records forbid.
    func checkRecords(of store: any TenantStore, by change: ChangeSchema) throws(AdminError) {
        let catalog = try read(store).catalog
        let new: Schema
        do { new = try change.schema(over: catalog.schema) } catch { throw AdminError(error) }
        try checkRecords(of: store, by: new, [:], from: catalog)
    }

    private func document(_ file: [UInt8], for tenant: Tenant) throws(AdminError) -> SchemaDocument {
        // The container first, because it is the more likely mistake.
        _ = try store(tenant)
        guard tenant.environment == .development else { throw .notInProduction(container: tenant.container) }
        do { return try SchemaDocument(file[...]) } catch { throw .schema(error) }
    }
}

/// What an import of a schema changes, and the stored data that is lost by it.
package struct SchemaImport: Sendable, Equatable {
    package let difference: SchemaDifference
    /// What its grants do.
    package let effects: [SectionEffect]
    package let losses: SchemaLosses
    /// The version of the catalog that it changes.
    fileprivate let version: Int64
}

/// What a deploy changes in production.
package struct SchemaDeploy: Sendable, CustomStringConvertible {
    package let schema: SchemaDifference
    /// What its grants do.
    package let effects: [SectionEffect]
    package let settings: SettingsDifference
    fileprivate let adoption: AdoptSchema
    fileprivate let newSchema: Schema
    fileprivate let documents: [String: Bytes?]
    /// The catalog that it changes.
    fileprivate let production: Catalog

    package var isEmpty: Bool { schema.isEmpty && settings.isEmpty }

    /// Whether it does something that another deploy does not undo.
    package var isIrreversible: Bool { settings.isIrreversible || effects.contains { $0.kind.isIrreversible } }

    package var description: String {
        let parts =
            (schema.isEmpty ? [] : [schema.description] + effects.lines)
            + (settings.isEmpty ? [] : [settings.description])
        return parts.isEmpty ? schema.description : parts.joined(separator: "\n")
    }
}

extension Tenant {
    /// The same container's production.
    var inProduction: Tenant { Tenant(container: container, environment: .production) }
}
