/// Finds people who agreed to be found. Nobody can be found yet: it fails, and no block of a person is called.
@available(*, deprecated, message: "Apple's service finds nobody any more. Find participants of shares instead.")
open class CKDiscoverUserIdentitiesOperation: CKOperation, @unchecked Sendable {
    public var userIdentityLookupInfos: [CKUserIdentity.LookupInfo] = []

    public var userIdentityDiscoveredBlock: ((CKUserIdentity, CKUserIdentity.LookupInfo) -> Void)?
    public var discoverUserIdentitiesResultBlock: ((Result<Void, any Error>) -> Void)?
    public var discoverUserIdentitiesCompletionBlock: (((any Error)?) -> Void)?

    public init() { super.init(()) }

    public convenience init(userIdentityLookupInfos: [CKUserIdentity.LookupInfo]) {
        self.init()
        self.userIdentityLookupInfos = userIdentityLookupInfos
    }

    override func perform(_ terms: Service.Terms) async throws(CKError) { throw NotYet.discovery.error }

    override func conclude(_ error: CKError?) {
        discoverUserIdentitiesResultBlock?(error.map { .failure($0) } ?? .success(()))
        discoverUserIdentitiesCompletionBlock?(error)
    }
}

/// Finds those of a person's contacts who agreed to be found. Nobody can be found yet: it fails, and no block of a person is
/// called.
@available(*, deprecated, message: "Apple's service finds nobody any more. Find participants of shares instead.")
open class CKDiscoverAllUserIdentitiesOperation: CKOperation, @unchecked Sendable {
    public var userIdentityDiscoveredBlock: ((CKUserIdentity) -> Void)?
    public var discoverAllUserIdentitiesResultBlock: ((Result<Void, any Error>) -> Void)?
    public var discoverAllUserIdentitiesCompletionBlock: (((any Error)?) -> Void)?

    public init() { super.init(()) }

    override func perform(_ terms: Service.Terms) async throws(CKError) { throw NotYet.discovery.error }

    override func conclude(_ error: CKError?) {
        discoverAllUserIdentitiesResultBlock?(error.map { .failure($0) } ?? .success(()))
        discoverAllUserIdentitiesCompletionBlock?(error)
    }
}
