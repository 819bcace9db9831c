import Foundation

/// Fetches a web auth token of the person who is signed in, for a web page or another program that acts for the same
/// person. Run it on the private database.
open class CKFetchWebAuthTokenOperation: CKDatabaseOperation, @unchecked Sendable {
    /// The API token of the app that will send the web auth token. It is not sent: a Nephos server creates one web auth
    /// token for all apps of the container.
    public var apiToken: String?

    /// Called once with the token, or with a ``CKError``: `notAuthenticated` when nobody is signed in.
    public var fetchWebAuthTokenResultBlock: ((_ operationResult: Result<String, any Error>) -> Void)?
    /// The older form of ``fetchWebAuthTokenResultBlock``: called with a token or an error.
    @available(*, deprecated, message: "Use fetchWebAuthTokenResultBlock.")
    public var fetchWebAuthTokenCompletionBlock: ((String?, (any Error)?) -> Void)? {
        get { oldCompletion }
        set { oldCompletion = newValue }
    }
    private var oldCompletion: ((String?, (any Error)?) -> Void)?
    private var token: String?

    /// Creates an operation without an API token.
    public init() { super.init(()) }

    /// Creates an operation for the app that has this API token.
    public convenience init(apiToken: String) {
        self.init()
        self.apiToken = apiToken
    }

    override func perform(_ terms: Service.Terms) async throws(CKError) {
        let service = target.core.service
        guard service.isSignedIn else { throw .signedOut("token") }
        // The response contains a new token.
        try await service.confirmUser(terms)
        token = try service.webAuthToken(terms)
    }

    override func conclude(_ error: CKError?) {
        let result: Result<String, any Error>
        if let token, error == nil { result = .success(token) } else { result = .failure(error ?? CKError.unanswered) }
        fetchWebAuthTokenResultBlock?(result)
        oldCompletion?(try? result.get(), result.failure)
    }
}
