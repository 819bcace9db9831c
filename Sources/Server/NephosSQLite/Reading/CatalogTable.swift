import CloudKitWire
import NephosStorage

/// The tables whose rows the catalog's digest covers.
enum CatalogTable: String, CaseIterable {
    case types, fields, roles, grants
    case tokens = "api_tokens"
    case keys = "server_keys"
    case sessions
    case pushKeys = "push_keys"

    private var columns: [String] {
        switch self {
        case .types: ["type", "name", "epoch"]
        case .fields: ["type", "name", "kind", "encrypted", "options", "epoch"]
        case .roles: ["role", "name"]
        case .grants: ["type", "role", "rights"]
        case .tokens: ["hash", "name", "created_at", "revoked_at"]
        case .keys: ["id", "public_key", "user_id", "created_at", "revoked_at", "name"]
        case .sessions: ["id", "user_id", "private_db", "secret", "created_at", "expires_at", "revoked_at"]
        case .pushKeys: ["development", "team", "key_id", "topic", "pem", "created_at"]
        }
    }

    /// How many columns ``read(_:)`` looks at; others may follow.
    var columnCount: Int32 { Int32(columns.count) }

    /// Selects all rows, in the order of columns that ``read(_:)`` expects, and then `more`.
    func query(with more: String...) -> String {
        "SELECT \((columns + more).joined(separator: ", ")) FROM \(rawValue)"
    }

    func read(_ cursor: borrowing Cursor) throws(StorageError) -> CatalogRow {
        switch self {
        case .types:
            .type(RecordTypeRow(number: try cursor.type(0), name: cursor.name(1), epoch: cursor.int(2)))
        case .fields:
            .field(
                FieldRow(
                    type: try cursor.type(0), name: cursor.name(1), kind: try cursor.kind(2, of: FieldType.self),
                    isEncrypted: cursor.int(3) != 0, options: FieldRow.Options(rawValue: cursor.int(4)),
                    epoch: cursor.int(5)))
        case .roles: .role(RoleRow(number: cursor.int(0), name: cursor.name(1)))
        case .grants:
            .grant(
                GrantRow(
                    type: try cursor.type(0), role: cursor.int(1), rights: GrantRow.Rights(rawValue: cursor.int(2))))
        case .tokens:
            .token(
                APITokenRow(
                    hash: cursor.bytes(0), name: cursor.string(1), createdAt: cursor.int(2),
                    revokedAt: cursor.int(3)))
        case .keys:
            .key(
                ServerKeyRow(
                    id: cursor.string(0), publicKey: cursor.bytes(1), user: try cursor.user(2),
                    createdAt: cursor.int(3), revokedAt: cursor.int(4), name: cursor.string(5)))
        case .sessions: .session(try Self.session(cursor))
        case .pushKeys: .pushKey(try Self.pushKey(cursor))
        }
    }

    private static func pushKey(_ cursor: borrowing Cursor) throws(StorageError) -> PushKeyRow {
        PushKeyRow(
            isDevelopment: try cursor.bool(0), team: cursor.string(1), keyID: cursor.string(2), topic: cursor.string(3),
            pem: cursor.string(4), createdAt: cursor.int(5))
    }

    static func session(_ cursor: borrowing Cursor) throws(StorageError) -> SessionRow {
        SessionRow(
            id: cursor.bytes(0), user: try cursor.user(1), privateDatabase: cursor.int(2), secret: cursor.bytes(3),
            createdAt: cursor.int(4), expiresAt: cursor.int(5), revokedAt: cursor.int(6))
    }
}
