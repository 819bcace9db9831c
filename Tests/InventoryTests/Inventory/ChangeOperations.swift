import CloudKit

private typealias Fetch = CKFetchRecordZoneChangesOperation
private typealias DatabaseFetch = CKFetchDatabaseChangesOperation

/// Operations that fetch changes.
@available(*, deprecated, message: "It names what is deprecated as well.")
extension Inventory {
    mutating func fetchZoneChangesOperation() {
        topic("CKFetchRecordZoneChangesOperation")
        type("CKFetchRecordZoneChangesOperation", Fetch.self as CKDatabaseOperation.Type)
        function("CKFetchRecordZoneChangesOperation.init()", Fetch.init as () -> Fetch)
        function(
            "CKFetchRecordZoneChangesOperation.init(recordZoneIDs:configurationsByRecordZoneID:)",
            Fetch.init(recordZoneIDs:configurationsByRecordZoneID:)
                as ([CKRecordZone.ID]?, [CKRecordZone.ID: Fetch.ZoneConfiguration]?) -> Fetch)
        function(
            "CKFetchRecordZoneChangesOperation.init(recordZoneIDs:optionsByRecordZoneID:)",
            Fetch.init(recordZoneIDs:optionsByRecordZoneID:)
                as ([CKRecordZone.ID], [CKRecordZone.ID: Fetch.ZoneOptions]?) -> Fetch)
        set("CKFetchRecordZoneChangesOperation.recordZoneIDs", \Fetch.recordZoneIDs, [CKRecordZone.ID]?.self)
        set(
            "CKFetchRecordZoneChangesOperation.configurationsByRecordZoneID", \Fetch.configurationsByRecordZoneID,
            [CKRecordZone.ID: Fetch.ZoneConfiguration]?.self)
        set(
            "CKFetchRecordZoneChangesOperation.optionsByRecordZoneID", \Fetch.optionsByRecordZoneID,
            [CKRecordZone.ID: Fetch.ZoneOptions]?.self)
        set("CKFetchRecordZoneChangesOperation.fetchAllChanges", \Fetch.fetchAllChanges, Bool.self)
        fetchZoneChangesBlocks()
    }

    private mutating func fetchZoneChangesBlocks() {
        set(
            "CKFetchRecordZoneChangesOperation.recordWasChangedBlock", \Fetch.recordWasChangedBlock,
            ItemBlock<CKRecord.ID, CKRecord>?.self)
        set(
            "CKFetchRecordZoneChangesOperation.recordWithIDWasDeletedBlock", \Fetch.recordWithIDWasDeletedBlock,
            ((CKRecord.ID, CKRecord.RecordType) -> Void)?.self)
        set(
            "CKFetchRecordZoneChangesOperation.recordZoneChangeTokensUpdatedBlock",
            \Fetch.recordZoneChangeTokensUpdatedBlock,
            ((CKRecordZone.ID, CKServerChangeToken?, Data?) -> Void)?.self)
        set(
            "CKFetchRecordZoneChangesOperation.recordZoneFetchResultBlock", \Fetch.recordZoneFetchResultBlock,
            ItemBlock<
                CKRecordZone.ID,
                (serverChangeToken: CKServerChangeToken, clientChangeTokenData: Data?, moreComing: Bool)
            >?.self)
        set(
            "CKFetchRecordZoneChangesOperation.fetchRecordZoneChangesResultBlock",
            \Fetch.fetchRecordZoneChangesResultBlock, ResultBlock<Void>?.self)
        set(
            "CKFetchRecordZoneChangesOperation.recordChangedBlock", \Fetch.recordChangedBlock,
            ((CKRecord) -> Void)?.self)
        set(
            "CKFetchRecordZoneChangesOperation.recordZoneFetchCompletionBlock", \Fetch.recordZoneFetchCompletionBlock,
            ((CKRecordZone.ID, CKServerChangeToken?, Data?, Bool, (any Error)?) -> Void)?.self)
        set(
            "CKFetchRecordZoneChangesOperation.fetchRecordZoneChangesCompletionBlock",
            \Fetch.fetchRecordZoneChangesCompletionBlock, (((any Error)?) -> Void)?.self)
    }

