import NephosStorage

extension WriteSession {
    /// Asks what there is to do, in one round trip.
    ///
    /// A lease mostly keeps a second process from the same work (docs/decisions/0019). Where it does not, nothing is done twice:
    /// what is found here may be over once a head is locked.
    ///
    /// - Returns: The answers of `calls`; nil when there is nothing to do.
    /// - Throws: ``StorageError/noSuchTenant`` when there is nothing to do because the container was deleted.
    func find(_ calls: [Call]) throws(StorageError) -> ArraySlice<Rows>? {
        let found = try transaction.run(calls)
        if found.contains(where: { $0.count > 0 }) { return found }
        _ = try catalog()
        return nil
    }

    /// Locks the heads of databases before anything of them is changed.
    ///
    /// - Throws: ``StorageError/noSuchTenant`` when the container was deleted meanwhile.
    func lock(_ databases: some Swift.Sequence<DatabaseNumber>) throws(StorageError) {
        _ = try load(ReadSet(), locking: Array(Set(databases)))
    }
}
