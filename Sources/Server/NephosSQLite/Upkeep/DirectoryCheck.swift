import NephosStorage

/// Compares `nephos.sqlite` with its checksums and its digest, and the list of containers with the folders.
struct DirectoryCheck {
    private let store: DirectoryFile
    private let folders: ContainerFolders
    private let tables: TableSet

    init(_ store: DirectoryFile, _ folders: ContainerFolders, _ tables: TableSet) {
        self.store = store
        self.folders = folders
        self.tables = tables
    }

    func run() throws(StorageError) -> [CheckFinding] {
        try store.connection.beginReading()
        defer { store.connection.rollback() }
        var walk = TableWalk(store.connection) { _, _ in }
        let digest = try tables.checkDirectory(&walk)
        let knowsTables = tables.knowsTables(of: try Migrations.done(store.connection))
        var rows = 0
        try walk.each("meta", "SELECT id, digest FROM meta") { cursor, findings throws(StorageError) in
            rows += 1
            guard knowsTables else { return }
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
