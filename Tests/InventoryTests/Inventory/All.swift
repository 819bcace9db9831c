/// All of them, in the order of the list.
@available(*, deprecated, message: "It names what is deprecated as well.")
extension Inventory {
    static var all: Inventory {
        var inventory = Inventory()
        inventory.all()
        return inventory
    }

    private mutating func all() {
        constants()
        systemFieldKeys()
        values()
        namesInBetween()
        containers()
        databases()
        recordsAndQueries()
        operationsOfAllKinds()
        subscriptionsAndNotifications()
        sharing()
        errors()
        errorCodes()
        errorPatterns()
        oldTypes()
        oldConstants()
        oldSharingTypes()
    }

    private mutating func containers() {
        container()
        account()
        permissions()
        discovery()
        participants()
        shareMetadata()
        longLivedOperations()
    }

    private mutating func databases() {
        database()
        oneRecord()
        oneZone()
        oneSubscription()
        manyRecords()
        queries()
        manyZones()
        manySubscriptions()
        changes()
        changesOfDatabases()
        changesOfZones()
    }

    private mutating func recordsAndQueries() {
        records()
        fields()
        recordIDs()
        references()
        assets()
        zones()
        zoneIDs()
        changeTokens()
        query()
    }

    private mutating func operationsOfAllKinds() {
        operations()
        configuration()
        group()
        queryOperation()
        fetchRecordsOperation()
        modifyRecordsOperation()
        fetchZoneChangesOperation()
        zoneConfiguration()
        fetchDatabaseChangesOperation()
        fetchZonesOperation()
        modifyZonesOperation()
        fetchSubscriptionsOperation()
        modifySubscriptionsOperation()
        acceptSharesOperation()
        fetchShareMetadataOperation()
        fetchShareParticipantsOperation()
        shareRequestAccessOperation()
        fetchWebAuthTokenOperation()
        discoverUserIdentitiesOperation()
        discoverAllUserIdentitiesOperation()
        fetchRecordChangesOperation()
        fetchNotificationChangesOperation()
        markNotificationsReadOperation()
        modifyBadgeOperation()
    }

    private mutating func subscriptionsAndNotifications() {
        subscriptions()
        querySubscriptions()
        zoneSubscriptions()
        databaseSubscriptions()
        notificationInfo()
        notifications()
        notificationKinds()
    }

    private mutating func sharing() {
        share()
        shareKinds()
        participant()
        metadata()
        accessRequests()
        identities()
        sharingOptions()
        sharingObserver()
    }
}
