/// A container (table `containers`).
public struct ContainerRow: Sendable, Equatable {
    /// The ID of the container, such as `iCloud.org.example.app`.
    public var id: String
    /// When it was created, in milliseconds since 1970.
    public var createdAt: Milliseconds

    /// Creates a row from its columns.
    public init(id: String, createdAt: Milliseconds) {
        self.id = id
        self.createdAt = createdAt
    }
}

extension ContainerRow: StoredRow {
    public static let table = Table(
        of: Self.self, "containers", .installation, key: ["id"], isCounted: true, isGuarded: false,
        checksum: .frozen(["id", "created_at"]))
    public static let sample = ContainerRow(id: "", createdAt: 0)

    public mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.text("id", &id)
        try columns.int("created_at", &createdAt)
    }

    // MARK: Scans

    /// The container with this ID, if there is one.
    public static func keyed(_ id: String) -> Scan<Self> { Scan(.text(id), limit: 1) }

    /// All containers, by ID.
    public static let all = Scan<Self>(limit: .max)
}
