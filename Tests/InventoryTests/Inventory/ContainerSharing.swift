import CloudKit

/// Containers: discovering users, taking part in shares, operations that outlive the program.
@available(*, deprecated, message: "It names what is deprecated as well.")
extension Inventory {
    mutating func permissions() {
        topic("Container: permissions", .notYet)
        typealias Permissions = CKContainer.ApplicationPermissions
        typealias Status = CKContainer.ApplicationPermissionStatus
        type("CKContainer.ApplicationPermissions", Permissions.self as any (OptionSet & Sendable).Type)
        raw("CKContainer.ApplicationPermissions.userDiscoverability", Permissions.userDiscoverability, UInt(1))
        type("CKContainer.ApplicationPermissionStatus", Status.self as any Sendable.Type)
        raw("CKContainer.ApplicationPermissionStatus.initialState", Status.initialState, Int(0))
        raw("CKContainer.ApplicationPermissionStatus.couldNotComplete", Status.couldNotComplete, Int(1))
        raw("CKContainer.ApplicationPermissionStatus.denied", Status.denied, Int(2))
        raw("CKContainer.ApplicationPermissionStatus.granted", Status.granted, Int(3))
        alias(
            "CKContainer.ApplicationPermissionBlock", CKContainer.ApplicationPermissionBlock.self,
            ((Status, (any Error)?) -> Void).self)
        function(
            "CKContainer.status(forApplicationPermission:completionHandler:)",
            CKContainer.status(forApplicationPermission:completionHandler:)
                as (CKContainer) -> (Permissions, @escaping @Sendable (Status, (any Error)?) -> Void) -> Void)
        function(
            "CKContainer.applicationPermissionStatus(for:)",
            CKContainer.applicationPermissionStatus(for:)
                as (CKContainer) -> (Permissions) async throws -> Status)
        function(
            "CKContainer.requestApplicationPermission(_:completionHandler:)",
            CKContainer.requestApplicationPermission(_:completionHandler:)
                as (CKContainer) -> (Permissions, @escaping @Sendable (Status, (any Error)?) -> Void) -> Void)
        function(
            "CKContainer.requestApplicationPermission(_:)",
            CKContainer.requestApplicationPermission(_:)
                as (CKContainer) -> (Permissions) async throws -> Status)
    }

    mutating func discovery() {
        topic("Container: discovery", .notYet)
        function(
            "CKContainer.discoverAllIdentities(completionHandler:)",
            CKContainer.discoverAllIdentities(completionHandler:)
                as (CKContainer) -> (@escaping Handler<[CKUserIdentity]>) -> Void)
        function(
            "CKContainer.allUserIdentitiesFromContacts()",
            CKContainer.allUserIdentitiesFromContacts as (CKContainer) -> () async throws -> [CKUserIdentity])
        function(
            "CKContainer.discoverUserIdentity(withEmailAddress:completionHandler:)",
            CKContainer.discoverUserIdentity(withEmailAddress:completionHandler:)
                as (CKContainer) -> (String, @escaping Handler<CKUserIdentity>) -> Void)
        function(
            "CKContainer.discoverUserIdentity(withPhoneNumber:completionHandler:)",
            CKContainer.discoverUserIdentity(withPhoneNumber:completionHandler:)
                as (CKContainer) -> (String, @escaping Handler<CKUserIdentity>) -> Void)
        function(
            "CKContainer.discoverUserIdentity(withUserRecordID:completionHandler:)",
            CKContainer.discoverUserIdentity(withUserRecordID:completionHandler:)
                as (CKContainer) -> (CKRecord.ID, @escaping Handler<CKUserIdentity>) -> Void)
        function(
            "CKContainer.userIdentity(forEmailAddress:)",
            CKContainer.userIdentity(forEmailAddress:) as (CKContainer) -> (String) async throws -> CKUserIdentity?)
        function(
            "CKContainer.userIdentity(forPhoneNumber:)",
            CKContainer.userIdentity(forPhoneNumber:) as (CKContainer) -> (String) async throws -> CKUserIdentity?)
        function(
            "CKContainer.userIdentity(forUserRecordID:)",
            CKContainer.userIdentity(forUserRecordID:)
                as (CKContainer) -> (CKRecord.ID) async throws -> CKUserIdentity?)
        discoveryOfMany()
    }

    private mutating func discoveryOfMany() {
        function(
            "CKContainer.discoverUserIdentities(forEmailAddresses:completionHandler:)",
            CKContainer.discoverUserIdentities(forEmailAddresses:completionHandler:)
                as (CKContainer) -> ([String], @escaping ResultHandler<[String: CKUserIdentity]>) -> Void)
        function(
            "CKContainer.discoverUserIdentities(forPhoneNumbers:completionHandler:)",
            CKContainer.discoverUserIdentities(forPhoneNumbers:completionHandler:)
                as (CKContainer) -> ([String], @escaping ResultHandler<[String: CKUserIdentity]>) -> Void)
        function(
            "CKContainer.discoverUserIdentities(forUserRecordIDs:completionHandler:)",
            CKContainer.discoverUserIdentities(forUserRecordIDs:completionHandler:)
                as (CKContainer) -> ([CKRecord.ID], @escaping ResultHandler<[CKRecord.ID: CKUserIdentity]>) -> Void)
        function(
            "CKContainer.userIdentities(forEmailAddresses:)",
            CKContainer.userIdentities(forEmailAddresses:)
                as (CKContainer) -> ([String]) async throws -> [String: CKUserIdentity])
        function(
            "CKContainer.userIdentities(forPhoneNumbers:)",
            CKContainer.userIdentities(forPhoneNumbers:)
                as (CKContainer) -> ([String]) async throws -> [String: CKUserIdentity])
        function(
            "CKContainer.userIdentities(forUserRecordIDs:)",
            CKContainer.userIdentities(forUserRecordIDs:)
                as (CKContainer) -> ([CKRecord.ID]) async throws -> [CKRecord.ID: CKUserIdentity])
    }

    mutating func longLivedOperations() {
        topic("Container: long-lived operations", .notYet)
        function(
            "CKContainer.fetchAllLongLivedOperationIDs(completionHandler:)",
            CKContainer.fetchAllLongLivedOperationIDs(completionHandler:)
                as (CKContainer) -> (@escaping Handler<[CKOperation.ID]>) -> Void)
        function(
            "CKContainer.allLongLivedOperationIDs()",
            CKContainer.allLongLivedOperationIDs as (CKContainer) -> () async throws -> [CKOperation.ID])
        function(
            "CKContainer.fetchLongLivedOperation(withID:completionHandler:)",
            CKContainer.fetchLongLivedOperation(withID:completionHandler:)
                as (CKContainer) -> (CKOperation.ID, @escaping Handler<CKOperation>) -> Void)
        function(
            "CKContainer.longLivedOperation(for:)",
            CKContainer.longLivedOperation(for:) as (CKContainer) -> (CKOperation.ID) async throws -> CKOperation?)
    }
}
