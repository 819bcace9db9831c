public import CloudKitSchema
public import NephosStorage

/// Changes the schema of an environment, in one transaction.
public struct ChangeSchema: Sendable {
    private let change: @Sendable (Schema) throws -> Schema

    /// - Parameter change: Returns the new schema for the current one. It may be called again. Its error is the error of the
    ///   whole operation.
    public init(_ change: @escaping @Sendable (Schema) throws -> Schema) { self.change = change }

    /// Imports a file into development: it replaces the current schema.
    ///
    /// - Parameter production: Of the same container. What is active there must not be lost.
    public static func importing(_ document: SchemaDocument, production: Schema) -> ChangeSchema {
        ChangeSchema { development in
            let refusals = document.importRefusals(development: development, production: production)
            if let first = refusals.first { throw first }
            return document.schema.imported(over: development)
        }
    }

    public var reading: ReadSet { ReadSet() }

    /// The new schema.
    public func schema(over there: Schema) throws -> Schema { try change(there) }

    /// Returns what changes.
    public func decide(_ reading: Reading) throws -> Decision<SchemaDifference> {
        let old = reading.catalog.schema
        let new = try change(old)
        var set = WriteSet()
        set.catalog = try SchemaWrites(from: reading.catalog, to: new).writes
        return .write(set, SchemaDifference(from: old, to: new))
    }
}
