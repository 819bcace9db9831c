import CloudKitWire

/// A document that configures a feature in a tenant (table `sections`): text that only the feature can read. Part of the
/// catalog, so every snapshot has the document of its own version (docs/decisions/0032).
public struct SectionRow: Sendable, Equatable {
    /// The maximum size of a document in bytes.
    public static let bytesMax = 256 << 10

    /// The name that the feature chose, one word.
    public var name: String
    /// The text of the document.
    public var document: Bytes
    /// Whether a schema deploy copies it to production.
    public var isDeployed: Bool
    /// 1 for the first document, incremented with each change; a section that was removed and is added again starts at
    /// 1.
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
