import NephosStorage

/// Compares `nephos.sqlite` with its checksums and its digest, and the list of containers with the folders.
struct DirectoryCheck {
    private let store: DirectoryStore

    private let folders: ContainerFolders

    init(_ store: DirectoryStore, _ folders: ContainerFolders) {
        self.store = store
        self.folders = folders
    }

    func run() throws(StorageError) -> [CheckFinding] {
        try store.connection.beginReading()
        defer { store.connection.rollback() }
        var walk = TableWalk(store.connection) { _, _ in }
        var digest: Int64 = 0
        try walk.each(
            "accounts", "SELECT id, email, given_name, family_name, created_at, checksum FROM accounts"
        ) { row, findings throws(StorageError) in
            let account = AccountRow(
                id: row.string(0), email: row.string(1), givenName: row.string(2), familyName: row.string(3),
                createdAt: row.int(4))
            findings.judge(account, checksum: row.int(5))
            digest &+= row.int(5)
        }
        try walk.each("containers", "SELECT id, created_at, checksum FROM containers") {
            cursor, findings throws(StorageError) in
            findings.judge(ContainerRow(id: cursor.string(0), createdAt: cursor.int(1)), checksum: cursor.int(2))
            digest &+= cursor.int(2)
        }
        var rows = 0
        try walk.each("meta", "SELECT id, digest FROM meta") { cursor, findings throws(StorageError) in
            rows += 1
            findings.judgeDirectoryDigest(ofRow: cursor.int(0), stored: cursor.int(1), found: digest)
        }
        walk.findings.expect(rows == 1, "meta", "has \(rows) rows, not 1")
        try walk.checkPages()
        try compareFolders(&walk.findings)
        return walk.findings.list
    }

    private func compareFolders(_ findings: inout Findings) throws(StorageError) {
        let listed = Set(try store.containers().map(\.id))
        let found = Set(try folders.names())
        for id in listed.subtracting(found).sorted() {
            findings.add("containers", "container \(id): its folder is missing")
        }
        for name in found.subtracting(listed).sorted() {
            findings.add("containers", "container \(name): has a folder, but is not on the list")
        }
    }
}
