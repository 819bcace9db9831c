package import NephosStorage

/// The behavior of an engine with a table that it knows only by its description (docs/decisions/0020).
///
/// ```swift
/// @Test(arguments: TableCase.all) func keeps(_ promise: TableCase) async throws {
///     try await promise.check(try SQLiteTables(TableCase.tables))
/// }
/// ```
package struct TableCase: Sendable, CustomStringConvertible {
    /// The promise, as a sentence.
    package let name: String
    private let body: @Sendable (TestTenant, any StoredTables) async throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (TestTenant, any StoredTables) async throws -> Void) {
        self.name = name
        self.body = body
    }

    package var description: String { name }

    /// Tables used by no feature, with which engines under test are opened.
    package static let tables = TableSet(adding: scratch)

    static let scratch: [any StoredRow.Type] = [
        ScratchPart.self, ScratchRow.self, ScratchBadge.self, ScratchNote.self, ScratchShelf.self,
    ]

    /// - Parameter tables: Empty, of an engine that is opened with ``tables``.
    /// - Throws: ``PromiseBroken``, or an unexpected error of the engine.
    package func check(_ tables: any StoredTables) async throws {
        let tenant = try TestTenant { try tables.open() }
        defer { tenant.closeAll() }
        try await body(tenant, tables)
        try tenant.expectNothingFound()
    }

    package static let all: [TableCase] =
        [
            .asDescribed, .comesBack, .scans, .guarded, .parts, .damage, .damagedUse, .leftAlone, .sealed, .sealedAnew,
            .later,
        ] + people + faults + directories + sweeps
}
