/// Copies the rows of a whole store into an empty one, of whatever engine (docs/decisions/0052). It may end at any moment, however
/// that comes, and is begun again then: it goes on where it was.
package struct StoreCopy: Sendable {
    package let source: any CopyStore
    package let target: any CopyStore
    /// All that the source has.
    package let tenants: [Tenant]
    /// Tables that nobody here knows, by name: they are not copied.
    package let unknownTables: Set<String>
    /// What tells the source, in the state that it is in, from others.
    private let state: Int64
    private let limits: CopyLimits

    /// Where a copy begins.
    package enum Start: Sendable, Equatable {
        case begun
        /// The target has a part of it.
        case resumed
        /// The target has something in it, or once had.
        case occupied
        /// The target is the unfinished copy of another source, or of this one before it was changed.
        case ofAnother
    }

    package init(
        from source: any CopyStore, to target: any CopyStore, limits: CopyLimits = CopyLimits()
    ) throws(StorageError) {
        (self.source, self.target, self.limits) = (source, target, limits)
        tenants = try source.containers().map(\.id).sorted().flatMap { id in
            Environment.allCases.map { Tenant(container: id, environment: $0) }
        }
        // What an older version wrote is brought up to date now, and not when somebody opens it in the middle of the copy.
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

    /// Has the target say what it is a copy of.
    package func begin() throws(StorageError) -> Start {
        let known = try target.copiedFrom()
        guard known == 0 else { return known == state ? .resumed : .ofAnother }
        let directory = try target.tables(of: nil)
        for table in described.copiedOfDirectory where try directory.lastKey(of: table) != nil { return .occupied }
        return try target.beginCopy(of: state, tenants) ? .begun : .occupied
    }

    /// Copies all rows that are not there yet.
    ///
    /// - Parameter didWrite: Called after each transaction that has added rows with the place, the table and their number. What it
    ///   throws ends the copy.
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

    /// Reads all of both stores again, and compares them.
    ///
    /// - Parameter progress: Called before each table with the place and its name.
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

    /// Whether the source is as it was when the copy began, and where no digest says so, as it was compared.
    package func isSourceUnchanged(since comparison: CopyComparison) throws(StorageError) -> Bool {
        // A container that went, or that came, moves the digest of the directory.
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

    /// Makes the target a store like any other.
    package func end() throws(StorageError) { try target.endCopy() }

    // MARK: The source

    /// Each change of anything that is counted moves a head, a catalog or the directory.
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
    /// For people.
    fileprivate var copiedPlace: String { map(\.description) ?? "accounts and containers" }
}
