public import CloudKitWire

/// A record type of the schema (table `types`).
public struct RecordTypeRow: Sendable, Equatable {
    public var number: TypeNumber
    public var name: Name
    /// Raised when a field is removed, so that records saved before are read through the schema.
    public var epoch: Int64

    public init(number: TypeNumber, name: Name, epoch: Int64 = 0) {
        self.number = number
        self.name = name
        self.epoch = epoch
    }

    public var checksum: Int64 {
        var sum = Checksum()
        sum.add(1)
        sum.add(Int64(number))
        sum.add(epoch)
        sum.add(name.bytes)
        return sum.value
    }
}

/// A field of a record type (table `fields`).
public struct FieldRow: Sendable, Equatable {
    /// Permissions to query.
    public struct Options: OptionSet, Sendable, Equatable {
        public let rawValue: Int64
        public init(rawValue: Int64) { self.rawValue = rawValue }
        public static let queryable = Options(rawValue: 1)
        public static let sortable = Options(rawValue: 2)
        public static let searchable = Options(rawValue: 4)
        /// The schema calls it NUMBER: with ``preferred`` an INT64 or DOUBLE by choice, without one a DOUBLE so far.
        public static let number = Options(rawValue: 8)
        public static let preferred = Options(rawValue: 16)
    }

    /// No record type has this number. Its rows stand for the system fields of every type that a save makes, so that what they
    /// permit is permitted there from the start.
    public static let ofNewTypes: TypeNumber = 0

    public var type: TypeNumber
    public var name: Name
    public var kind: FieldType
    public var isEncrypted: Bool
    public var options: Options
    /// The type's epoch when the field was added. What records of an older epoch hold under this name belongs to a
    /// field that was removed.
    public var epoch: Int64

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

    public var checksum: Int64 {
        var sum = Checksum()
        sum.add(2)
        for number in [Int64(type), kind.rawValue, isEncrypted ? 1 : 0, options.rawValue] { sum.add(number) }
        sum.add(name.bytes)
        // Fields that were stored before this column came keep their checksum.
        if epoch != 0 { sum.add(epoch) }
        return sum.value
    }
}

/// A security role (table `roles`). The three built-in ones have the numbers 1 to 3.
public struct RoleRow: Sendable, Equatable {
    public var number: Int64
    public var name: Name

    public init(number: Int64, name: Name) {
        self.number = number
        self.name = name
    }

    /// Anybody, signed in or not.
    public static let world = RoleRow(number: 1, name: "_world")
    /// Anybody who is signed in.
    public static let icloud = RoleRow(number: 2, name: "_icloud")
    /// Whoever created the record.
    public static let creator = RoleRow(number: 3, name: "_creator")

    public var checksum: Int64 {
        var sum = Checksum()
        sum.add(3)
        sum.add(number)
        sum.add(name.bytes)
        return sum.value
    }
}

/// What a role may do with the records of a type in the public database (table `grants`).
public struct GrantRow: Sendable, Equatable {
    public struct Rights: OptionSet, Sendable, Equatable {
        public let rawValue: Int64
        public init(rawValue: Int64) { self.rawValue = rawValue }
        public static let read = Rights(rawValue: 1)
        public static let create = Rights(rawValue: 2)
        /// Change and delete.
        public static let write = Rights(rawValue: 4)
    }

    public var type: TypeNumber
    public var role: Int64
    public var rights: Rights

    public init(type: TypeNumber, role: Int64, rights: Rights) {
        self.type = type
        self.role = role
        self.rights = rights
    }

    public var checksum: Int64 {
        var sum = Checksum()
        for number in [4, Int64(type), role, rights.rawValue] { sum.add(number) }
        return sum.value
    }
}

/// An API token (table `api_tokens`). The token itself is shown once and never stored.
public struct APITokenRow: Sendable, Equatable {
    /// SHA-256 of the token's text: 32 bytes.
    public var hash: [UInt8]
    public var name: String
    public var createdAt: Milliseconds
    /// 0 while the token is good.
    public var revokedAt: Milliseconds

    public init(hash: [UInt8], name: String, createdAt: Milliseconds, revokedAt: Milliseconds = 0) {
        self.hash = hash
        self.name = name
        self.createdAt = createdAt
        self.revokedAt = revokedAt
    }

    public var checksum: Int64 {
        var sum = Checksum()
        sum.add(5)
        sum.add(hash)
        sum.add(name.utf8)
        sum.add(createdAt)
        sum.add(revokedAt)
        return sum.value
    }
}

/// A server-to-server key (table `server_keys`): the public half of a P-256 pair, and the user it acts as.
public struct ServerKeyRow: Sendable, Equatable {
    /// 64 hexadecimal digits.
    public var id: String
    /// X9.63 uncompressed point: 65 bytes.
    public var publicKey: [UInt8]
    public var user: UserID
    public var createdAt: Milliseconds
    /// 0 while the key is good.
    public var revokedAt: Milliseconds
    /// For people; may be empty.
    public var name: String

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

    public var checksum: Int64 {
        var sum = Checksum()
        sum.add(6)
        sum.add(id.utf8)
        sum.add(publicKey)
        sum.add(user)
        sum.add(createdAt)
        sum.add(revokedAt)
        // Keys that were stored before this column came keep their checksum.
        if !name.isEmpty { sum.add(name.utf8) }
        return sum.value
    }
}

/// A row that the catalog's digest covers.
public enum CatalogRow: Sendable, Equatable {
    case type(RecordTypeRow)
    case field(FieldRow)
    case role(RoleRow)
    case grant(GrantRow)
    case token(APITokenRow)
    case key(ServerKeyRow)
    case session(SessionRow)
    case pushKey(PushKeyRow)

    public var checksum: Int64 {
        switch self {
        case .type(let row): row.checksum
        case .field(let row): row.checksum
        case .role(let row): row.checksum
        case .grant(let row): row.checksum
        case .token(let row): row.checksum
        case .key(let row): row.checksum
        case .session(let row): row.checksum
        case .pushKey(let row): row.checksum
        }
    }
}
