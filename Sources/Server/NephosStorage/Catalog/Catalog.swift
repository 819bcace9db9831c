public import CloudKitWire

/// A record type with its fields and grants. A class, since the type of every record in a response is looked up.
public final class RecordType: Sendable {
    /// The type itself.
    public let row: RecordTypeRow
    /// The fields of the type, by name.
    public let fields: [Name: FieldRow]
    /// The same fields, reduced to what saves need, which look up every field.
    public let knownFields: [Name: KnownField]
    /// Rights by role number.
    public let grants: [Int64: GrantRow.Rights]

    /// Creates a type from its rows.
    public init(row: RecordTypeRow, fields: [Name: FieldRow], grants: [Int64: GrantRow.Rights]) {
        self.row = row
        self.fields = fields
        knownFields = fields.mapValues { KnownField($0.kind, isEncrypted: $0.isEncrypted) }
        self.grants = grants
    }
}

/// Everything that a tenant's requests are checked against, at one version: schema, roles, grants, tokens and keys. Sessions
/// are rows of their own, since there may be millions.
public final class Catalog: Sendable {
    /// The row that versions the catalog.
    public let head: CatalogHead
    /// Record types, by name.
    public let types: [Name: RecordType]
    /// The options of the system fields of types that a save creates (``FieldRow/ofNewTypes``).
    public let fieldsOfNewTypes: [FieldRow]
    /// Security roles, by name.
    public let roles: [Name: RoleRow]
    /// API tokens, by the SHA-256 of the token.
    public let tokens: [[UInt8]: APITokenRow]
    /// Server-to-server keys, by ID.
    public let keys: [String: ServerKeyRow]
    /// Keys with which pushes are sent to Apple's service.
    public let pushKeys: [PushKeyRow]
    /// Sections, by name.
    public let sections: [String: SectionRow]
    /// What the opener of the engine derives from each version of a catalog (``TableSet/init(adding:deriving:)``).
    public let derived: (any CatalogDerivative)?
    private let typesByNumber: [TypeNumber: RecordType]

    /// Creates a catalog from its head and rows.
    ///
    /// - Parameter rows: All catalog rows, in any order.
    public init(head: CatalogHead, rows: [CatalogRow]) {
        self.head = head
        derived = nil
        var typeRows: [RecordTypeRow] = []
        var fields: [TypeNumber: [Name: FieldRow]] = [:]
        var grants: [TypeNumber: [Int64: GrantRow.Rights]] = [:]
        var roles: [Name: RoleRow] = [:]
        var tokens: [[UInt8]: APITokenRow] = [:]
        var keys: [String: ServerKeyRow] = [:]
        var pushKeys: [PushKeyRow] = []
        var sections: [String: SectionRow] = [:]
        for row in rows {
            switch row {
            case .type(let row): typeRows.append(row)
            case .field(let row): fields[row.type, default: [:]][row.name] = row
            case .role(let row): roles[row.name] = row
            case .grant(let row): grants[row.type, default: [:]][row.role] = row.rights
            case .token(let row): tokens[row.hash] = row
            case .key(let row): keys[row.id] = row
            case .pushKey(let row): pushKeys.append(row)
            case .section(let row): sections[row.name] = row
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
        self.sections = sections
    }

    /// The same schema, roles, grants, tokens and keys under another head of the same version.
    public func moved(to head: CatalogHead) -> Catalog { Catalog(self, head: head, pushKeys: pushKeys, derived) }

    /// The same catalog with what is derived from it.
    public func deriving(_ derive: (Catalog) -> (any CatalogDerivative)?) -> Catalog {
        Catalog(self, head: head, pushKeys: pushKeys, derive(self))
    }

    /// The same catalog with its secrets opened.
    ///
    /// - Throws: ``StorageError/noKey(_:)`` if the signing key cannot be opened, unless `keys` accepts that.
    package func opened(by keys: SecretKeys) throws(StorageError) -> Catalog {
        var (head, pushKeys) = (head, pushKeys)
        head.open(by: keys)
        // A catalog whose signing key is missing is not cached: the key may become available at any time.
        guard head.isOpen || keys.acceptsLoss else { throw keys.missing }
        for index in pushKeys.indices { try pushKeys[index].open(by: keys) }
        return Catalog(self, head: head, pushKeys: pushKeys, derived)
    }

    private init(
        _ other: Catalog, head: CatalogHead, pushKeys: [PushKeyRow], _ derived: (any CatalogDerivative)?
    ) {
        self.head = head
        self.derived = derived
        types = other.types
        fieldsOfNewTypes = other.fieldsOfNewTypes
        roles = other.roles
        tokens = other.tokens
        keys = other.keys
        sections = other.sections
        self.pushKeys = pushKeys
        typesByNumber = other.typesByNumber
    }

    /// The version of the catalog: ``CatalogHead/version``.
    public var version: Int64 { head.version }

    /// The record type of a number; nil for one that was removed or never existed.
    public func type(_ number: TypeNumber) -> RecordType? { typesByNumber[number] }

    /// The number of the next new type.
    public var nextTypeNumber: TypeNumber { max(head.lastType, typesByNumber.keys.max() ?? 0) + 1 }
}
