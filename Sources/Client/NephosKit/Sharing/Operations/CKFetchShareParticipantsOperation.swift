/// Creates participants to add to a share, for people who are named by their user records or email addresses. No request is sent: whether
/// there is somebody with an address is found out when they accept the share, so that nobody learns who has an account.
open class CKFetchShareParticipantsOperation: CKOperation, @unchecked Sendable {
    /// The information for looking up people.
    public var userIdentityLookupInfos: [CKUserIdentity.LookupInfo]?

    /// Called for each person with a participant, who may read, or with a ``CKError``: `invalidArguments` for a telephone number.
    public var perShareParticipantResultBlock:
        (
            (_ lookupInfo: CKUserIdentity.LookupInfo, _ shareParticipantResult: Result<CKShare.Participant, any Error>)
                -> Void
        )?
    /// Called once at the end. Failures of single people are reported for each, and do not fail the operation.
    public var fetchShareParticipantsResultBlock: ((_ operationResult: Result<Void, any Error>) -> Void)?
    /// The older form of ``perShareParticipantResultBlock``: called for those who can be added.
    @available(*, deprecated, message: "Use perShareParticipantResultBlock.")
    public var shareParticipantFetchedBlock: ((CKShare.Participant) -> Void)? {
        get { oldFetched }
        set { oldFetched = newValue }
    }
    /// The older form of ``fetchShareParticipantsResultBlock``: called with `partialFailure` if some people failed.
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

    private(set) var results: [CKUserIdentity.LookupInfo: Result<CKShare.Participant, any Error>] = [:]

    override func perform(_ terms: Service.Terms) async throws(CKError) {
        let infos = (userIdentityLookupInfos ?? []).unique
        try RequestLimits.check(infos.count)
        await call { for info in infos { self.report(info, Self.participant(for: info)) } }
    }

    private static func participant(
        for info: CKUserIdentity.LookupInfo
    ) -> Result<CKShare.Participant, any Error> {
        guard info.phoneNumber == nil else {
            return .failure(
                CKError(
                    .invalidArguments,
                    "people are not found by their telephone numbers: name an email address or a user record"))
        }
        let identity = CKUserIdentity(
            userRecordID: info.userRecordID, lookupInfo: info, hasAccount: info.userRecordID != nil)
        return .success(CKShareParticipant(identity, CKShareParticipant.Members(permission: .readOnly)))
    }

    private func report(_ info: CKUserIdentity.LookupInfo, _ result: Result<CKShare.Participant, any Error>) {
        results[info] = result
        perShareParticipantResultBlock?(info, result)
        if let participant = try? result.get() { oldFetched?(participant) }
    }

    override func conclude(_ error: CKError?) {
        fetchShareParticipantsResultBlock?(error.map { .failure($0) } ?? .success(()))
        oldCompletion?(error ?? CKError.partial(results.failures(), "Failed to fetch some participants"))
    }
}
