public import CloudKitWire

/// A record type of the schema (table `types`).
public struct RecordTypeRow: Sendable, Equatable {
    /// Its number, which no other type of the tenant ever had.
    public var number: TypeNumber
    /// Its name in the schema and in requests.
    public var name: Name
    /// Incremented when a field is removed, so that earlier records are read through the schema.
    public var epoch: Int64

    /// Creates a row from its columns.
    public init(number: TypeNumber, name: Name, epoch: Int64 = 0) {
        self.number = number
        self.name = name
        self.epoch = epoch
    }
}

extension RecordTypeRow: CatalogStored {
    public static let table = Table(
        of: Self.self, "types", .tenant, key: ["type"], isCounted: true,
        checksum: .frozen(["type", "epoch", "name"], tag: 1))
    public static let sample = RecordTypeRow(number: 1, name: "")

    public mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.type("type", &number)
        try columns.name("name", &name)
        try columns.int("epoch", &epoch)
    }

    package var inCatalog: CatalogRow { .type(self) }
}

/// A field of a record type (table `fields`).
public struct FieldRow: Sendable, Equatable {
    /// What queries may do with a field, and how the schema declares its type.
    public struct Options: OptionSet, Sendable, Equatable {
        public let rawValue: Int64
        public init(rawValue: Int64) { self.rawValue = rawValue }
        /// Queries may filter by it.
        public static let queryable = Options(rawValue: 1)
        /// Queries may sort by it.
        public static let sortable = Options(rawValue: 2)
        /// Searches for words include it.
        public static let searchable = Options(rawValue: 4)
        /// The schema declares NUMBER: with ``preferred``, the type is decided (INT64 or DOUBLE); otherwise it is not,
        /// and the field behaves as a DOUBLE.
        public static let number = Options(rawValue: 8)
        /// With ``number``: the type is decided, and is the field's `kind`.
        public static let preferred = Options(rawValue: 16)
    }

    /// No record type has this number. Its rows stand for the system fields of every type that a save creates, so that their
    /// options apply there from the start.
    public static let ofNewTypes: TypeNumber = 0

    /// The number of its record type.
    public var type: TypeNumber
    /// Its name in requests.
    public var name: Name
    /// The type of its values.
    public var kind: FieldType
    /// Whether clients encrypt its values.
    public var isEncrypted: Bool
    /// What queries may do with it.
    public var options: Options
    /// The type's epoch when the field was added. A value under this name in a record of an older epoch belongs to a field that was removed.
    public var epoch: Int64

    /// Creates a row from its columns.
    public init(
        type: TypeNumber, name: Name, kind: FieldType, isEncrypted: Bool = false, options: Options = [],
        epoch: Int64 = 0
    ) {
        self.type = type
        self.name = name
        self.kind = kind
        self.isEncrypted = isEncrypted
        self.options = options
        self.epoch = epoch
    }
}

extension FieldRow: CatalogStored {
    public static let table = Table(
        of: Self.self, "fields", .tenant, key: ["type", "name"], isCounted: true,
        checksum: .frozen(["type", "kind", "encrypted", "options", "name"], later: [["epoch"]], tag: 2))
    public static let sample = FieldRow(type: 1, name: "", kind: .string)

    public mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.type("type", &type)
        try columns.name("name", &name)
        try columns.kind("kind", &kind)
        // A damaged row is found by its checksum, and must not make the container unusable.
        var encrypted: Int64 = isEncrypted ? 1 : 0
        try columns.int("encrypted", &encrypted)
        isEncrypted = encrypted != 0
        try columns.kind("options", &options)
        try columns.int("epoch", &epoch)
    }

    package var inCatalog: CatalogRow { .field(self) }
}

/// A security role (table `roles`). The three built-in ones have the numbers 1 to 3.
public struct RoleRow: Sendable, Equatable {
    /// Its number in the tenant.
    public var number: Int64
    /// Its name, which begins with `_` for a built-in one.
    public var name: Name

    /// Creates a row from its columns.
    public init(number: Int64, name: Name) {
        self.number = number
        self.name = name
    }

    /// Everybody, signed in or not.
    public static let world = RoleRow(number: 1, name: "_world")
    /// Everybody who is signed in.
    public static let icloud = RoleRow(number: 2, name: "_icloud")
    /// The creator of the record.
    public static let creator = RoleRow(number: 3, name: "_creator")
}

extension RoleRow: CatalogStored {
    public static let table = Table(
        of: Self.self, "roles", .tenant, key: ["role"], isCounted: true, checksum: .frozen(["role", "name"], tag: 3))
    public static let sample = world

    public mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.int("role", &number)
        try columns.name("name", &name)
    }

    package var inCatalog: CatalogRow { .role(self) }
}

/// What a role may do with the records of a type in the public database (table `grants`).
public struct GrantRow: Sendable, Equatable {
    /// What a role may do.
    public struct Rights: OptionSet, Sendable, Equatable {
        public let rawValue: Int64
        public init(rawValue: Int64) { self.rawValue = rawValue }
        /// Fetch and query records.
        public static let read = Rights(rawValue: 1)
        /// Create records.
        public static let create = Rights(rawValue: 2)
        /// Change and delete records.
        public static let write = Rights(rawValue: 4)
    }

