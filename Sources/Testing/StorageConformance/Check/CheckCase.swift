import NephosStorage

/// Damage to an engine's data that its `check` must find.
///
/// The storage contract does not specify an engine's rows, so these are not ``StorageCase``s. They are for engines with the tables
/// of ``StoredTables``:
/// ```swift
/// @Test(arguments: CheckCase.all) func finds(_ damage: CheckCase) async throws {
///     try await damage.check(try SQLiteTables())
/// }
/// ```
package struct CheckCase: Sendable, CustomStringConvertible {
    /// What the check finds, as a sentence without its subject.
    package let name: String
    private let body: @Sendable (FullTenant) async throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (FullTenant) async throws -> Void) {
        self.name = name
        self.body = body
    }

    package var description: String { name }

    /// Fills the tables, damages them and restores them.
    ///
    /// - Parameter tables: Initially without containers.
    /// - Throws: ``PromiseBroken``, or an unexpected error of the engine.
    package func check(_ tables: any StoredTables) async throws {
        let full = try FullTenant(tables)
        defer { full.tenant.closeAll() }
        try await full.fill()
        try await body(full)
        for place in StoredPlace.allCases {
            try expectEqual(try full.findings(in: place), [], "the check after everything was repaired")
        }
    }

    package static let all: [CheckCase] = [
        .clean, .changed, .removed, .added, .exchanged, .annexes, .directory,
    ]
}