    mutating func zoneConfiguration() {
        topic("CKFetchRecordZoneChangesOperation")
        typealias Configuration = Fetch.ZoneConfiguration
        type(
            "CKFetchRecordZoneChangesOperation.ZoneConfiguration",
            Configuration.self as any (NSObject & NSSecureCoding & NSCopying & Sendable).Type)
        function(
            "CKFetchRecordZoneChangesOperation.ZoneConfiguration.init()", Configuration.init as () -> Configuration)
        function(
            "CKFetchRecordZoneChangesOperation.ZoneConfiguration.init(previousServerChangeToken:…:desiredKeys:)",
            Configuration.init(previousServerChangeToken:resultsLimit:desiredKeys:)
                as (CKServerChangeToken?, Int?, [CKRecord.FieldKey]?) -> Configuration)
        set(
            "CKFetchRecordZoneChangesOperation.ZoneConfiguration.previousServerChangeToken",
            \Configuration.previousServerChangeToken, CKServerChangeToken?.self)
        set(
            "CKFetchRecordZoneChangesOperation.ZoneConfiguration.resultsLimit", \Configuration.resultsLimit, Int.self)
        set(
            "CKFetchRecordZoneChangesOperation.ZoneConfiguration.desiredKeys", \Configuration.desiredKeys,
            [CKRecord.FieldKey]?.self)
        alias(
            "CKFetchRecordZoneChangesOperation.ZoneOptions", Fetch.ZoneOptions.self, Fetch.ZoneOptions.self)
        _ = \Fetch.ZoneOptions.previousServerChangeToken as WritableKeyPath<Fetch.ZoneOptions, CKServerChangeToken?>
        _ = \Fetch.ZoneOptions.resultsLimit as WritableKeyPath<Fetch.ZoneOptions, Int>
        _ = \Fetch.ZoneOptions.desiredKeys as WritableKeyPath<Fetch.ZoneOptions, [CKRecord.FieldKey]?>
    }

    mutating func fetchDatabaseChangesOperation() {
        topic("CKFetchDatabaseChangesOperation")
        type("CKFetchDatabaseChangesOperation", DatabaseFetch.self as CKDatabaseOperation.Type)
        function("CKFetchDatabaseChangesOperation.init()", DatabaseFetch.init as () -> DatabaseFetch)
        function(
            "CKFetchDatabaseChangesOperation.init(previousServerChangeToken:)",
            DatabaseFetch.init(previousServerChangeToken:) as (CKServerChangeToken?) -> DatabaseFetch)
        set(
            "CKFetchDatabaseChangesOperation.previousServerChangeToken", \DatabaseFetch.previousServerChangeToken,
            CKServerChangeToken?.self)
        set("CKFetchDatabaseChangesOperation.resultsLimit", \DatabaseFetch.resultsLimit, Int.self)
        set("CKFetchDatabaseChangesOperation.fetchAllChanges", \DatabaseFetch.fetchAllChanges, Bool.self)
        fetchDatabaseChangesBlocks()
    }

    private mutating func fetchDatabaseChangesBlocks() {
        typealias ZoneBlock = (CKRecordZone.ID) -> Void
        set(
            "CKFetchDatabaseChangesOperation.recordZoneWithIDChangedBlock", \DatabaseFetch.recordZoneWithIDChangedBlock,
            ZoneBlock?.self)
        set(
            "CKFetchDatabaseChangesOperation.recordZoneWithIDWasDeletedBlock",
            \DatabaseFetch.recordZoneWithIDWasDeletedBlock, ZoneBlock?.self)
        set(
            "CKFetchDatabaseChangesOperation.recordZoneWithIDWasPurgedBlock",
            \DatabaseFetch.recordZoneWithIDWasPurgedBlock, ZoneBlock?.self)
        set(
            "CKFetchDatabaseChangesOperation.recordZoneWithIDWasDeletedDueToUserEncryptedDataResetBlock",
            \DatabaseFetch.recordZoneWithIDWasDeletedDueToUserEncryptedDataResetBlock, ZoneBlock?.self)
        set(
            "CKFetchDatabaseChangesOperation.changeTokenUpdatedBlock", \DatabaseFetch.changeTokenUpdatedBlock,
            ((CKServerChangeToken) -> Void)?.self)
        set(
            "CKFetchDatabaseChangesOperation.fetchDatabaseChangesResultBlock",
            \DatabaseFetch.fetchDatabaseChangesResultBlock,
            ResultBlock<(serverChangeToken: CKServerChangeToken, moreComing: Bool)>?.self)
        set(
            "CKFetchDatabaseChangesOperation.fetchDatabaseChangesCompletionBlock",
            \DatabaseFetch.fetchDatabaseChangesCompletionBlock,
            ((CKServerChangeToken?, Bool, (any Error)?) -> Void)?.self)
    }
}

/// Arguments that may be omitted: compiled, not run.
private func leftOut(_ token: CKServerChangeToken, _ zones: [CKRecordZone.ID]) {
    _ = (Fetch(recordZoneIDs: zones), Fetch(configurationsByRecordZoneID: [:]), Fetch(), DatabaseFetch())
    _ = Fetch.ZoneConfiguration(previousServerChangeToken: token)
    _ = (Fetch.ZoneConfiguration(resultsLimit: 1), Fetch.ZoneConfiguration(desiredKeys: []))
}
