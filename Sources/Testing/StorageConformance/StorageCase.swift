package import NephosStorage

/// Opens an engine on one storage location: empty at the first call, and with everything stored since at every later one. Two
/// engines may be open on it at the same time, like a server and a command on one data folder.
package typealias EngineOpening = @Sendable () throws -> any StorageEngine

/// One promise of the storage contract, and the check that an engine keeps it.
///
/// Only promises in ``all`` are part of the contract. The tests of each engine run every case:
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

    /// Runs the case on a new container. Afterwards the engine's `check` must find nothing.
    ///
    /// - Parameter open: Opens an engine on an initially empty location; the case closes what it opened.
    /// - Throws: ``PromiseBroken``, or an unexpected error of the engine.
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
        + credentialUses + annexes + shares + news + backgroundJobs + histories + queryHistories

    /// The six promises to implement first in a new engine: they determine its locking and ordering.
    package static let spike: [StorageCase] = [
        .commitWithReRun, .feedOrderWithTwoWriters, .conflict, .cascade, .zoneRecreation, .oneFieldTwoTypes,
    ]
}
