/// Fetches participants to add to a share. Sharing is not supported yet: the operation fails, and no block is called
/// for a single person.
open class CKFetchShareParticipantsOperation: CKOperation, @unchecked Sendable {
    /// The information for looking up people.
    public var userIdentityLookupInfos: [CKUserIdentity.LookupInfo]?

    /// Would be called for each person. Never called.
    public var perShareParticipantResultBlock:
        (
            (_ lookupInfo: CKUserIdentity.LookupInfo, _ shareParticipantResult: Result<CKShare.Participant, any Error>)
                -> Void
        )?
    /// Called once at the end with `serverRejectedRequest`.
    public var fetchShareParticipantsResultBlock: ((_ operationResult: Result<Void, any Error>) -> Void)?
    /// The older form of ``perShareParticipantResultBlock``. Never called.
    @available(*, deprecated, message: "Use perShareParticipantResultBlock.")
    public var shareParticipantFetchedBlock: ((CKShare.Participant) -> Void)? {
        get { oldFetched }
        set { oldFetched = newValue }
    }
    /// The older form of ``fetchShareParticipantsResultBlock``: called once at the end with `serverRejectedRequest`.
    @available(*, deprecated, message: "Use fetchShareParticipantsResultBlock.")
    public var fetchShareParticipantsCompletionBlock: (((any Error)?) -> Void)? {
        get { oldCompletion }
        set { oldCompletion = newValue }
    }
    private var oldFetched: ((CKShare.Participant) -> Void)?
    private var oldCompletion: (((any Error)?) -> Void)?

    /// Creates an operation that looks up no people.
    public init() { super.init(()) }

    /// Creates an operation that looks up people.
    public convenience init(userIdentityLookupInfos: [CKUserIdentity.LookupInfo]) {
        self.init()
        self.userIdentityLookupInfos = userIdentityLookupInfos
    }

    override func perform(_ terms: Service.Terms) async throws(CKError) { throw NotYet.participants.error }

    override func conclude(_ error: CKError?) {
        fetchShareParticipantsResultBlock?(error.map { .failure($0) } ?? .success(()))
        oldCompletion?(error)
    }
}
