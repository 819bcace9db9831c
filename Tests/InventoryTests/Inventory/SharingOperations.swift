import CloudKit

/// Operations for shares and for discovering users.
@available(*, deprecated, message: "It names what is deprecated as well.")
extension Inventory {
    mutating func acceptSharesOperation() {
        topic("CKAcceptSharesOperation", .notYet)
        typealias Accept = CKAcceptSharesOperation
        type("CKAcceptSharesOperation", Accept.self as CKOperation.Type)
        function("CKAcceptSharesOperation.init()", Accept.init as () -> Accept)
        function(
            "CKAcceptSharesOperation.init(shareMetadatas:)",
            Accept.init(shareMetadatas:) as ([CKShare.Metadata]) -> Accept)
        set("CKAcceptSharesOperation.shareMetadatas", \Accept.shareMetadatas, [CKShare.Metadata]?.self)
        set(
            "CKAcceptSharesOperation.perShareResultBlock", \Accept.perShareResultBlock,
            ItemBlock<CKShare.Metadata, CKShare>?.self)
        set("CKAcceptSharesOperation.acceptSharesResultBlock", \Accept.acceptSharesResultBlock, ResultBlock<Void>?.self)
        set(
            "CKAcceptSharesOperation.perShareCompletionBlock", \Accept.perShareCompletionBlock,
            ((CKShare.Metadata, CKShare?, (any Error)?) -> Void)?.self)
        set(
            "CKAcceptSharesOperation.acceptSharesCompletionBlock", \Accept.acceptSharesCompletionBlock,
            (((any Error)?) -> Void)?.self)
    }

    mutating func fetchShareMetadataOperation() {
        topic("CKFetchShareMetadataOperation", .notYet)
        typealias Fetch = CKFetchShareMetadataOperation
        type("CKFetchShareMetadataOperation", Fetch.self as CKOperation.Type)
        function("CKFetchShareMetadataOperation.init()", Fetch.init as () -> Fetch)
        function("CKFetchShareMetadataOperation.init(shareURLs:)", Fetch.init(shareURLs:) as ([URL]) -> Fetch)
        set("CKFetchShareMetadataOperation.shareURLs", \Fetch.shareURLs, [URL]?.self)
        set("CKFetchShareMetadataOperation.shouldFetchRootRecord", \Fetch.shouldFetchRootRecord, Bool.self)
        set(
            "CKFetchShareMetadataOperation.rootRecordDesiredKeys", \Fetch.rootRecordDesiredKeys,
            [CKRecord.FieldKey]?.self)
        set(
            "CKFetchShareMetadataOperation.perShareMetadataResultBlock", \Fetch.perShareMetadataResultBlock,
            ItemBlock<URL, CKShare.Metadata>?.self)
        set(
            "CKFetchShareMetadataOperation.fetchShareMetadataResultBlock", \Fetch.fetchShareMetadataResultBlock,
            ResultBlock<Void>?.self)
        set(
            "CKFetchShareMetadataOperation.perShareMetadataBlock", \Fetch.perShareMetadataBlock,
            ((URL, CKShare.Metadata?, (any Error)?) -> Void)?.self)
        set(
            "CKFetchShareMetadataOperation.fetchShareMetadataCompletionBlock", \Fetch.fetchShareMetadataCompletionBlock,
            (((any Error)?) -> Void)?.self)
    }

    mutating func fetchShareParticipantsOperation() {
        topic("CKFetchShareParticipantsOperation", .notYet)
        typealias Fetch = CKFetchShareParticipantsOperation
        type("CKFetchShareParticipantsOperation", Fetch.self as CKOperation.Type)
        function("CKFetchShareParticipantsOperation.init()", Fetch.init as () -> Fetch)
        function(
            "CKFetchShareParticipantsOperation.init(userIdentityLookupInfos:)",
            Fetch.init(userIdentityLookupInfos:) as ([CKUserIdentity.LookupInfo]) -> Fetch)
        set(
            "CKFetchShareParticipantsOperation.userIdentityLookupInfos", \Fetch.userIdentityLookupInfos,
            [CKUserIdentity.LookupInfo]?.self)
        set(
            "CKFetchShareParticipantsOperation.perShareParticipantResultBlock", \Fetch.perShareParticipantResultBlock,
            ItemBlock<CKUserIdentity.LookupInfo, CKShare.Participant>?.self)
        set(
            "CKFetchShareParticipantsOperation.fetchShareParticipantsResultBlock",
            \Fetch.fetchShareParticipantsResultBlock, ResultBlock<Void>?.self)
        set(
            "CKFetchShareParticipantsOperation.shareParticipantFetchedBlock", \Fetch.shareParticipantFetchedBlock,
            ((CKShare.Participant) -> Void)?.self)
        set(
            "CKFetchShareParticipantsOperation.fetchShareParticipantsCompletionBlock",
            \Fetch.fetchShareParticipantsCompletionBlock, (((any Error)?) -> Void)?.self)
    }

