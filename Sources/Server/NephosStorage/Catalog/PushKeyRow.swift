/// The credentials for Apple's push service of one container (table `push_keys`): one row for each of its two environments.
public struct PushKeyRow: Sendable, Hashable {
    /// Whether it is for devices that registered with `apnsEnvironment` `development`; otherwise it is for
    /// `production`.
    public var isDevelopment: Bool
    /// The ID of the developer team: 10 letters and digits.
    public var team: String
    /// The ID of the key: 10 letters and digits.
    public var keyID: String
    /// The app's bundle id.
    public var topic: String
    /// The private key that tokens are signed with, in PEM.
    public var pem: Secret
    /// When it was stored, in milliseconds since 1970.
    public var createdAt: Milliseconds

    /// Creates a row from its columns.
    public init(
        isDevelopment: Bool, team: String, keyID: String, topic: String, pem: String, createdAt: Milliseconds
    ) {
        self.isDevelopment = isDevelopment
        self.team = team
        self.keyID = keyID
        self.topic = topic
        self.pem = Secret(Array(pem.utf8))
        self.createdAt = createdAt
    }
}

extension PushKeyRow: CatalogStored {
    public static let table = Table(
        of: Self.self, "push_keys", .tenant, key: ["development"], isCounted: true,
        checksum: .frozen(["development", "created_at", "team", "key_id", "topic", "pem"], tag: 8))
    public static let sample = PushKeyRow(isDevelopment: false, team: "", keyID: "", topic: "", pem: "", createdAt: 0)

    public mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.flag("development", &isDevelopment)
        try columns.text("team", &team)
        try columns.text("key_id", &keyID)
        try columns.text("topic", &topic)
        try columns.sealedText("pem", &pem)
        try columns.int("created_at", &createdAt)
    }

    package var inCatalog: CatalogRow { .pushKey(self) }
}
