import CloudKitWire
import NephosStorage
import Synchronization

/// A store with rows in all tables, and the places that it is copied into.
final class CopiedStore: Sendable {
    let full: FullTenant
    let newTarget: @Sendable () throws -> CopyTarget
    /// Of the first engine.
    let newBack: @Sendable () throws -> CopyTarget
    private let opened = Mutex<[any StorageEngine]>([])
    /// They stay as long as this does.
    private let places = Mutex<[CopyTarget]>([])

    init(
        _ tables: any StoredTables, _ newTarget: @escaping @Sendable () throws -> CopyTarget,
        _ newBack: @escaping @Sendable () throws -> CopyTarget
    ) throws {
        full = try FullTenant(tables)
        (self.newTarget, self.newBack) = (newTarget, newBack)
    }

    /// Closes all that was opened.
    func close() {
        for engine in opened.withLock({ $0 }) { engine.close() }
        full.tenant.closeAll()
    }

    var engine: any StorageEngine { full.tenant.engine }

    /// As a copy sees it.
    var source: any CopyStore { get throws { try unwrap(engine.copying, "the engine as a source") } }

    func fill() async throws {
        try await full.fill()
        // With secrets that heads and the directory sum up.
        let person = try await full.tenant.person(1)
        for number in [UInt8(1), 2] { try await ScratchHand(number: number, database: person).write(7) }
        try await full.tenant.store.commit(ReadSet()) { _ in
            var writes = WriteSet()
            writes.put(ScratchBadge(database: person.number, user: person.user, number: 1))
            return .write(writes, ())
        }
        var mails = WriteSet()
        mails.put(
            MailRow(id: [1], address: "a@example.org", subject: "s", text: "t", purpose: "p", createdAt: 1, until: 2))
        mails.put(MailSetupRow(.folder, sender: "a@example.org", changedAt: 1))
        mails.put(AccountDeletionRow(account: "A", askedAt: 1, dueAt: 2, takesPublic: false))
        mails.put(UnverifiedAccountRow(account: "A", createdAt: 1))
        try engine.directory.commit(ReadSet()) { [mails] _ in .write(mails, ()) }
    }

    // MARK: Copying

    /// Opens a place, to be closed with everything else.
    func open(
        _ target: @escaping CopyTarget, tables: TableSet = CopyCase.tables, acceptsUnfinishedCopy: Bool = true
    ) throws -> any CopyStore {
        places.withLock { $0.append(target) }
        let engine = try target(tables, acceptsUnfinishedCopy)
        opened.withLock { $0.append(engine) }
        return try unwrap(engine.copying, "the engine as a target")
    }

    /// Copies from one to the other in one go. - Returns: What was copied.
    @discardableResult
    func copy(_ source: any CopyStore, to target: any CopyStore) throws -> CopyComparison {
        let copy = try StoreCopy(from: source, to: target)
        try expectEqual(try copy.begin(), .begun, "the beginning")
        try copy.copyRows { _, _, _ in }
        return try finish(copy)
    }

    /// Copies, and is ended after each page. - Returns: The copy, as a server opens it.
    func copyInPieces(_ source: any CopyStore, to place: @escaping CopyTarget) throws -> any CopyStore {
        var limits = CopyLimits()
        limits.rows = 3
        var (ends, isOver) = (0, false)
        while !isOver {
            let target = try place(CopyCase.tables, true)
            defer { target.close() }
            let copy = try StoreCopy(from: source, to: try unwrap(target.copying, "the target"), limits: limits)
            try expectEqual(try copy.begin(), ends == 0 ? .begun : .resumed, "the beginning after \(ends) ends")
            do throws(StorageError) {
                try copy.copyRows { _, _, _ throws(StorageError) in throw .failed("the end") }
                isOver = true
            } catch {
                try expectEqual(error, .failed("the end"), "the end of the copy")
                ends += 1
            }
            if isOver { try finish(copy) }
        }
        try expect(ends > 60, "it was interrupted only \(ends) times")
        return try open(place, acceptsUnfinishedCopy: false)
    }

