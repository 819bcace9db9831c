package import NephosStorage

extension SQLiteEngine {
    /// Compares `nephos.sqlite` with its checksums and its digest, and the list of containers with the folders.
    package func checkDirectory() throws(StorageError) -> [CheckFinding] {
        try withStore { store throws(StorageError) in
            try store.connection.beginReading()
            defer { store.connection.rollback() }
            var walk = TableWalk(store.connection)
            let listed = try walk.checkDirectory(options.tables)
            try walk.checkPages()
            let found = Set(try folders.names())
            for id in listed.subtracting(found).sorted() {
                walk.findings.add("containers", "container \(id): its folder is missing")
            }
            for name in found.subtracting(listed).sorted() {
                walk.findings.add("containers", "container \(name): has a folder, but is not on the list")
            }
            return walk.findings.list
        }
    }
}
