public import CloudKitSchema
public import NephosStorage

/// Changes the schema of an environment: all of it in one transaction, or nothing.
public struct ChangeSchema: Sendable {
    private let change: @Sendable (Schema) throws -> Schema

    /// - Parameter change: Makes the new schema of the one that is there. It may be called again. What it throws is the
    ///   failure of the whole.
    public init(_ change: @escaping @Sendable (Schema) throws -> Schema) { self.change = change }

    /// Imports a file into development: what it says replaces what is there.
    ///
    /// - Parameter production: Of the same container. What is active there must not get lost.
    public static func importing(_ document: SchemaDocument, production: Schema) -> ChangeSchema {
        ChangeSchema { development in
            let refusals = document.importRefusals(development: development, production: production)
            if let first = refusals.first { throw first }
            return document.schema.imported(over: development)
        }
    }

    public var reading: ReadSet { ReadSet() }

    /// What becomes of a schema.
    public func schema(over there: Schema) throws -> Schema { try change(there) }

    /// Answers what becomes different.
    public func decide(_ reading: Reading) throws -> Decision<SchemaDifference> {
        let old = reading.catalog.schema
        let new = try change(old)
        var set = WriteSet()
        set.catalog = try SchemaWrites(from: reading.catalog, to: new).writes
        return .write(set, SchemaDifference(from: old, to: new))
    }
}
