/// The effect of a decision on the row of its tenant's catalog, shared by all engines.
extension WriteSet {
    /// Whether the decision writes that row, which must then be locked after all other rows.
    package var touchesCatalog: Bool {
        !catalog.isEmpty || !databases.isEmpty || raisesCatalogVersion || endsSessions || secrets != nil
            || changes.contains { $0.digestDifference != 0 }
    }

    /// Whether a type is added, changed or removed.
    package var changesTypes: Bool {
        catalog.contains { if case .type? = $0.new ?? $0.old { true } else { false } }
    }

    /// The decision's changes to the rows of the catalog.
    package func catalogChanges() throws(StorageError) -> [RowChange] {
        try catalog.map { write throws(StorageError) in try RowChange(write) }
    }

    /// Returns the catalog's row after the decision.
    ///
    /// The version is incremented if cached catalogs become invalid, and the number of ended sessions if sessions end.
    /// The digest, the last assigned numbers of databases and types, and the key of secrets are updated as well.
    package func moved(_ stored: CatalogHead) throws(StorageError) -> CatalogHead {
        var head = stored
        head.lastDatabase += Int64(databases.count)
        for write in catalog {
            if case .type(let row)? = write.new { head.lastType = max(head.lastType, row.number) }
            head.digest &-= write.old?.checksum ?? 0
            head.digest &+= write.new?.checksum ?? 0
        }
        for change in changes { head.digest &+= change.digestDifference }
        if case .reset(_, let signingKey, let fileKey, let now)? = secrets {
            head.reset(signingKey: signingKey, fileKey: fileKey, at: now)
        }
        if secrets != nil { try head.seal(under: sealingKey) }
        if !catalog.isEmpty || raisesCatalogVersion || secrets != nil { head.version += 1 }
        if endsSessions { head.endedSessions += 1 }
        return head
    }
}

extension RowChange {
    /// The difference that the change adds to the digest of its tenant's catalog, or of the directory.
    package var digestDifference: Int64 {
        // Usually the row belongs to a database, and need not be hashed.
        table.owner == .database ? 0 : share(of: new) &- share(of: old)
    }

    private func share(of row: (any StoredRow)?) -> Int64 {
        guard let row, row.isInDigest else { return 0 }
        return row.checksum
    }
}

extension Table {
    /// Whether the digest of its tenant's catalog, or of the directory, covers all of its rows.
    package var isInDigest: Bool { owner != .database && isCounted }
}

extension StoredRow {
    /// Whether the digest of its tenant's catalog, or of the directory, covers the row's checksum.
    ///
    /// The digest does not cover sessions: otherwise each sign-in would write the catalog's row, which all sign-ins of
    /// a tenant share. Earlier versions of the server did cover them. As long as those versions may still run, the
    /// store is in the clear, and so are the sessions that they covered.
    package var isInDigest: Bool {
        if Self.table.isInDigest { return true }
        guard Self.table.owner == .tenant else { return false }
        return (self as? SessionRow)?.secret.isSealed == false
    }
}
