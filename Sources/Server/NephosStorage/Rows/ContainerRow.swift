/// A container (table `containers`).
public struct ContainerRow: Sendable, Equatable {
    public var id: String
    public var createdAt: Milliseconds

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

    public static func keyed(_ id: String) -> Scan<Self> { Scan(.text(id), limit: 1) }

    public static let all = Scan<Self>(limit: .max)
}
