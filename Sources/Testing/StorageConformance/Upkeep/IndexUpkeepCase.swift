import CloudKitWire
import NephosStorage

/// The index maintenance of an engine beyond the storage contract: where a chunk ends, and how an index of an older form is
/// treated. For engines with the tables of ``StoredTables`` that work in ``IndexChunk``s:
/// ```swift
/// @Test(arguments: IndexUpkeepCase.all) func keeps(_ rule: IndexUpkeepCase) async throws {
///     try await rule.check(try SQLiteTables())
/// }
/// ```
package struct IndexUpkeepCase: Sendable, CustomStringConvertible {
    /// The rule, as a sentence.
    package let name: String
    private let body: @Sendable (IndexedTenant) async throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (IndexedTenant) async throws -> Void) {
        self.name = name
        self.body = body
    }

    package var description: String { name }

    /// Runs the case on a new container. Afterwards the engine's check must find nothing.
    ///
    /// - Parameter tables: Initially without containers.
    /// - Throws: ``PromiseBroken``, or an unexpected error of the engine.
    package func check(_ tables: any StoredTables) async throws {
        let indexed = IndexedTenant(tables: tables, tenant: try TestTenant { try tables.open() })
        defer { indexed.tenant.closeAll() }
        try await body(indexed)
        try indexed.tenant.expectNothingFound()
    }

    package static let all: [IndexUpkeepCase] = [
        .clock, .entriesAdded, .clockOfClearing, .catchingUp, .nothingToPay, .otherProcess, .olderForm,
        .olderFormBuilding, .olderFormDropped, .failedWrite,
    ]
}

/// A tenant with indexes on its notes, and its tables.
struct IndexedTenant: Sendable {
    let tables: any StoredTables
    let tenant: TestTenant

    static let byTitle = IndexShape(
        type: TestTenant.note, parts: [.value(Card.title), .order(.recordName, isDescending: false)])
    static let byName = IndexShape(type: TestTenant.note, parts: [.order(.recordName, isDescending: true)])

    var store: any TenantStore { tenant.store }
    var database: TestDatabase { tenant.publicDatabase }
    var zone: TestZone { database.defaultZone }

    func fill(_ count: Int) async throws {
        try await zone.commit((0..<count).map { .save(Name("note \($0)"), Card(title: "milk").fields) })
    }

    /// - Returns: Whether there is more to do.
    func build(rows: Int = 1_000, within time: Duration = .seconds(9), anywhere: Bool = false) async throws -> Bool {
        let store = try unwrap(store as? any ChunkedIndexWork, "work in chunks")
        return try await store.buildIndexes(in: anywhere ? nil : 1, IndexChunk(rows: rows, time: time))
    }

    func expectStates(_ expected: [IndexRow.State]) throws {
        try expectEqual(try database.indexes().map(\.state), expected, "the states")
    }

    func expectBuilt(_ expected: [RecordNumber], _ what: String = "their progress") throws {
        try expectEqual(try database.indexes().map(\.builtTo), expected, what)
    }

    func expectEntries(_ expected: Int64) throws {
        let sql = "SELECT count(*) FROM index_rows WHERE \(tables.isOfTenant("index_rows"))"
        try expectEqual(try tables.number(sql), expected, "how many entries there are")
    }

    func dropFirst() async throws {
        try await store.dropIndexes([try unwrap(try database.indexes().first, "an index").number], in: 1)
    }
}
