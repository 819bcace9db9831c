/// Looks up people who agreed to be found. Looking up people is not supported yet: the operation fails, and no block is
/// called for a single person.
@available(*, deprecated, message: "Apple's service no longer discovers users. Fetch participants of shares instead.")
open class CKDiscoverUserIdentitiesOperation: CKOperation, @unchecked Sendable {
    /// The information for looking up people.
    public var userIdentityLookupInfos: [CKUserIdentity.LookupInfo] = []

    /// Would be called for each person. Never called.
    public var userIdentityDiscoveredBlock: ((CKUserIdentity, CKUserIdentity.LookupInfo) -> Void)?
    /// Called once at the end with `serverRejectedRequest`.
    public var discoverUserIdentitiesResultBlock: ((Result<Void, any Error>) -> Void)?
    /// Called once at the end with `serverRejectedRequest`.
    public var discoverUserIdentitiesCompletionBlock: (((any Error)?) -> Void)?

    /// Creates an operation that finds nobody.
    public init() { super.init(()) }

    /// Creates an operation that finds nobody, whatever information it is passed.
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

/// Looks up those of a person's contacts who agreed to be found. Looking up people is not supported yet: the operation
/// fails, and no block is called for a single person.
@available(*, deprecated, message: "Apple's service no longer discovers users. Fetch participants of shares instead.")
open class CKDiscoverAllUserIdentitiesOperation: CKOperation, @unchecked Sendable {
    /// Would be called for each person. Never called.
    public var userIdentityDiscoveredBlock: ((CKUserIdentity) -> Void)?
    /// Called once at the end with `serverRejectedRequest`.
    public var discoverAllUserIdentitiesResultBlock: ((Result<Void, any Error>) -> Void)?
    /// Called once at the end with `serverRejectedRequest`.
    public var discoverAllUserIdentitiesCompletionBlock: (((any Error)?) -> Void)?

    /// Creates an operation that finds nobody.
    public init() { super.init(()) }

    override func perform(_ terms: Service.Terms) async throws(CKError) { throw NotYet.discovery.error }

    override func conclude(_ error: CKError?) {
        discoverAllUserIdentitiesResultBlock?(error.map { .failure($0) } ?? .success(()))
        discoverAllUserIdentitiesCompletionBlock?(error)
    }
}
