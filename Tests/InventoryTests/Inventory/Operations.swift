import CloudKit

/// Operations: common members.
@available(*, deprecated, message: "It names what is deprecated as well.")
extension Inventory {
    mutating func operations() {
        topic("Operation")
        type("CKOperation", CKOperation.self as any (Operation & Sendable).Type)
        alias("CKOperation.ID", CKOperation.ID.self, String.self)
        get("CKOperation.operationID", \CKOperation.operationID, CKOperation.ID.self)
        set("CKOperation.configuration", \CKOperation.configuration, CKOperation.Configuration?.self)
        set("CKOperation.group", \CKOperation.group, CKOperationGroup?.self)
        set("CKOperation.container", \CKOperation.container, CKContainer?.self)
        set("CKOperation.allowsCellularAccess", \CKOperation.allowsCellularAccess, Bool.self)
        set("CKOperation.timeoutIntervalForRequest", \CKOperation.timeoutIntervalForRequest, TimeInterval.self)
        set("CKOperation.timeoutIntervalForResource", \CKOperation.timeoutIntervalForResource, TimeInterval.self)
        type("CKDatabaseOperation", CKDatabaseOperation.self as CKOperation.Type)
        set("CKDatabaseOperation.database", \CKDatabaseOperation.database, CKDatabase?.self)

        topic("Operation: long-lived", .notYet)
        set("CKOperation.isLongLived", \CKOperation.isLongLived, Bool.self)
        set(
            "CKOperation.longLivedOperationWasPersistedBlock", \CKOperation.longLivedOperationWasPersistedBlock,
            (() -> Void)?.self)
        set("CKOperation.Configuration.isLongLived", \CKOperation.Configuration.isLongLived, Bool.self)
    }

    mutating func configuration() {
        topic("Operation: configuration")
        typealias Configuration = CKOperation.Configuration
        type("CKOperation.Configuration", Configuration.self as any (NSObject & NSCopying & Sendable).Type)
        function("CKOperation.Configuration.init()", Configuration.init as () -> Configuration)
        set("CKOperation.Configuration.container", \Configuration.container, CKContainer?.self)
        set("CKOperation.Configuration.qualityOfService", \Configuration.qualityOfService, QualityOfService.self)
        set("CKOperation.Configuration.allowsCellularAccess", \Configuration.allowsCellularAccess, Bool.self)
        set(
            "CKOperation.Configuration.timeoutIntervalForRequest", \Configuration.timeoutIntervalForRequest,
            TimeInterval.self)
        set(
            "CKOperation.Configuration.timeoutIntervalForResource", \Configuration.timeoutIntervalForResource,
            TimeInterval.self)
    }

    mutating func group() {
        topic("Operation: group")
        typealias Size = CKOperationGroup.TransferSize
        type("CKOperationGroup", CKOperationGroup.self as any (NSObject & NSSecureCoding & Sendable).Type)
        function("CKOperationGroup.init()", CKOperationGroup.init as () -> CKOperationGroup)
        get("CKOperationGroup.operationGroupID", \CKOperationGroup.operationGroupID, String.self)
        set(
            "CKOperationGroup.defaultConfiguration", \CKOperationGroup.defaultConfiguration,
            CKOperation.Configuration?.self)
        set("CKOperationGroup.name", \CKOperationGroup.name, String?.self)
        set("CKOperationGroup.quantity", \CKOperationGroup.quantity, Int.self)
        set("CKOperationGroup.expectedSendSize", \CKOperationGroup.expectedSendSize, Size.self)
        set("CKOperationGroup.expectedReceiveSize", \CKOperationGroup.expectedReceiveSize, Size.self)
        type("CKOperationGroup.TransferSize", Size.self as any Sendable.Type)
        raw("CKOperationGroup.TransferSize.unknown", Size.unknown, Int(0))
        raw("CKOperationGroup.TransferSize.kilobytes", Size.kilobytes, Int(1))
        raw("CKOperationGroup.TransferSize.megabytes", Size.megabytes, Int(2))
        raw("CKOperationGroup.TransferSize.tensOfMegabytes", Size.tensOfMegabytes, Int(3))
        raw("CKOperationGroup.TransferSize.hundredsOfMegabytes", Size.hundredsOfMegabytes, Int(4))
        raw("CKOperationGroup.TransferSize.gigabytes", Size.gigabytes, Int(5))
        raw("CKOperationGroup.TransferSize.tensOfGigabytes", Size.tensOfGigabytes, Int(6))
        raw("CKOperationGroup.TransferSize.hundredsOfGigabytes", Size.hundredsOfGigabytes, Int(7))
    }
}

/// Properties that always have a value, although they may be set to nil: compiled, not run.
private func unwrapped(_ operation: CKOperation, _ group: CKOperationGroup) {
    operation.configuration.allowsCellularAccess = false
    operation.configuration = nil
    group.defaultConfiguration.qualityOfService = .utility
}
