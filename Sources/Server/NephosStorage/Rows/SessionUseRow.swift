public import CloudKitWire

/// Where a request came from, as far as is kept of it.
public struct RequestSource: Sendable, Hashable {
    /// SHA-256 of the API token of the app; empty for none.
    public var token: [UInt8]
    /// The program and the system, in a few words; empty if unknown.
    public var device: String
    /// The block of addresses, `192.0.2.0/24`, which reveals less than the address; empty if unknown, or for this machine.
    public var network: String

    /// Creates a source from its parts.
    public init(token: [UInt8] = [], device: String = "", network: String = "") {
        self.token = token
        self.device = device
        self.network = network
    }

    /// Whether nothing is known.
    var isEmpty: Bool { token.isEmpty && device.isEmpty && network.isEmpty }
}

/// Where a session was when it began, or when a use last extended it (table `session_uses`): for its person and for operators,
/// since nothing is decided by it. It is removed with the session.
public struct SessionUseRow: Sendable, Equatable {
    /// The id of the session.
    public var session: [UInt8]
    /// The person who is signed in.
    public var user: UserID
    /// Where the request came from.
    public var source: RequestSource

    /// Creates a row from its columns.
    public init(session: [UInt8], user: UserID, source: RequestSource) {
        self.session = session
        self.user = user
        self.source = source
    }
}

extension SessionUseRow: StoredRow {
    /// A damaged row must not keep a session from being extended, or removed.
    public static let table = Table(
        of: Self.self, "session_uses", .tenant, key: ["session"],
        indexes: [Table.Index("session_uses_by_user", ["user_id", "session"])], isGuarded: false, person: "user_id",
        parent: Table.Parent("sessions", ["id": "session"]))
    public static let sample = SessionUseRow(
        session: [], user: UserID(high: 0, low: 1), source: RequestSource())

    public mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.bytes("session", &session)
        try columns.user("user_id", &user)
        try columns.bytes("token", &source.token)
        try columns.text("device", &source.device)
        try columns.text("network", &source.network)
    }

    // MARK: Scans

    /// The rows of these sessions. A commit locks them for update.
    public static func of(_ sessions: [[UInt8]]) -> Scan<Self> {
        Scan(among: sessions.map { [.bytes($0)] }, lock: .update)
    }
}

extension WriteSet {
    /// Notes where a session was, if that is known.
    ///
    /// - Parameter row: As it was read; nil for a session that begins.
    public mutating func note(_ source: RequestSource, of session: SessionRow, replacing row: SessionUseRow?) {
        let use = SessionUseRow(session: session.id, user: session.user, source: source)
        guard !source.isEmpty, use != row else { return }
        put(use, replacing: row)
    }
}
