public import Foundation

/// One of a container's databases. Get it from a ``CKContainer``.
///
/// Its functions are operations that start at once; each comes with a block and as `async`. They are of the quality of
/// service `.userInitiated`: nothing is tried again.
/// `configuredWith(configuration:group:body:)` lends another one, with which a request that the
/// service cannot take now is tried again. Cancelling a task cancels its operation.
///
/// Any of them can fail with these codes of ``CKError``, so functions name only what they add:
///
/// - `notAuthenticated`: nobody is signed in, or the session has ended. Only the public database is read without one.
/// - `permissionFailure`: the person may not do this.
/// - `networkUnavailable`, `networkFailure`: the server was not reached, or no answer came in time. Nothing was
///   changed.
/// - `serviceUnavailable`, `requestRateLimited`: not now; ``CKError/retryAfterSeconds`` says when.
/// - `serverResponseLost`: a change was sent and its answer was lost, so it may have been made.
/// - `missingEntitlement`: a setting of the container is missing or not valid; the message says which and where.
/// - `limitExceeded`: more than 200 items or 16 MB in one call, which is to be split, and nothing was sent; or more than
///   the server keeps, which the message names.
/// - `quotaExceeded`: the person has no room left.
/// - `operationCancelled`: the task was cancelled.
/// - `internalError`, `serverRejectedRequest`: an answer that cannot be read, or that only the server's log explains.
public final class CKDatabase: NSObject, @unchecked Sendable {
    /// Which of a container's databases: `public`, `private` or `shared`.
    public typealias Scope = CKDatabaseScope

    /// Which database this is.
    public let databaseScope: Scope
    let core: ContainerCore
    let defaults: OperationDefaults

    init(_ core: ContainerCore, _ scope: Scope, _ defaults: OperationDefaults) {
        databaseScope = scope
        self.core = core
        self.defaults = defaults
    }

    /// Runs an operation here.
    public func add(_ operation: CKDatabaseOperation) {
        operation.database = self
        core.queue.addOperation(operation)
    }

    public override var description: String { "<CKDatabase: \(databaseScope.wireName) of \(core.service.container)>" }
}

extension CKDatabase {
    /// Lends `body` this database with a configuration and a group for its convenience functions.
    @discardableResult
    public func configuredWith<R>(
        configuration: CKOperation.Configuration? = nil, group: CKOperationGroup? = nil,
        body: (_ configuredDatabase: CKDatabase) throws -> R
    ) rethrows -> R {
        try body(CKDatabase(core, databaseScope, defaults.with(configuration, group)))
    }

    /// Lends `body` this database with a configuration and a group for its convenience functions.
    @discardableResult
    public func configuredWith<R>(
        configuration: CKOperation.Configuration? = nil, group: CKOperationGroup? = nil,
        body: @Sendable (_ configuredDatabase: CKDatabase) async throws -> R
    ) async rethrows -> R {
        try await body(CKDatabase(core, databaseScope, defaults.with(configuration, group)))
    }

    /// Namespace of what ``databaseChanges(since:resultsLimit:)`` tells.
    public enum DatabaseChange {
        /// A zone that is new, or in which something changed.
        public struct Modification: Sendable {
            /// The zone; fetch its changes by this ID.
            public let zoneID: CKRecordZone.ID
        }

        /// A zone that is gone.
        public struct Deletion: Sendable {
            /// Why a zone is gone.
            public enum Reason: Sendable, Equatable, Hashable {
                /// The app deleted it.
                case deleted
                /// The person removed what the app had stored. Do not store it again unasked.
                case purged
                /// The person's keys were reset. Make the zone again and store what is here.
                case encryptedDataReset
            }

            /// The zone that is gone.
            public let zoneID: CKRecordZone.ID
            /// Why the zone is gone.
            public let reason: Reason

            /// Whether the person removed what the app had stored.
            @available(*, deprecated, message: "Use reason.")
            public var purged: Bool { reason == .purged }
        }
    }

    /// Namespace of what ``recordZoneChanges(inZoneWith:since:desiredKeys:resultsLimit:)`` tells.
    public enum RecordZoneChange {
        /// A record that is new or changed, as it is now.
        public struct Modification: Sendable {
            /// The record with its fields, or those that `desiredKeys` asked for.
            public let record: CKRecord
        }

        /// A record that is gone.
        public struct Deletion: Sendable {
            /// The record that is gone.
            public let recordID: CKRecord.ID
            /// The type that the record had; empty where the service does not send it, as Apple's does not.
            public let recordType: CKRecord.RecordType
        }
    }
}
