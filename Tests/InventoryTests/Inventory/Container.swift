import CloudKit

/// Containers: databases, the account, and functions with a configuration.
extension Inventory {
    mutating func container() {
        topic("Container")
        type("CKContainer", CKContainer.self as any (NSObject & Sendable).Type)
        function("CKContainer.default()", CKContainer.default as () -> CKContainer)
        function("CKContainer.init(identifier:)", CKContainer.init(identifier:) as (String) -> CKContainer)
        get("CKContainer.containerIdentifier", \CKContainer.containerIdentifier, String?.self)
        get("CKContainer.privateCloudDatabase", \CKContainer.privateCloudDatabase, CKDatabase.self)
        get("CKContainer.publicCloudDatabase", \CKContainer.publicCloudDatabase, CKDatabase.self)
        get("CKContainer.sharedCloudDatabase", \CKContainer.sharedCloudDatabase, CKDatabase.self)
        function(
            "CKContainer.database(with:)",
            CKContainer.database(with:) as (CKContainer) -> (CKDatabase.Scope) -> CKDatabase)
        function("CKContainer.add(_:)", CKContainer.add(_:) as (CKContainer) -> (CKOperation) -> Void)
        function(
            "CKContainer.configuredWith(configuration:group:body:)",
            CKContainer.configuredWith(configuration:group:body:)
                as (CKContainer) -> (CKOperation.Configuration?, CKOperationGroup?, (CKContainer) throws -> Int) throws
                -> Int)
        function(
            "CKContainer.configuredWith(configuration:group:body:) async",
            CKContainer.configuredWith(configuration:group:body:)
                as (CKContainer) -> (
                    CKOperation.Configuration?, CKOperationGroup?, @Sendable (CKContainer) async throws -> Int
                ) async throws -> Int)
    }

    mutating func account() {
        topic("Container: account")
        type("CKAccountStatus", CKAccountStatus.self as any Sendable.Type)
        raw("CKAccountStatus.couldNotDetermine", CKAccountStatus.couldNotDetermine, Int(0))
        raw("CKAccountStatus.available", CKAccountStatus.available, Int(1))
        raw("CKAccountStatus.restricted", CKAccountStatus.restricted, Int(2))
        raw("CKAccountStatus.noAccount", CKAccountStatus.noAccount, Int(3))
        raw("CKAccountStatus.temporarilyUnavailable", CKAccountStatus.temporarilyUnavailable, Int(4))
        function(
            "CKContainer.accountStatus(completionHandler:)",
            CKContainer.accountStatus(completionHandler:)
                as (CKContainer) -> (@escaping @Sendable (CKAccountStatus, (any Error)?) -> Void) -> Void)
        function(
            "CKContainer.accountStatus()",
            CKContainer.accountStatus as (CKContainer) -> () async throws -> CKAccountStatus)
        function(
            "CKContainer.fetchUserRecordID(completionHandler:)",
            CKContainer.fetchUserRecordID(completionHandler:)
                as (CKContainer) -> (@escaping Handler<CKRecord.ID>) -> Void)
        function(
            "CKContainer.userRecordID()", CKContainer.userRecordID as (CKContainer) -> () async throws -> CKRecord.ID)
    }
}

/// Arguments that may be omitted, results that may be ignored, and bodies that throw nothing: compiled, not run.
private func leftOut(_ container: CKContainer) async throws {
    try await container.accountStatus()
    try await container.userRecordID()
    container.accountStatus { _, _ in }
    container.fetchUserRecordID { _, _ in }
    blocks(container)
    await container.configuredWith {
        await Task.yield(); _ = $0.privateCloudDatabase
    }
}

private func blocks(_ container: CKContainer) {
    container.configuredWith { _ = $0.privateCloudDatabase }
    container.configuredWith(group: CKOperationGroup()) { _ = $0 }
}