    /// The number of the record type.
    public var type: TypeNumber
    /// The number of the role.
    public var role: Int64
    /// What the role may do with records of the type.
    public var rights: Rights

    /// Creates a row from its columns.
    public init(type: TypeNumber, role: Int64, rights: Rights) {
        self.type = type
        self.role = role
        self.rights = rights
    }
}

extension GrantRow: CatalogStored {
    public static let table = Table(
        of: Self.self, "grants", .tenant, key: ["type", "role"], isCounted: true,
        checksum: .frozen(["type", "role", "rights"], tag: 4))
    public static let sample = GrantRow(type: 1, role: 1, rights: [])

    public mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.type("type", &type)
        try columns.int("role", &role)
        try columns.kind("rights", &rights)
    }

    package var inCatalog: CatalogRow { .grant(self) }
}

/// An API token (table `api_tokens`). The token itself is shown once and never stored.
public struct APITokenRow: Sendable, Equatable {
    /// SHA-256 of the token's text: 32 bytes.
    public var hash: [UInt8]
    /// The name for people.
    public var name: String
    /// When it was created, in milliseconds since 1970.
    public var createdAt: Milliseconds
    /// 0 while the token is valid.
    public var revokedAt: Milliseconds

    /// Creates a row from its columns.
    public init(hash: [UInt8], name: String, createdAt: Milliseconds, revokedAt: Milliseconds = 0) {
        self.hash = hash
        self.name = name
        self.createdAt = createdAt
        self.revokedAt = revokedAt
    }
}

extension APITokenRow: CatalogStored {
    public static let table = Table(
        of: Self.self, "api_tokens", .tenant, key: ["hash"], isCounted: true,
        checksum: .frozen(["hash", "name", "created_at", "revoked_at"], tag: 5))
    public static let sample = APITokenRow(hash: [], name: "", createdAt: 0)

    public mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.bytes("hash", &hash)
        try columns.text("name", &name)
        try columns.int("created_at", &createdAt)
        try columns.int("revoked_at", &revokedAt)
    }

    package var inCatalog: CatalogRow { .token(self) }
}

/// A server-to-server key (table `server_keys`): the public half of a P-256 pair, and the user it acts as.
public struct ServerKeyRow: Sendable, Equatable {
    /// 64 hexadecimal digits.
    public var id: String
    /// X9.63 uncompressed point: 65 bytes.
    public var publicKey: [UInt8]
    /// The user that requests with the key act as.
    public var user: UserID
    /// When it was registered, in milliseconds since 1970.
    public var createdAt: Milliseconds
    /// 0 while the key is valid.
    public var revokedAt: Milliseconds
    /// A name for people; may be empty.
    public var name: String

    /// Creates a row from its columns.
    public init(
        id: String, publicKey: [UInt8], user: UserID, createdAt: Milliseconds, revokedAt: Milliseconds = 0,
        name: String = ""
    ) {
        self.id = id
        self.publicKey = publicKey
        self.user = user
        self.createdAt = createdAt
        self.revokedAt = revokedAt
        self.name = name
    }
}

extension ServerKeyRow: CatalogStored {
    public static let table = Table(
        of: Self.self, "server_keys", .tenant, key: ["id"], isCounted: true,
        checksum: .frozen(["id", "public_key", "user_id", "created_at", "revoked_at"], later: [["name"]], tag: 6))
    public static let sample = ServerKeyRow(id: "", publicKey: [], user: UserID(high: 0, low: 1), createdAt: 0)

    public mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.text("id", &id)
        try columns.bytes("public_key", &publicKey)
        try columns.user("user_id", &user)
        try columns.int("created_at", &createdAt)
        try columns.int("revoked_at", &revokedAt)
        try columns.text("name", &name)
    }

    package var inCatalog: CatalogRow { .key(self) }
}

/// A row that the catalog's digest covers.
public enum CatalogRow: Sendable, Equatable {
    /// A record type.
    case type(RecordTypeRow)
    /// A field of a record type.
    case field(FieldRow)
    /// A security role.
    case role(RoleRow)
    /// What a role may do with a type.
    case grant(GrantRow)
    /// An API token.
    case token(APITokenRow)
    /// A server-to-server key.
    case key(ServerKeyRow)
    /// A key for Apple's push service.
    case pushKey(PushKeyRow)
    /// A section of the settings of a container.
    case section(SectionRow)

    /// The row types of the cases.
    package static let tables: [any CatalogStored.Type] = released + [SectionRow.self]

    /// Tables created by migration steps that were released before tables were described.
    package static let released: [any CatalogStored.Type] = [
        RecordTypeRow.self, FieldRow.self, RoleRow.self, GrantRow.self, APITokenRow.self, ServerKeyRow.self,
        PushKeyRow.self,
    ]

    package var row: any StoredRow {
        switch self {
        case .type(let row): row
        case .field(let row): row
        case .role(let row): row
        case .grant(let row): row
        case .token(let row): row
        case .key(let row): row
        case .pushKey(let row): row
        case .section(let row): row
        }
    }

    /// The checksum of the row.
    public var checksum: Int64 { row.checksum }
}

/// A row type of the catalog.
package protocol CatalogStored: StoredRow {
    var inCatalog: CatalogRow { get }
}
