import CloudKitWire
import NephosStorage

/// The tables whose rows the catalog's digest covers.
enum CatalogTable: String, CaseIterable {
    case types, fields, roles, grants
    case tokens = "api_tokens"
    case keys = "server_keys"
    case sessions
    case pushKeys = "push_keys"

    /// The columns without tenant and checksum: first those of the key.
    private var columns: (key: [String], others: [String]) {
        switch self {
        case .types: (["type"], ["name", "epoch"])
        case .fields: (["type", "name"], ["kind", "encrypted", "options", "epoch"])
        case .roles: (["role"], ["name"])
        case .grants: (["type", "role"], ["rights"])
        case .tokens: (["hash"], ["name", "created_at", "revoked_at"])
        case .keys: (["id"], ["public_key", "user_id", "created_at", "revoked_at", "name"])
        case .sessions: (["id"], ["user_id", "private_db", "secret", "created_at", "expires_at", "revoked_at"])
        case .pushKeys: (["development"], ["team", "key_id", "topic", "pem", "created_at"])
        }
    }

    /// How many columns ``read(_:)`` looks at; others may follow.
    var columnCount: Int32 { Int32(columns.key.count + columns.others.count) }

    /// Selects rows of a tenant (`$1`), in the order of columns that ``read(_:)`` expects, and then `more`.
    func query(with more: String...) -> String {
        let list = (columns.key + columns.others + more).joined(separator: ", ")
        return "SELECT \(list) FROM \(rawValue) WHERE tenant = $1"
    }

    /// Reads all rows.
    func all(_ tenant: TenantNumber) -> Call { Call(Self.statements[self].all) { $0.add(tenant.value) } }

    /// Adds a row.
    static func insertion(of row: CatalogRow, _ tenant: TenantNumber) -> Call {
        Call(statements[row.table].insertion) {
            $0.add(tenant.value)
            $0.addKey(of: row)
            $0.addState(of: row)
            $0.add(row.checksum)
        }
    }

    /// Removes a row that is stored just as `row` says; fails when it is not.
    static func removal(of row: CatalogRow, _ tenant: TenantNumber) -> Call {
        Call(statements[row.table].removal) {
            $0.add(tenant.value)
            $0.addKey(of: row)
            $0.add(row.checksum)
        }
    }

    func read(_ row: Row) throws(StorageError) -> CatalogRow {
        switch self {
        case .types: .type(RecordTypeRow(number: try row.type(0), name: row.name(1), epoch: row.int(2)))
        case .fields:
            .field(
                FieldRow(
                    type: try row.type(0), name: row.name(1), kind: try row.kind(2, of: FieldType.self),
                    isEncrypted: row.int(3) != 0, options: FieldRow.Options(rawValue: row.int(4)), epoch: row.int(5)))
        case .roles: .role(RoleRow(number: row.int(0), name: row.name(1)))
        case .grants:
            .grant(GrantRow(type: try row.type(0), role: row.int(1), rights: GrantRow.Rights(rawValue: row.int(2))))
        case .tokens:
            .token(
                APITokenRow(hash: row.bytes(0), name: row.string(1), createdAt: row.int(2), revokedAt: row.int(3)))
        case .keys:
            .key(
                ServerKeyRow(
                    id: row.string(0), publicKey: row.bytes(1), user: try row.user(2), createdAt: row.int(3),
                    revokedAt: row.int(4), name: row.string(5)))
        case .sessions: .session(try Self.session(row))
        case .pushKeys:
            .pushKey(
                PushKeyRow(
                    isDevelopment: try row.flag(0), team: row.string(1), keyID: row.string(2), topic: row.string(3),
                    pem: row.string(4), createdAt: row.int(5)))
        }
    }

    static func session(_ row: Row) throws(StorageError) -> SessionRow {
        SessionRow(
            id: row.bytes(0), user: try row.user(1), privateDatabase: row.int(2), secret: row.bytes(3),
            createdAt: row.int(4), expiresAt: row.int(5), revokedAt: row.int(6))
    }

    // MARK: Statements

    private struct Statements {
        var all, insertion, removal: Statement

        init(_ table: CatalogTable) {
            let (key, others) = table.columns
            let columns = ["tenant"] + key + others + ["checksum"]
            let values = columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
            all = Statement(table.query())
            insertion = Statement(
                "INSERT INTO \(table.rawValue) (\(columns.joined(separator: ", "))) VALUES (\(values))")
            let found = (["tenant"] + key + ["checksum"]).enumerated().map { "\($1) = $\($0 + 1)" }
            removal = Statement(
                Guard.touching(
                    one: "DELETE FROM \(table.rawValue) WHERE \(found.joined(separator: " AND ")) RETURNING 1"))
        }
    }

    private static let statements = StatementsByTable()

    private struct StatementsByTable {
        private let statements = CatalogTable.allCases.map { Statements($0) }

        subscript(_ table: CatalogTable) -> Statements {
            statements[CatalogTable.allCases.firstIndex(of: table) ?? 0]
        }
    }
}

extension CatalogRow {
    var table: CatalogTable {
        switch self {
        case .type: .types
        case .field: .fields
        case .role: .roles
        case .grant: .grants
        case .token: .tokens
        case .key: .keys
        case .session: .sessions
        case .pushKey: .pushKeys
        }
    }
}

extension Values {
    fileprivate mutating func addKey(of row: CatalogRow) {
        switch row {
        case .type(let row): add(Int64(row.number))
        case .field(let row):
            add(Int64(row.type))
            add(row.name)
        case .role(let row): add(row.number)
        case .grant(let row):
            add(Int64(row.type))
            add(row.role)
        case .token(let row): add(bytes: row.hash)
        case .key(let row): add(row.id)
        case .session(let row): add(bytes: row.id)
        case .pushKey(let row): add(Int64(row.isDevelopment ? 1 : 0))
        }
    }

    fileprivate mutating func addState(of row: CatalogRow) {
        switch row {
        case .type(let row):
            add(row.name)
            add(row.epoch)
        case .field(let row):
            add(row.kind.rawValue)
            add(Int64(row.isEncrypted ? 1 : 0))
            add(row.options.rawValue)
            add(row.epoch)
        case .role(let row): add(row.name)
        case .grant(let row): add(row.rights.rawValue)
        case .token(let row):
            add(row.name)
            add(row.createdAt)
            add(row.revokedAt)
        case .key(let row):
            add(bytes: row.publicKey)
            add(row.user)
            add(row.createdAt)
            add(row.revokedAt)
            add(row.name)
        case .session(let row):
            add(row.user)
            add(row.privateDatabase)
            add(bytes: row.secret)
            add(row.createdAt)
            add(row.expiresAt)
            add(row.revokedAt)
        case .pushKey(let row):
            for text in [row.team, row.keyID, row.topic, row.pem] { add(text) }
            add(row.createdAt)
        }
    }
}
