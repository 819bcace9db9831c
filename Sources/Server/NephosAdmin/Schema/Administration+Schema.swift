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

    /// Returns what an import of this file would change, without changing anything.
    ///
    /// - Throws: ``AdminError/schema(_:)`` with the first error; ``AdminError/refused(_:)`` if settings need what would be removed;
    ///   ``AdminError/notInProduction(container:)``.
    package func validateSchema(_ file: [UInt8], for tenant: Tenant) throws(AdminError) -> SchemaDifference {
        let document = try document(file, for: tenant)
        let catalog = try catalog(of: tenant)
        let development = catalog.schema
        let production = try schema(of: tenant.inProduction)
        let refusals = document.importRefusals(development: development, production: production)
        if let first = refusals.first { throw .schema(first) }
        let new = document.schema.imported(over: development)
        try check(new, by: catalog)
        return SchemaDifference(from: development, to: new)
    }

    /// Replaces the schema of development by that of a file, in one transaction.
    ///
    /// - Returns: What changed.
    /// - Throws: ``AdminError/schema(_:)`` with the first error; ``AdminError/refused(_:)`` if settings need what would be removed;
    ///   ``AdminError/notInProduction(container:)``.
    package func importSchema(_ file: [UInt8], into tenant: Tenant) async throws(AdminError) -> SchemaDifference {
        let document = try document(file, for: tenant)
        let production = try schema(of: tenant.inProduction)
        let change = ChangeSchema.importing(document, production: production)
        return try await commit(to: try store(tenant), change.reading) { reading in
            try check(try change.schema(over: reading.catalog.schema), by: reading.catalog)
            return withSchemaWork(try change.decide(reading))
        }
    }

    /// What a deploy would change in production.
    ///
    /// - Throws: ``AdminError/schema(_:)`` if it would be refused.
    package func previewDeploy(of container: String) throws(AdminError) -> AdoptSchema.Difference {
        let production = try catalog(of: Tenant(container: container, environment: .production))
        let deploy = try deploy(of: container)
        do { return try deploy.difference(from: production) } catch { throw .schema(error) }
    }

    /// Deploys the schema of development to production: types, fields, indexes, roles and grants, and the features' settings for
    /// how records are used; never records. Nothing is removed from production's schema. This cannot be undone.
    ///
    /// - Parameter progress: Reports progress of a check of stored data, if settings make one necessary.
    /// - Returns: What changed in production.
    package func deploySchema(
        of container: String, progress: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws(AdminError) -> AdoptSchema.Difference {
        let deploy = try deploy(of: container)
        let store = try store(Tenant(container: container, environment: .production))
        let production = try read(store).catalog
        let schema: Schema
        do throws(SchemaError) { schema = try deploy.schema(over: production.schema) } catch { throw .schema(error) }
        return try await changing(deploy.documents(over: production), of: store, schema: schema, progress: progress) {
            version throws(AdminError) in
            try await commit(to: store, at: version, deploy.reading) { reading in
                withSchemaWork(try deploy.decide(reading))
            }
        }
    }

    private func deploy(of container: String) throws(AdminError) -> AdoptSchema {
        let development = Tenant(container: container, environment: .development)
        return AdoptSchema(deploying: try catalog(of: development), by: inputs.author, now: inputs.now())
    }

    private func document(_ file: [UInt8], for tenant: Tenant) throws(AdminError) -> SchemaDocument {
        // The container first, because it is the more likely mistake.
        _ = try store(tenant)
        guard tenant.environment == .development else { throw .notInProduction(container: tenant.container) }
        do { return try SchemaDocument(file[...]) } catch { throw .schema(error) }
    }
}

extension Tenant {
    /// The same container's production.
    var inProduction: Tenant { Tenant(container: container, environment: .production) }
}
