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

    /// What changes.
    public struct Difference: Sendable, Equatable, CustomStringConvertible {
        public var schema: SchemaDifference
        /// Names of sections that are added, changed, or removed.
        public var sections: [String]

        public var isEmpty: Bool { schema.isEmpty && sections.isEmpty }

        public var description: String {
            guard !sections.isEmpty else { return schema.description }
            let lines = ["Settings:"] + sections.map { "  \($0)" }
            return (schema.isEmpty ? lines : [schema.description] + lines).joined(separator: "\n")
        }
    }

    /// What changes in an environment with this catalog.
    public func difference(from catalog: Catalog) throws(SchemaError) -> Difference {
        Difference(
            schema: SchemaDifference(from: catalog.schema, to: try schema(over: catalog.schema)),
            sections: sections.changed(catalog))
    }

    public var reading: ReadSet { ReadSet() }

    public func decide(_ reading: Reading) throws -> Decision<Difference> {
        let difference = try difference(from: reading.catalog)
        var set = WriteSet()
        let schema = try schema(over: reading.catalog.schema)
        set.catalog = try SchemaWrites(from: reading.catalog, to: schema).writes
        sections.write(over: reading.catalog, to: &set)
        return .write(set, difference)
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
