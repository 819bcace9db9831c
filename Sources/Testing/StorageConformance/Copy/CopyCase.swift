package import NephosStorage

/// A place of a copy: empty at first, and with all that was stored when it is opened again.
///
/// - Parameters:
///   - tables: Those that the engine knows.
///   - acceptsUnfinishedCopy: Whether it opens what is ``StorageError/unfinishedCopy``.
package typealias CopyTarget =
    @Sendable (_ tables: TableSet, _ acceptsUnfinishedCopy: Bool) throws -> any StorageEngine

/// Something that a copy of a whole store does, between any two engines.
///
/// A test target of an engine runs every case from its tables to each engine, and back:
/// ```swift
/// @Test(arguments: CopyCase.all) func copies(_ promise: CopyCase) async throws {
///     try await promise.check(Tables(CopyCase.tables), into: { … }, back: { … })
/// }
/// ```
package struct CopyCase: Sendable, CustomStringConvertible {
    /// The promise, as a sentence without its subject.
    package let name: String
    private let body: @Sendable (CopiedStore) async throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (CopiedStore) async throws -> Void) {
        self.name = name
        self.body = body
    }

    package var description: String { name }

    /// Those that engines under test are opened with.
    package static let tables = TableCase.tables

    /// - Parameters:
    ///   - tables: Empty, of an engine that is opened with ``tables``.
    ///   - target: Makes an empty place.
    ///   - back: Makes one of the first engine.
    /// - Throws: ``PromiseBroken``, or an error of the engine that nobody expected.
    package func check(
        _ tables: any StoredTables, into target: @escaping @Sendable () throws -> CopyTarget,
        back: @escaping @Sendable () throws -> CopyTarget
    ) async throws {
        let store = try CopiedStore(tables, target, back)
        defer { store.close() }
        try await store.fill()
        try await body(store)
    }

    package static let all: [CopyCase] = [
        .whole, .back, .interrupted, .unfinished, .others, .unknownTables, .damaged, .columns,
    ]
}
