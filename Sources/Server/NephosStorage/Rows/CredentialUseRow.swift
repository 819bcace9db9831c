/// A credential that authenticates requests.
public struct CredentialKey: Sendable, Hashable {
    /// The kinds of credentials.
    public enum Kind: Int64, Sendable, CaseIterable {
        /// An API token.
        case token = 1
        /// A server-to-server key.
        case key = 2
        /// The session of a person.
        case session = 3
        /// A token that only one feature knows.
        case bearer = 4
    }

    /// What kind of credential it is.
    public var kind: Kind
    /// For a token its hash, for a key the bytes of its id, for a session its id, for a feature's token the feature's name, `/`, and its id.
    public var id: [UInt8]

    /// Names a credential.
    public init(_ kind: Kind, _ id: [UInt8]) {
        self.kind = kind
        self.id = id
    }
}

/// The last day on which a credential was used (table `credential_uses`). Neither digest nor version of the catalog covers
/// it: no request is decided by it.
public struct CredentialUseRow: Sendable, Hashable {
    /// The credential that was used.
    public var key: CredentialKey
    /// Days since 1970-01-01 UTC.
    public var day: Int64

    /// Creates a row from its columns.
    public init(key: CredentialKey, day: Int64) {
        self.key = key
        self.day = day
    }
}

extension CredentialUseRow: StoredRow {
    /// A damaged row must not prevent recording the use of other credentials, or removing old sessions.
    public static let table = Table(
        of: Self.self, "credential_uses", .tenant, key: ["kind", "id"], isGuarded: false,
        checksum: .frozen(["kind", "id", "day"]))
    public static let sample = CredentialUseRow(key: CredentialKey(.token, []), day: 0)

    public mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.kind("kind", &key.kind)
        try columns.bytes("id", &key.id)
        try columns.int("day", &day)
    }

    /// A commit locks these rows for update.
    public static func keyed(_ keys: [CredentialKey]) -> Scan<Self> {
        Scan(among: keys.map { [.kind($0.kind), .bytes($0.id)] }, lock: .update)
    }
}

/// Records days on which credentials were used. A day earlier than the stored one changes nothing.
public struct NoteUses: Sendable {
    /// The last day of each credential.
    private let uses: [CredentialKey: CredentialUseRow]
    private let stored: Scan<CredentialUseRow>
    /// What the decision must see.
    public let reading: ReadSet

    /// Takes the days to note, of each credential the last.
    public init(_ uses: some Swift.Sequence<CredentialUseRow>) {
        self.uses = Dictionary(uses.map { ($0.key, $0) }) { $0.day > $1.day ? $0 : $1 }
        stored = CredentialUseRow.keyed(Array(self.uses.keys))
        var set = ReadSet()
        // The lock of this head prevents two writers from adding the same row.
        set.databases = [1]
        set.ask(stored)
        reading = set
    }

    /// Writes the days that are later than those stored.
    public func decide(_ reading: Reading) -> Decision<Void> {
        let stored = Dictionary(reading[stored].map { ($0.key, $0) }) { first, _ in first }
        var writes = WriteSet()
        for use in uses.values where stored[use.key]?.day ?? .min < use.day {
            writes.put(use, replacing: stored[use.key])
        }
        return .write(writes, ())
    }
}
