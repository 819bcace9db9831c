import NephosStorage

/// Compares `nephos.sqlite` with its checksums and its digest.
struct DirectoryCheck {
    private let store: DirectoryStore

    init(_ store: DirectoryStore) { self.store = store }

    func run() throws(StorageError) -> [CheckFinding] {
        try store.connection.beginReading()
        defer { store.connection.rollback() }
        var walk = TableWalk(store.connection)
        var digest: Int64 = 0
        try walk.each(
            "accounts", "SELECT id, email, given_name, family_name, created_at, checksum FROM accounts"
        ) { cursor, findings throws(StorageError) in
            let row = DirectoryStore.account(cursor)
            findings.expect(row.checksum == cursor.int(5), "accounts", "account \(row.id): its checksum is wrong")
            digest &+= cursor.int(5)
        }
        try walk.each("containers", "SELECT id, created_at, checksum FROM containers") { cursor, findings throws(StorageError) in
            let row = ContainerRow(id: cursor.string(0), createdAt: cursor.int(1))
            findings.expect(row.checksum == cursor.int(2), "containers", "container \(row.id): its checksum is wrong")
            digest &+= cursor.int(2)
        }
        var rows = 0
        try walk.each("meta", "SELECT id, digest FROM meta") { cursor, findings throws(StorageError) in
            rows += 1
            findings.expect(
                cursor.int(1) == digest, "meta",
                "row \(cursor.int(0)): the digest is wrong: a row of accounts or containers was added or removed")
        }
        walk.findings.expect(rows == 1, "meta", "has \(rows) rows, not 1")
        try walk.checkPages()
        return walk.findings.list
    }
}
