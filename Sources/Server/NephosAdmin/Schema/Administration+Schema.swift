package import CloudKitSchema
package import NephosDomain
package import NephosRunner
package import NephosStorage

extension Administration {
    /// The schema of an environment as a file: one schema has one form.
    package func exportSchema(of tenant: Tenant) throws(AdminError) -> [UInt8] {
        SchemaPrinter.print(try schema(of: tenant))
    }

    /// The schema of an environment.
    package func schema(of tenant: Tenant) throws(AdminError) -> Schema {
        try catalog(of: tenant).schema
    }

    func catalog(of tenant: Tenant) throws(AdminError) -> Catalog { try read(try store(tenant)).catalog }

    /// Says what an import of this file would change, and changes nothing.
    ///
    /// - Throws: ``AdminError/schema(_:)`` with what is wrong, the first thing only; ``AdminError/refused(_:)`` where settings need what
    ///   would go; ``AdminError/notInProduction``.
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

    /// Replaces the schema of development by that of a file: all of it, or nothing.
    ///
    /// - Returns: What became different.
    /// - Throws: ``AdminError/schema(_:)`` with what is wrong, the first thing only; ``AdminError/refused(_:)`` where settings need what
    ///   would go; ``AdminError/notInProduction``.
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
    /// - Throws: ``AdminError/schema(_:)`` when it would be refused.
    package func previewDeploy(of container: String) throws(AdminError) -> AdoptSchema.Difference {
        let production = try catalog(of: Tenant(container: container, environment: .production))
        let deploy = try deploy(of: container)
        do { return try deploy.difference(from: production) } catch { throw .schema(error) }
    }

    /// Deploys the schema of development to production: types, fields, indexes, roles and grants, and the settings of features
    /// that say how records are used; never records. What production has of the schema stays. There is no way back.
    ///
    /// - Parameter progress: Shows how far a look at what is stored is, where settings make one necessary.
    /// - Returns: What became different in production.
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
        // The container first: it is the more likely mistake.
        _ = try store(tenant)
        guard tenant.environment == .development else { throw .notInProduction }
        do { return try SchemaDocument(file[...]) } catch { throw .schema(error) }
    }
}

extension Tenant {
    /// The same container's production.
    var inProduction: Tenant { Tenant(container: container, environment: .production) }
}
