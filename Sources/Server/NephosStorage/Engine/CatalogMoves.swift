/// What a decision does to the row of its tenant's catalog. Every engine moves it so.
extension WriteSet {
    /// Whether it writes that row: it locks it then, as the last of all.
    package var touchesCatalog: Bool {
        !catalog.isEmpty || !databases.isEmpty || raisesCatalogVersion || endsSessions || secrets != nil
            || changes.contains { $0.digestDifference != 0 }
    }

    /// Whether a type comes, changes or goes.
    package var changesTypes: Bool {
        catalog.contains { if case .type? = $0.new ?? $0.old { true } else { false } }
    }

    /// Its changes of the catalog's rows.
    package func catalogChanges() throws(StorageError) -> [RowChange] {
        try catalog.map { write throws(StorageError) in try RowChange(write) }
    }

    /// The row as it stands from now on: the version when remembered catalogs become wrong, the number of ended sessions when
    /// some end, the digest with every counted row, the last numbers of databases and types, and the key of its secrets.
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
    /// What it adds to the digest of its tenant's catalog, or of the directory.
    package var digestDifference: Int64 {
        // Mostly it is of a database, and nobody need look at the rows.
        table.owner == .database ? 0 : share(of: new) &- share(of: old)
    }

    private func share(of row: (any StoredRow)?) -> Int64 {
        guard let row, row.isInDigest else { return 0 }
        return row.checksum
    }
}

extension Table {
    /// Whether the digest of its tenant's catalog, or of the directory, has all of its rows.
    package var isInDigest: Bool { owner != .database && isCounted }
}

extension StoredRow {
    /// Whether the digest of its tenant's catalog, or of the directory, has the row's checksum.
    ///
    /// Sessions are not counted: a sign-in would write the row that all sign-ins of a tenant share. Servers of before did
    /// count them. Where they may still run, the store is in the clear, and so are the sessions that they counted.
    package var isInDigest: Bool {
        if Self.table.isInDigest { return true }
        guard Self.table.owner == .tenant else { return false }
        return (self as? SessionRow)?.secret.isSealed == false
    }
}