    mutating func shareRequestAccessOperation() {
        topic("CKShareRequestAccessOperation", .notYet)
        typealias Request = CKShareRequestAccessOperation
        type("CKShareRequestAccessOperation", Request.self as CKOperation.Type)
        function("CKShareRequestAccessOperation.init(shareURLs:)", Request.init(shareURLs:) as ([URL]) -> Request)
        set("CKShareRequestAccessOperation.shareURLs", \Request.shareURLs, [URL]?.self)
        set(
            "CKShareRequestAccessOperation.perShareAccessRequestResultBlock", \Request.perShareAccessRequestResultBlock,
            ItemBlock<URL, Void>?.self)
        set(
            "CKShareRequestAccessOperation.shareAccessRequestResultBlock", \Request.shareAccessRequestResultBlock,
            ResultBlock<Void>?.self)
    }

    mutating func discoverUserIdentitiesOperation() {
        topic("CKDiscoverUserIdentitiesOperation", .notYet)
        typealias Discover = CKDiscoverUserIdentitiesOperation
        type("CKDiscoverUserIdentitiesOperation", Discover.self as CKOperation.Type)
        function("CKDiscoverUserIdentitiesOperation.init()", Discover.init as () -> Discover)
        function(
            "CKDiscoverUserIdentitiesOperation.init(userIdentityLookupInfos:)",
            Discover.init(userIdentityLookupInfos:) as ([CKUserIdentity.LookupInfo]) -> Discover)
        set(
            "CKDiscoverUserIdentitiesOperation.userIdentityLookupInfos", \Discover.userIdentityLookupInfos,
            [CKUserIdentity.LookupInfo].self)
        set(
            "CKDiscoverUserIdentitiesOperation.userIdentityDiscoveredBlock", \Discover.userIdentityDiscoveredBlock,
            ((CKUserIdentity, CKUserIdentity.LookupInfo) -> Void)?.self)
        set(
            "CKDiscoverUserIdentitiesOperation.discoverUserIdentitiesResultBlock",
            \Discover.discoverUserIdentitiesResultBlock, ResultBlock<Void>?.self)
        set(
            "CKDiscoverUserIdentitiesOperation.discoverUserIdentitiesCompletionBlock",
            \Discover.discoverUserIdentitiesCompletionBlock, (((any Error)?) -> Void)?.self)
    }

    mutating func discoverAllUserIdentitiesOperation() {
        topic("CKDiscoverAllUserIdentitiesOperation", .notYet)
        typealias Discover = CKDiscoverAllUserIdentitiesOperation
        type("CKDiscoverAllUserIdentitiesOperation", Discover.self as CKOperation.Type)
        function("CKDiscoverAllUserIdentitiesOperation.init()", Discover.init as () -> Discover)
        set(
            "CKDiscoverAllUserIdentitiesOperation.userIdentityDiscoveredBlock", \Discover.userIdentityDiscoveredBlock,
            ((CKUserIdentity) -> Void)?.self)
        set(
            "CKDiscoverAllUserIdentitiesOperation.discoverAllUserIdentitiesResultBlock",
            \Discover.discoverAllUserIdentitiesResultBlock, ResultBlock<Void>?.self)
        set(
            "CKDiscoverAllUserIdentitiesOperation.discoverAllUserIdentitiesCompletionBlock",
            \Discover.discoverAllUserIdentitiesCompletionBlock, (((any Error)?) -> Void)?.self)
    }
}
