public import Foundation

/// One of a container's databases. Get it from a ``CKContainer``.
///
/// Its functions are operations that run at once; each comes with a block and as `async`.
public final class CKDatabase: NSObject, @unchecked Sendable {
    public typealias Scope = CKDatabaseScope

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

            public let zoneID: CKRecordZone.ID
            public let reason: Reason

            @available(*, deprecated, message: "Use reason.")
            public var purged: Bool { reason == .purged }
        }
    }

    /// Namespace of what ``recordZoneChanges(inZoneWith:since:desiredKeys:resultsLimit:)`` tells.
    public enum RecordZoneChange {
        /// A record that is new or changed, as it is now.
        public struct Modification: Sendable {
            public let record: CKRecord
        }

        /// A record that is gone.
        public struct Deletion: Sendable {
            public let recordID: CKRecord.ID
            public let recordType: CKRecord.RecordType
        }
    }
}
