import CloudKitWire

/// A document by which a feature is set up in a tenant (table `sections`): text of the feature's own, which it alone can read.
/// Part of the catalog, so every snapshot has that of its own version (docs/decisions/0032).
public struct SectionRow: Sendable, Equatable {
    /// Bytes of one document at most.
    public static let bytesMax = 256 << 10

    /// A word that the feature chose.
    public var name: String
    /// The text of the document.
    public var document: Bytes
    /// Whether a deploy of the schema takes it to production.
    public var isDeployed: Bool
    /// 1 for the first, raised with each change; one that was removed and comes again begins anew.
    public var version: Int64
    /// When it was changed last, in milliseconds since 1970.
    public var changedAt: Milliseconds

    /// Creates a row from its columns.
    public init(name: String, document: Bytes, isDeployed: Bool, version: Int64 = 1, changedAt: Milliseconds) {
        self.name = name
        self.document = document
        self.isDeployed = isDeployed
        self.version = version
        self.changedAt = changedAt
    }
}

extension SectionRow: CatalogStored {
    public static let table = Table(of: Self.self, "sections", .tenant, key: ["name"], isCounted: true)
    public static let sample = SectionRow(name: "", document: [], isDeployed: false, changedAt: 0)

    public mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.text("name", &name)
        try columns.utf8("document", &document)
        try columns.flag("deployed", &isDeployed)
        try columns.int("version", &version)
        try columns.int("changed_at", &changedAt)
    }

    package var inCatalog: CatalogRow { .section(self) }
}
