public import CloudKitSchema
public import NephosStorage

/// Adopts the schema of a container's other environment, with the sections that are deployed with it, in one transaction.
public struct AdoptSchema: Sendable {
    private let other: Catalog
    private let sections: ChangeSections
    private let isDeploy: Bool

    /// Deploys development to production: nothing is removed from production's schema. Sections become those of development.
    public init(deploying development: Catalog, by author: String, now: Milliseconds) {
        self.init(development, author, now, isDeploy: true)
    }

    /// Resets development to production's schema.
    public init(resettingTo production: Catalog, by author: String, now: Milliseconds) {
        self.init(production, author, now, isDeploy: false)
    }

    private init(_ other: Catalog, _ author: String, _ now: Milliseconds, isDeploy: Bool) {
        self.other = other
        sections = ChangeSections(adopting: other, by: author, now: now)
        self.isDeploy = isDeploy
    }

    public var reading: ReadSet { ReadSet() }

    public func decide(_ reading: Reading) throws -> Decision<Void> {
        var set = try schemaWrites(reading)
        sections.write(over: reading.catalog, to: &set)
        return .write(set, ())
    }

    /// Adopts the schema alone, for a caller that adopts the sections later.
    public func decideSchema(_ reading: Reading) throws -> Decision<Void> { .write(try schemaWrites(reading), ()) }

    /// Adopts the sections alone.
    public func decideSections(_ reading: Reading) -> Decision<Void> {
        var set = WriteSet()
        sections.write(over: reading.catalog, to: &set)
        return .write(set, ())
    }

    private func schemaWrites(_ reading: Reading) throws -> WriteSet {
        var set = WriteSet()
        let schema = try schema(over: reading.catalog.schema)
        set.catalog = try SchemaWrites(from: reading.catalog, to: schema).writes
        return set
    }

    /// The new documents of deployed sections, by name; nil for those that are removed.
    public func documents(over catalog: Catalog) -> [String: Bytes?] {
        var documents = Dictionary(
            uniqueKeysWithValues: catalog.deployedSections.map { ($0.name, Bytes?.none) })
        for row in other.deployedSections { documents[row.name] = .some(row.document) }
        return documents
    }

    /// The new schema.
    public func schema(over there: Schema) throws(SchemaError) -> Schema {
        guard isDeploy else { return other.schema }
        if let first = other.schema.deployRefusals(production: there).first { throw first }
        return other.schema.deployed(to: there)
    }
}
