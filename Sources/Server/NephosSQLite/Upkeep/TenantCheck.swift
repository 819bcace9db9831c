import NephosQueries
package import NephosStorage

extension SQLiteTenantStore {
    package func check(progress: (Int, Int) -> Void) throws(StorageError) -> [CheckFinding] {
        // A separate connection: a check may take long, and statements that run once should not be cached.
        let connection = try Connection(path: path, access: .read, settings: Tuning.reader)
        try connection.beginReading()
        defer { connection.rollback() }
        return try withoutActuallyEscaping(progress) { progress throws(StorageError) in
            var walk = TableWalk(connection, progress: progress)
            try walk.checkTenant(tenant, tables, indexes: IndexAudit.check)
            try walk.checkPages()
            return walk.findings.list
        }
    }
}
