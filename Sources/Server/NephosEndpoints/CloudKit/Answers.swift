import CloudKitWire
import NephosDomain
import NephosStorage

/// Whole answers: success, refusal, and what is said before an endpoint is known.
enum Answers {
    static func success(_ body: [UInt8], _ step: CloudKitResponder.Step) -> RawResponse {
        RawResponse(
            body: body, headers: rotation(step.call, step.issuer), endpoint: step.call.endpoint.rawValue)
    }

    /// The next web auth token, on every answer to a signed-in person. Those before it stay good.
    private static func rotation(
        _ call: Call, _ issuer: WebAuthToken.Issuer?
    ) -> [(name: String, value: String)] {
        guard let issuer else { return [] }
        return [("X-Apple-CloudKit-Web-Auth-Token", issuer.token(nonce: call.request.id.low))]
    }

    /// A refusal of the whole request.
    static func refusal(_ refusal: Refusal, _ call: Call, _ issuer: WebAuthToken.Issuer? = nil) -> RawResponse {
        var error = ErrorDictionary(refusal, extras: call.wantsExtras)
        error.uuid = call.request.id.text
        if case .authenticationRequired = refusal { error.redirectURL = SignInPage.url(for: call) }
        var writer = JSONWriter()
        error.write(to: &writer)
        var headers = rotation(call, issuer)
        if let seconds = refusal.retryAfter { headers.append(("Retry-After", String(seconds))) }
        return RawResponse(
            status: refusal.serverErrorCode.httpStatus, body: writer.bytes, headers: headers,
            endpoint: call.endpoint.rawValue)
    }

    /// An answer to a path that names no endpoint.
    static func problem(_ problem: RequestPath.Problem, _ request: RawRequest) -> RawResponse {
        switch problem {
        case .unknownPath:
            return RawResponse(
                404, .notFound, "no handler found for this endpoint; see docs/protocol.md", id: request.id)
        case .badRequest(let reason):
            return RawResponse(400, .badRequest, reason, id: request.id)
        }
    }

    static func methodNotAllowed(_ endpoint: Endpoint, _ request: RawRequest) -> RawResponse {
        var response = RawResponse(
            405, .badRequest, "\(endpoint.rawValue) answers \(endpoint.allow)", id: request.id,
            endpoint: endpoint.rawValue)
        response.headers.append(("Allow", endpoint.allow))
        return response
    }
}

extension ErrorDictionary {
    /// - Parameter extras: For a client that sent `X-Nephos-Client: 1`.
    init(_ refusal: Refusal, extras: Bool) {
        self.init(
            refusal.serverErrorCode, refusal.reason, retryAfter: refusal.retryAfter,
            ckErrorCode: extras ? refusal.ckErrorCode : nil)
    }
}