    @discardableResult
    func finish(_ copy: StoreCopy) throws -> CopyComparison {
        let comparison = try copy.compare { _, _ in }
        try expectEqual(comparison.differences, [], "the differences")
        try expect(try copy.isSourceUnchanged(since: comparison), "the source was changed by its copy")
        try copy.end()
        return comparison
    }

    // MARK: What is there

    /// All rows of all tables that do not say how secrets are sealed.
    func rows(of store: any CopyStore) throws -> [String: [[ColumnValue?]]] {
        var found: [String: [[ColumnValue?]]] = [:]
        let described = CopyCase.tables
        for tenant in try tenants(of: store).map(Optional.some) + [nil] {
            let tables = try store.tables(of: tenant)
            for table in tenant == nil ? described.copiedOfDirectory : described.copied where !table.hasSecrets {
                let places = table.columns.indices.filter { !Self.ofSealing.contains(table.columns[$0].name) }
                let isWhole = !["heads", "catalog"].contains(table.name)
                var rows: [[ColumnValue?]] = []
                try tables.rows(of: table, after: nil) { row throws(StorageError) in
                    let values = try table.values(row)
                    rows.append(isWhole ? values : places.map { values[$0] })
                }
                found["\(tenant?.description ?? "directory") \(table.name)"] = rows
            }
        }
        return found
    }

    /// Columns of heads and catalogs that follow from how secrets are sealed: a check compares them.
    private static let ofSealing = [
        "rows_digest", "signing_key", "secret_key", "file_place", "digest", "checksum",
    ]

    /// The rows with secrets, opened.
    func secretRows(of store: any CopyStore) throws -> [any StoredRow] {
        var found: [any StoredRow] = []
        for tenant in try tenants(of: store) {
            let opened = try unwrap(try store.open(tenant), "\(tenant)")
            for rows in CopyCase.tables.all where rows.table.hasSecrets { found += try all(rows, opened) }
        }
        for rows in CopyCase.tables.directory where rows.table.hasSecrets { found += try all(rows, store.directory) }
        return found
    }

    private func all<Row: StoredRow>(_ rows: Row.Type, _ store: any TenantStore) throws -> [any StoredRow] {
        try store.rows(Scan<Row>(limit: .max))
    }

    private func all<Row: StoredRow>(_ rows: Row.Type, _ directory: any DirectoryStore) throws -> [any StoredRow] {
        try directory.rows(Scan<Row>(limit: .max))
    }

    private func tenants(of store: any CopyStore) throws -> [Tenant] {
        try store.containers().flatMap { row in
            Environment.allCases.map { Tenant(container: row.id, environment: $0) }
        }
    }

    /// What a check of everything finds.
    func findings(of store: any CopyStore) throws -> [CheckFinding] {
        try tenants(of: store).reduce(try store.checkDirectory()) { findings, tenant in
            findings + (try unwrap(try store.open(tenant), "\(tenant)").check { _, _ in })
        }
    }

    /// Makes sure that nobody could know one from the other.
    func expectSame(_ source: any CopyStore, _ copy: any CopyStore) throws {
        let (rows, copied) = (try self.rows(of: source), try self.rows(of: copy))
        for (place, rows) in rows { try expectEqual(copied[place] ?? [], rows, place) }
        try expectEqual(copied.count, rows.count, "tables")
        let (secrets, other) = (try secretRows(of: source), try secretRows(of: copy))
        try expectEqual(
            other.map { String(reflecting: $0) }, secrets.map { String(reflecting: $0) }, "rows with secrets")
        try expect(zip(secrets, other).allSatisfy { $0.isSame(as: $1) }, "a secret differs in the copy")
        try expectEqual(try findings(of: copy), [], "the findings of a check of the copy")
    }
}

extension StoredRow {
    /// Secrets are the same where they are the same in the clear.
    fileprivate func isSame(as other: any StoredRow) -> Bool { (other as? Self) == self }
}
