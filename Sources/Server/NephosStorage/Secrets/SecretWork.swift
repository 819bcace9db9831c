import CloudKitWire

/// The result of resealing or removing secrets.
package struct SecretCount: Sendable, Equatable {
    /// Rows that were sealed or removed.
    package var done = 0
    /// Rows that stay as they are: damaged ones, and those that no key opens.
    package var left = 0

    package init() {}
}

extension TenantStore {
    /// Seals everything that is written from now on under a key.
    ///
    /// - Returns: Whether it was a different key before.
    @discardableResult
    package func sealSecrets(under key: Int64) async throws -> Bool {
        try await commit(ReadSet()) { reading in
            var writes = WriteSet()
            guard reading.catalog.head.sealing.key != key else { return .write(writes, false) }
            writes.secrets = .seal(under: key)
            return .write(writes, true)
        }
    }

    /// Visits all rows that have secrets, several per transaction.
    ///
    /// - Parameters:
    ///   - change: What to do with a row; nil leaves it as it is.
    ///   - progress: Called after each page with the number of rows visited since the last call.
    package func eachSecret(
        _ change: @escaping @Sendable (any StoredRow) -> SecretFate?, progress: (Int) -> Void
    ) async throws -> SecretCount {
        var count = SecretCount()
        for rows in described.all where rows.table.hasSecrets {
            try await walk(rows, change, progress, &count)
        }
        return count
    }

    private func walk<Row: StoredRow>(
        _ rows: Row.Type, _ change: @escaping @Sendable (any StoredRow) -> SecretFate?, _ progress: (Int) -> Void,
        _ count: inout SecretCount
    ) async throws {
        var last: [ColumnValue]?
        while true {
            let page: [Row]
            do throws(StorageError) {
                page = try self.rows(Scan<Row>(above: last, limit: pageRows))
            } catch {
                // The rows after a row that cannot be read are not reachable.
                guard case .corrupt = error else { throw error }
                count.left += 1
                return
            }
            guard let end = page.last else { return }
            last = end.key
            // Rows of a tenant form one group.
            for (_, group) in page.groups(by: \.database) where group.contains(where: { change($0) != nil }) {
                try await apply(group.map(\.key), of: rows, change, &count)
            }
            progress(page.count)
        }
    }

    /// Changes rows of one database, all in one transaction; if one of them is damaged, each in its own.
    private func apply<Row: StoredRow>(
        _ keys: [[ColumnValue]], of rows: Row.Type, _ change: @escaping @Sendable (any StoredRow) -> SecretFate?,
        _ count: inout SecretCount
    ) async throws {
        do {
            let found = try await commit(keys, of: rows, change)
            count.done += found.done
            count.left += found.left
        } catch StorageError.failed {
            guard keys.count > 1 else {
                count.left += 1
                return
            }
            for key in keys { try await apply([key], of: rows, change, &count) }
        }
    }

    private func commit<Row: StoredRow>(
        _ keys: [[ColumnValue]], of rows: Row.Type, _ change: @escaping @Sendable (any StoredRow) -> SecretFate?
    ) async throws -> SecretCount {
        let scan = Scan<Row>(among: keys, lock: .update)
        var set = ReadSet()
        if Row.table.isCounted, case .database(let database)? = keys.first?.first { set.databases = [database] }
        // Sessions are found by their ids. Their uses are locked before them, in the same order as when old ones are removed.
        let uses = CredentialUseRow.keyed(
            Row.self == SessionRow.self
                ? keys.compactMap { if case .bytes(let id)? = $0.first { CredentialKey(.session, id) } else { nil } }
                : [])
        set.ask(uses)
        set.ask(scan)
        return try await commit(set) { reading in
            var (writes, count) = (WriteSet(), SecretCount())
            for row in reading[scan] {
                switch change(row) {
                case .seal?: writes.put(row, replacing: row)
                case .remove?:
                    writes.remove(row)
                    if let session = row as? SessionRow {
                        for use in reading[uses] where use.key.id == session.id { writes.remove(use) }
                    }
                case .leave?:
                    count.left += 1
                    continue
                case nil: continue
                }
                count.done += 1
            }
            // Caches of sessions and of the catalog include how they were sealed.
            writes.raisesCatalogVersion = Row.table.owner == .tenant && count.done > 0
            return .write(writes, count)
        }
    }
}

extension DirectoryStore {
    /// Visits all rows of the installation that have secrets, each in its own transaction: there are few. Blocks.
    ///
    /// - Parameters: See ``TenantStore/eachSecret(_:progress:)``.
    package func eachSecret(
        _ change: (any StoredRow) -> SecretFate?, progress: (Int) -> Void
    ) throws -> SecretCount {
        var count = SecretCount()
        for rows in described.directory where rows.table.hasSecrets { try walk(rows, change, progress, &count) }
        return count
    }

    private func walk<Row: StoredRow>(
        _ rows: Row.Type, _ change: (any StoredRow) -> SecretFate?, _ progress: (Int) -> Void,
        _ count: inout SecretCount
    ) throws {
        var last: [ColumnValue]?
        while true {
            let page: [Row]
            do throws(StorageError) { page = try self.rows(Scan<Row>(above: last, limit: pageRows)) } catch {
                // The rows after a row that cannot be read are not reachable.
                guard case .corrupt = error else { throw error }
                count.left += 1
                return
            }
            guard let end = page.last else { return }
            last = end.key
            for row in page where change(row) != nil {
                do {
                    let found = try commit(row.key, of: rows, change)
                    count.done += found.done
                    count.left += found.left
                } catch StorageError.failed { count.left += 1 }
            }
            progress(page.count)
        }
    }

    private func commit<Row: StoredRow>(
        _ key: [ColumnValue], of rows: Row.Type, _ change: (any StoredRow) -> SecretFate?
    ) throws -> SecretCount {
        let scan = Scan<Row>(among: [key], lock: .update)
        var set = ReadSet()
        set.ask(scan)
        return try commit(set) { reading in
            var (writes, count) = (WriteSet(), SecretCount())
            for row in reading[scan] {
                switch change(row) {
                case .seal?: writes.put(row, replacing: row)
                case .remove?: writes.remove(row)
                case .leave?: count.left += 1
                case nil: break
                }
            }
            count.done = writes.rows
            return .write(writes, count)
        }
    }
}

/// What to do with a row that has secrets.
package enum SecretFate: Sendable {
    /// Seal its secrets under the key of its tenant.
    case seal
    case remove
    /// Leave it: it should be changed, but cannot be.
    case leave
}

/// Rows per page.
private let pageRows = 200

extension StoredRow {
    /// What to do with the row when all secrets are to be sealed under `key`.
    package func fate(sealingUnder key: Int64) -> SecretFate? {
        if isSealed(under: key) { return hasClosedSecret ? .leave : nil }
        return .seal
    }

    /// Whether it has a secret that no key opens.
    package var hasClosedSecret: Bool {
        var closed = ClosedSecrets()
        visit(&closed)
        return closed.isFound
    }
}
