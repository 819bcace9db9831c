/// Copies the rows of a whole store into an empty one, of the same engine or another (docs/decisions/0052). A copy may
/// be interrupted at any moment, for any reason. When it is started again, it continues where it ended.
package struct StoreCopy: Sendable {
    package let source: any CopyStore
    package let target: any CopyStore
    /// All tenants of the source.
    package let tenants: [Tenant]
    /// The names of tables that this program does not know, and that are not copied.
    package let unknownTables: Set<String>
    /// A number that identifies the source in its current state.
    private let state: Int64
    private let limits: CopyLimits

    /// The outcome of ``begin()``.
    package enum Start: Sendable, Equatable {
        /// The target is marked as a copy of the source.
        case begun
        /// The target is an unfinished copy of the source, which can be continued.
        case resumed
        /// The target is not empty, or contained tenants earlier.
        case occupied
        /// The target is an unfinished copy of another source, or of this source before it was changed.
        case ofAnother
    }

    package init(
        from source: any CopyStore, to target: any CopyStore, limits: CopyLimits = CopyLimits()
    ) throws(StorageError) {
        (self.source, self.target, self.limits) = (source, target, limits)
        tenants = try source.containers().map(\.id).sorted().flatMap { id in
            Environment.allCases.map { Tenant(container: id, environment: $0) }
        }
        // Opening a tenant migrates what an older version wrote: it must happen now, and not in the middle of the copy.
        for tenant in tenants where try source.open(tenant) == nil { throw .noSuchTenant }
        state = try Self.state(of: source, tenants)
        var unknown: Set<String> = []
        for tenant in [nil] + tenants.map(Optional.some) {
            unknown.formUnion(source.directory.described.unknownTables(of: try source.tables(of: tenant).steps()))
        }
        unknownTables = unknown
    }

    private var described: TableSet { target.directory.described }

    // MARK: Steps

    /// Marks the target as an unfinished copy of the source, unless it is one already, or is not empty.
    package func begin() throws(StorageError) -> Start {
        let known = try target.copiedFrom()
        guard known == 0 else { return known == state ? .resumed : .ofAnother }
        let directory = try target.tables(of: nil)
        for table in described.copiedOfDirectory where try directory.lastKey(of: table) != nil { return .occupied }
        return try target.beginCopy(of: state, tenants) ? .begun : .occupied
    }

    /// Copies all rows that the target does not have yet.
    ///
    /// - Parameter didWrite: Called with the place, the table and the number of added rows, after each transaction that
    ///   has added rows. If it throws, the copy ends.
    package func copyRows(
        didWrite: @escaping (String, String, Int) throws(StorageError) -> Void
    ) throws(StorageError) {
        let resealing = Resealing(
            keys: source.secretKeys, key: try target.secretKeys.key(named: try target.secretNames().current))
        let isWhole = !unknownTables.isEmpty
        for (place, tenant) in tenants.enumerated() {
            let tables = try target.tables(filling: tenant, number: Int64(place + 1))
            try copy(to: tables, resealing, tenant, didWrite) { copy throws(StorageError) in
                try copy.copyTenant(described.copied, isWhole: isWhole)
            }
        }
        let directory = try target.tables(filling: nil, number: 0)
        try copy(to: directory, resealing, nil, didWrite) { copy throws(StorageError) in
            let digest = try copy.copyDirectory(described.copiedOfDirectory, isWhole: isWhole)
            try target.setDirectoryDigest(digest)
        }
    }

    private func copy(
        to target: any CopyTables, _ resealing: Resealing, _ tenant: Tenant?,
        _ didWrite: @escaping (String, String, Int) throws(StorageError) -> Void,
        _ body: (PlaceCopy) throws(StorageError) -> Void
    ) throws(StorageError) {
        let (source, place) = (try source.tables(of: tenant), tenant.copiedPlace)
        try body(
            PlaceCopy(source: source, target: target, resealing: resealing, limits: limits) {
                table, rows throws(StorageError) in try didWrite(place, table, rows)
            })
    }

    /// Reads all rows of both stores again, and compares them.
    ///
    /// - Parameter progress: Called with the place and the name of each table, before the table is read.
    package func compare(progress: (String, String) -> Void) throws(StorageError) -> CopyComparison {
        var comparison = CopyComparison()
        for tenant in tenants.map(Optional.some) + [nil] {
            let (old, new) = (try source.tables(of: tenant), try target.tables(of: tenant))
            for table in tenant == nil ? described.copiedOfDirectory : described.copied {
                progress(tenant.copiedPlace, table.name)
                let sum = try TableSum(of: table, in: old, source.secretKeys)
                let copied = try TableSum(of: table, in: new, target.secretKeys)
                comparison.note(sum, copied, of: table, in: tenant.copiedPlace)
            }
        }
        return comparison
    }

    /// Whether the source is the same as when the copy was created. Tables that no digest covers must be the same as
    /// when they were compared.
    package func isSourceUnchanged(since comparison: CopyComparison) throws(StorageError) -> Bool {
        // A container that was deleted or created changes the digest of the directory.
        do throws(StorageError) {
            guard try Self.state(of: source, tenants) == state else { return false }
            for tenant in tenants.map(Optional.some) + [nil] {
                let tables = try source.tables(of: tenant)
                for table in tenant == nil ? described.copiedOfDirectory : described.copied {
                    let agrees = try comparison.agrees(table, in: tenant.copiedPlace) { () throws(StorageError) in
                        try TableSum(of: table, in: tables, source.secretKeys)
                    }
                    guard agrees else { return false }
                }
            }
            return true
        } catch {
            guard error == .noSuchTenant else { throw error }
            return false
        }
    }

    /// Removes the mark of an unfinished copy, so that the target can be used like any other store.
    package func end() throws(StorageError) { try target.endCopy() }

    // MARK: The source

    /// Returns a number that identifies the state of a store. Each change of anything that is counted changes a head, a
    /// catalog's row or the digest of the directory.
    private static func state(of store: any CopyStore, _ tenants: [Tenant]) throws(StorageError) -> Int64 {
        var sum = Checksum()
        sum.add(try store.tables(of: nil).directoryDigest())
        for tenant in tenants {
            sum.add(tenant.description.utf8)
            let tables = try store.tables(of: tenant)
            for table in [CopiedTable.catalog, .heads] {
                var checksums: Int64 = 0
                try tables.rows(of: table) { row throws(StorageError) in checksums &+= row.int(table.audited.last) }
                sum.add(checksums)
            }
        }
        return sum.value == 0 ? 1 : sum.value
    }
}

extension Tenant? {
    /// The name of the tenant, or of the directory for nil, in messages.
    fileprivate var copiedPlace: String { map(\.description) ?? "accounts and containers" }
}
