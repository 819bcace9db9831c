import NephosStorage

/// Something that is not as the engine wrote it, and that its `check` must find.
///
/// Which rows an engine keeps is no part of the storage contract, so these are no ``StorageCase``s. They are for engines that
/// keep the tables of ``StoredTables``:
/// ```swift
/// @Test(arguments: CheckCase.all) func finds(_ damage: CheckCase) async throws {
///     try await damage.check(try SQLiteTables())
/// }
/// ```
package struct CheckCase: Sendable, CustomStringConvertible {
    /// What the check does, as a sentence without its subject.
    package let name: String
    private let body: @Sendable (FullTenant) async throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (FullTenant) async throws -> Void) {
        self.name = name
        self.body = body
    }

    package var description: String { name }

    /// Fills the tables, damages them and mends them again.
    ///
    /// - Parameter tables: Without any container at first.
    /// - Throws: ``PromiseBroken``, or an error of the engine that nobody expected.
    package func check(_ tables: any StoredTables) async throws {
        let full = try FullTenant(tables)
        defer { full.tenant.closeAll() }
        try await full.fill()
        try await body(full)
        for place in StoredPlace.allCases {
            try expectEqual(try full.findings(in: place), [], "the check after everything was mended")
        }
    }

    package static let all: [CheckCase] = [
        .clean, .changed, .removed, .added, .exchanged, .annexes, .directory,
    ]
}
