public import Foundation

/// One of a container's databases. Get it from a ``CKContainer``.
///
/// Each of its functions runs an operation that starts immediately, and exists in two forms: with a block, and `async`.
/// The operations have the quality of service `.userInitiated`: a failed request is not retried.
/// `configuredWith(configuration:group:body:)` sets another quality of service, such as `.default`, with which a
/// request that the service temporarily cannot process is retried. Cancelling a task cancels its operation.
///
/// Every function can fail with these codes of ``CKError``, so each function documents only additional ones:
///
/// - `notAuthenticated`: nobody is signed in, or the session has ended. Only the public database can be read without a
///   session.
/// - `permissionFailure`: the person does not have permission for the request.
/// - `networkUnavailable`, `networkFailure`: the server was not reached, or did not respond in time. Nothing was
///   changed.
/// - `serviceUnavailable`, `requestRateLimited`: the service is temporarily unavailable, or received too many requests;
///   ``CKError/retryAfterSeconds`` says when to try again.
/// - `serverResponseLost`: a change was sent and its response was lost, so the change may have been made.
/// - `missingEntitlement`: a setting of the container is missing or not valid; the message says which, and where it is
///   set.
/// - `limitExceeded`: more than 200 items to fetch or 400 to change in one call, or more than 16 MB in the request for
///   one zone, which is not sent: split it. Or more than the server stores; the message names the limit.
/// - `quotaExceeded`: the person has no storage left.
/// - `operationCancelled`: the task was cancelled.
/// - `internalError`, `serverRejectedRequest`: the response cannot be read, or only the server's log explains the
///   error.
public final class CKDatabase: NSObject, @unchecked Sendable {
    /// The kind of a container's database: `public`, `private` or `shared`.
    public typealias Scope = CKDatabaseScope

    /// The scope of this database.
    public let databaseScope: Scope
    let core: ContainerCore
    let defaults: OperationDefaults

    init(_ core: ContainerCore, _ scope: Scope, _ defaults: OperationDefaults) {
        databaseScope = scope
        self.core = core
        self.defaults = defaults
    }

    /// Runs an operation on this database.
    public func add(_ operation: CKDatabaseOperation) {
        operation.database = self
        core.queue.addOperation(operation)
    }

    public override var description: String { "<CKDatabase: \(databaseScope.wireName) of \(core.service.container)>" }
}

extension CKDatabase {
    /// Calls `body` with this database, whose convenience functions then use a configuration and a group.
    @discardableResult
    public func configuredWith<R>(
        configuration: CKOperation.Configuration? = nil, group: CKOperationGroup? = nil,
        body: (_ configuredDatabase: CKDatabase) throws -> R
    ) rethrows -> R {
        try body(CKDatabase(core, databaseScope, defaults.with(configuration, group)))
    }

    /// Calls `body` with this database, whose convenience functions then use a configuration and a group.
    @discardableResult
    public func configuredWith<R>(
        configuration: CKOperation.Configuration? = nil, group: CKOperationGroup? = nil,
        body: @Sendable (_ configuredDatabase: CKDatabase) async throws -> R
    ) async rethrows -> R {
        try await body(CKDatabase(core, databaseScope, defaults.with(configuration, group)))
    }

    /// The namespace of the changes that ``databaseChanges(since:resultsLimit:)`` returns.
    public enum DatabaseChange {
        /// A zone that is new or whose contents changed.
        public struct Modification: Sendable {
            /// The ID of the zone, by which to fetch its changes.
            public let zoneID: CKRecordZone.ID
        }

        /// A zone that was deleted.
        public struct Deletion: Sendable {
            /// The reason why a zone was deleted.
            public enum Reason: Sendable, Equatable, Hashable {
                /// The app deleted it.
                case deleted
                /// The person removed what the app had stored. Do not store it again without asking them.
                case purged
                /// The person's keys were reset. Create the zone again and save the data that is stored locally.
                case encryptedDataReset
            }

            /// The ID of the zone that was deleted.
            public let zoneID: CKRecordZone.ID
            /// The reason why the zone was deleted.
            public let reason: Reason

            /// Whether the person removed what the app had stored.
            @available(*, deprecated, message: "Use reason.")
            public var purged: Bool { reason == .purged }
        }
    }

    /// The namespace of the changes that ``recordZoneChanges(inZoneWith:since:desiredKeys:resultsLimit:)`` returns.
    public enum RecordZoneChange {
        /// A record that is new or was changed, in its current state.
        public struct Modification: Sendable {
            /// The record with all its fields, or with those in `desiredKeys`.
            public let record: CKRecord
        }

        /// A record that was deleted.
        public struct Deletion: Sendable {
            /// The ID of the record that was deleted.
            public let recordID: CKRecord.ID
            /// The type of the record; empty if the service does not return it, as Apple's service does not.
            public let recordType: CKRecord.RecordType
        }
    }
}
