import NephosStorage

/// Reads of the table `credential_uses`.
final class CredentialUseReader {
    /// In the order of ``row(_:)``.
    static let columns = "kind, id, day"
    /// How many there are; others may follow.
    static let columnCount: Int32 = 3

    private let keyed: Query

    init(_ connection: Connection) {
        keyed = Query(connection, "SELECT \(Self.columns) FROM credential_uses WHERE kind = ? AND id = ?")
    }

    func row(_ key: CredentialKey) throws(StorageError) -> CredentialUseRow? {
        var cursor = try keyed.start()
        cursor.bind(key)
        return try cursor.next() ? try Self.row(cursor) : nil
    }

    /// Reads ``columns``.
    static func row(_ cursor: borrowing Cursor) throws(StorageError) -> CredentialUseRow {
        CredentialUseRow(
            key: CredentialKey(try cursor.kind(0, of: CredentialKey.Kind.self), cursor.bytes(1)), day: cursor.int(2))
    }
}

extension Cursor {
    mutating func bind(_ key: CredentialKey) {
        bind(key.kind.rawValue)
        bind(blob: key.id)
    }
}
