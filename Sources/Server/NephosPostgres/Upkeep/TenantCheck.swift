import NephosQueries
package import NephosStorage

extension PostgresTenantStore {
    package func check(progress: (Int, Int) -> Void) throws(StorageError) -> [CheckFinding] {
        try withoutActuallyEscaping(progress) { progress throws(StorageError) in
            try pool.withConnectionRetrying { connection throws(StorageError) in
                var walk = TableWalk(connection, number, progress: progress)
                defer { walk.transaction.rollback() }
                try walk.checkTenant(tenant, described, indexes: IndexAudit.check)
                return walk.findings.list
            }
        }
    }
}
