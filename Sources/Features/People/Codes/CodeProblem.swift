import CloudKitWire
import NephosDomain
import NephosRunner

/// Why a program gets no code or session (RFC 8628 §3.5, RFC 6749 §5.2), along with the error that CloudKit's clients read.
struct CodeProblem: Error {
    /// The error code of the RFCs.
    enum Word: String {
        case pending = "authorization_pending"
        case slowDown = "slow_down"
        case denied = "access_denied"
        case expired = "expired_token"
        case request = "invalid_request"
        case client = "invalid_client"
        case grant = "invalid_grant"
        case grantType = "unsupported_grant_type"
        case unavailable = "temporarily_unavailable"
    }

    let word: Word
    let refusal: Refusal
    var status = 400

    static func pending(_ seconds: Int64) -> Self {
        Self(
            word: .pending,
            refusal: .tryAgainLater(
                "the person has not answered yet: ask again after the seconds in interval", seconds: Int(seconds)))
    }

    static func slowDown(_ seconds: Int64) -> Self {
        Self(
            word: .slowDown,
            refusal: .throttled(
                "you ask too often: wait five seconds longer between requests from now on", seconds: Int(seconds)))
    }

    static let denied = Self(
        word: .denied,
        refusal: .accessDenied(
            "the person refused, or has already ended the session: request another code to ask again"))
    static let expired = Self(
        word: .expired, refusal: .authenticationFailed("this code has expired after ten minutes: request another"))
    static let grant = Self(
        word: .grant,
        refusal: .authenticationFailed(
            "device_code is not known to this container, environment and client_id, or was already used: request another"
        ))
    static let client = Self(
        word: .client,
        refusal: .authenticationFailed(
            "client_id is missing, or is not an API token of this container and environment: send client_id=TOKEN as a form"
        ), status: 401)
    static let grantType = Self(
        word: .grantType,
        refusal: .badRequest("grant_type must be \(SignInByCode.grantType)"))
    static let form = Self(
        word: .request,
        refusal: .badRequest("the body must be a form (application/x-www-form-urlencoded) of at most 16 KB, in UTF-8"))
    static let deviceCode = Self(
        word: .request, refusal: .badRequest("device_code is missing: send the one that sign-in/device-code returned"))

    /// - Parameter seconds: When the oldest of them expires.
    static func tooMany(_ seconds: Int) -> Self {
        Self(
            word: .slowDown,
            refusal: .throttled(
                "your network already has \(SignInByCode.networkMax) unused codes: use one, or try again after retryAfter seconds",
                seconds: seconds),
            status: 429)
    }

    /// Maps a general refusal to these errors.
    init(_ refusal: Refusal) {
        switch refusal {
        case .authenticationFailed, .authenticationRequired: self = .client
        case .badRequest, .limitExceeded:
            self.init(word: .request, refusal: refusal)
        default:
            self.init(word: .unavailable, refusal: refusal, status: refusal.serverErrorCode.httpStatus)
        }
    }

    private init(word: Word, refusal: Refusal, status: Int = 400) {
        (self.word, self.refusal, self.status) = (word, refusal, status)
    }

    func answer(_ call: Call) -> RawResponse {
        var error = ErrorDictionary(refusal, extras: call.wantsExtras)
        error.uuid = call.request.id.text
        var json = JSONWriter()
        json.beginObject()
        json.member("error", word.rawValue)
        json.member("error_description", refusal.reason)
        error.writeMembers(to: &json)
        json.endObject()
        let retry = refusal.retryAfter.map { [("Retry-After", "\($0)")] } ?? []
        return RawResponse(
            status: status, body: json.bytes, headers: SessionAnswer.headers + retry,
            endpoint: call.path.endpoint.label)
    }
}
