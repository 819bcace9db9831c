public import CloudKitWire

/// The row that versions a tenant's catalog (table `catalog`, one row).
public struct CatalogHead: Sendable, Equatable {
    /// Raised by every change of schema, roles, grants, tokens, keys and by revoked sessions. What a process
    /// remembers of the catalog holds for one version.
    public var version: Int64
    public var tenant: Tenant
    /// Parts of the public database, fixed when the tenant is made.
    public var lanes: Int64
    /// The last database number given out. Lanes come first: 1...lanes.
    public var lastDatabase: DatabaseNumber
    /// The highest number that a record type ever had, so that a type which is made again never meets the records of
    /// one that was removed. Kept by the engine; 0 in stores that never knew it.
    public var lastType: TypeNumber
    /// Signs change tokens and markers: 32 random bytes.
    public var signingKey: [UInt8]
    public var createdAt: Milliseconds
    /// When the container was deleted; 0 while it lives.
    public var deletedAt: Milliseconds
    /// The sum, modulo 2^64, of the checksums of all rows of schema, roles, grants, tokens, keys and sessions.
    public var digest: Int64

    public init(
        version: Int64 = 1, tenant: Tenant, lanes: Int64 = 1, lastDatabase: DatabaseNumber = 1,
        lastType: TypeNumber = 0, signingKey: [UInt8], createdAt: Milliseconds, deletedAt: Milliseconds = 0,
        digest: Int64 = 0
    ) {
        self.version = version
        self.tenant = tenant
        self.lanes = lanes
        self.lastDatabase = lastDatabase
        self.lastType = lastType
        self.signingKey = signingKey
        self.createdAt = createdAt
        self.deletedAt = deletedAt
        self.digest = digest
    }

    public var checksum: Int64 {
        var sum = Checksum()
        for number in [version, lanes, lastDatabase, createdAt, deletedAt, digest] { sum.add(number) }
        sum.add(tenant.description.utf8)
        sum.add(signingKey)
        if lastType != 0 { sum.add(Int64(lastType)) }
        return sum.value
    }
}

/// A record type with its fields and grants. A class, since every record of an answer asks for its type.
public final class RecordType: Sendable {
    public let row: RecordTypeRow
    public let fields: [Name: FieldRow]
    /// The same, as far as it matters to saves, which look every field up.
    public let knownFields: [Name: KnownField]
    /// Rights by role number.
    public let grants: [Int64: GrantRow.Rights]

    public init(row: RecordTypeRow, fields: [Name: FieldRow], grants: [Int64: GrantRow.Rights]) {
        self.row = row
        self.fields = fields
        knownFields = fields.mapValues { KnownField($0.kind, isEncrypted: $0.isEncrypted) }
        self.grants = grants
    }
}

/// Everything a tenant's requests are judged by, at one version: schema, roles, grants, tokens and keys.
/// Sessions are rows of their own, since there may be millions.
public final class Catalog: Sendable {
    public let head: CatalogHead
    public let types: [Name: RecordType]
    /// What system fields of a type permit that a save makes (``FieldRow/ofNewTypes``).
    public let fieldsOfNewTypes: [FieldRow]
    public let roles: [Name: RoleRow]
    /// By SHA-256 of the token.
    public let tokens: [[UInt8]: APITokenRow]
    public let keys: [String: ServerKeyRow]
    public let pushKeys: [PushKeyRow]
    private let typesByNumber: [TypeNumber: RecordType]

    /// - Parameter rows: All catalog rows but sessions, in any order.
    public init(head: CatalogHead, rows: [CatalogRow]) {
        self.head = head
        var typeRows: [RecordTypeRow] = []
        var fields: [TypeNumber: [Name: FieldRow]] = [:]
        var grants: [TypeNumber: [Int64: GrantRow.Rights]] = [:]
        var roles: [Name: RoleRow] = [:]
        var tokens: [[UInt8]: APITokenRow] = [:]
        var keys: [String: ServerKeyRow] = [:]
        var pushKeys: [PushKeyRow] = []
        for row in rows {
            switch row {
            case .type(let row): typeRows.append(row)
            case .field(let row): fields[row.type, default: [:]][row.name] = row
            case .role(let row): roles[row.name] = row
            case .grant(let row): grants[row.type, default: [:]][row.role] = row.rights
            case .token(let row): tokens[row.hash] = row
            case .key(let row): keys[row.id] = row
            case .pushKey(let row): pushKeys.append(row)
            case .session: break
            }
        }
        let types = typeRows.map {
            RecordType(row: $0, fields: fields[$0.number] ?? [:], grants: grants[$0.number] ?? [:])
        }
        self.types = Dictionary(uniqueKeysWithValues: types.map { ($0.row.name, $0) })
        fieldsOfNewTypes = fields[FieldRow.ofNewTypes].map { $0.values.sorted { $0.name < $1.name } } ?? []
        self.typesByNumber = Dictionary(uniqueKeysWithValues: types.map { ($0.row.number, $0) })
        self.roles = roles
        self.tokens = tokens
        self.keys = keys
        self.pushKeys = pushKeys
    }

    /// The same schema, roles, grants, tokens and keys under another head of the same version.
    public func moved(to head: CatalogHead) -> Catalog { Catalog(self, head: head) }

    private init(_ other: Catalog, head: CatalogHead) {
        self.head = head
        types = other.types
        fieldsOfNewTypes = other.fieldsOfNewTypes
        roles = other.roles
        tokens = other.tokens
        keys = other.keys
        pushKeys = other.pushKeys
        typesByNumber = other.typesByNumber
    }

    public var version: Int64 { head.version }

    public func type(_ number: TypeNumber) -> RecordType? { typesByNumber[number] }

    /// The number that the next new type gets.
    public var nextTypeNumber: TypeNumber { max(head.lastType, typesByNumber.keys.max() ?? 0) + 1 }
}
