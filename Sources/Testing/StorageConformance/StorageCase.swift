package import NephosStorage

/// Opens an engine on one place: empty at the first call, and with all that was stored at every later one. Two
/// engines may be open on the place at the same time, as a server and a command are on one data folder.
package typealias EngineOpening = @Sendable () throws -> any StorageEngine

/// One promise of the storage contract, and the check that an engine keeps it.
///
/// A promise that is not in ``all`` is not a promise. A test target of an engine runs every case:
/// ```swift
/// @Test(arguments: StorageCase.all) func keeps(_ promise: StorageCase) async throws {
///     let folder = try TemporaryFolder()
///     try await promise.check { try SQLiteEngine(folder: folder.path) }
/// }
/// ```
package struct StorageCase: Sendable, CustomStringConvertible {
    /// The promise, as a sentence.
    package let name: String
    private let body: @Sendable (TestTenant) async throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (TestTenant) async throws -> Void) {
        self.name = name
        self.body = body
    }

    package var description: String { name }

    /// Runs the case on a new container. Whatever the case did, `check` of the engine must find nothing afterwards.
    ///
    /// - Parameter open: Opens an engine on a place that is empty at first; the case closes what it opened.
    /// - Throws: ``PromiseBroken``, or an error of the engine that nobody expected.
    package func check(_ open: @escaping EngineOpening) async throws {
        let tenant = try TestTenant(open)
        do {
            try await body(tenant)
            try tenant.expectNothingFound()
            try tenant.expectCountersRight()
        } catch {
            tenant.closeAll()
            throw error
        }
        tenant.closeAll()
    }

    /// All promises.
    package static let all: [StorageCase] =
        spike + commits + records + feeds + zones + purges + references + nameScans + walks + catalogs + directories
        + indexes + queries + trashes + people + subscriptions + events + assets + deliveries + memberships
        + credentialUses + annexes + news + backgroundJobs + histories + queryHistories

    /// The six promises that a new engine is built against first: they decide how it locks and orders.
    package static let spike: [StorageCase] = [
        .commitWithReRun, .feedOrderWithTwoWriters, .conflict, .cascade, .zoneRecreation, .oneFieldTwoTypes,
    ]
}
