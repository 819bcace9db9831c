import CloudKitWire

/// A change of a section of the catalog: its new document, its time, and its author (table `section_changes`). All
/// changes are kept.
public struct SectionChangeRow: Sendable, Equatable {
    /// The version of the catalog after the change.
    public var version: Int64
    /// The name of the section.
    public var name: String
    /// The document after the change; nil if the section was removed.
    public var document: Bytes?
    /// When it was changed, in milliseconds since 1970.
    public var changedAt: Milliseconds
    /// Who changed it, as text for people.
    public var author: String

    /// Creates a row from its columns.
    public init(version: Int64, name: String, document: Bytes?, changedAt: Milliseconds, author: String) {
        self.version = version
        self.name = name
        self.document = document
        self.changedAt = changedAt
        self.author = author
    }
}

extension SectionChangeRow: StoredRow {
    public static let table = Table(
        of: Self.self, "section_changes", .tenant, key: ["version", "name"], isCounted: true)
    public static let sample = SectionChangeRow(version: 0, name: "", document: [], changedAt: 0, author: "")

    public mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.int("version", &version)
        try columns.text("name", &name)
        // A document is never empty.
        var bytes = document ?? []
        try columns.utf8("document", &bytes)
        document = bytes.isEmpty ? nil : bytes
        try columns.int("changed_at", &changedAt)
        try columns.text("author", &author)
    }

    // MARK: Scans

    /// Changes up to a version, the newest first.
    public static func newest(upTo version: Int64 = .max, limit: Int) -> Scan<Self> {
        Scan(below: [.int(version == .max ? .max : version + 1)], descending: true, limit: limit)
    }

    /// The changes of all sections in one version.
    public static func of(version: Int64) -> Scan<Self> { Scan(.int(version), limit: .max) }
}
