package import CloudKitWire
package import NephosDomain
import NephosStorage

/// Whole responses: success, refusal, and responses that are sent before an endpoint is known.
package enum Answers {
    static func success(_ body: [UInt8], _ call: AdmittedCall) -> RawResponse {
        RawResponse(
            body: body, headers: rotation(call.call, call.issuer), endpoint: call.call.endpoint.label)
    }

    /// The next web auth token, on every answer to a signed-in person. Earlier tokens stay valid.
    static func rotation(
        _ call: Call, _ issuer: WebAuthToken.Issuer?
    ) -> [(name: String, value: String)] {
        guard let issuer else { return [] }
        return [("X-Apple-CloudKit-Web-Auth-Token", issuer.token(nonce: call.request.id.low))]
    }

    /// A refusal of the whole request.
    ///
    /// - Parameters:
    ///   - status: Replaces the refusal's own status.
    ///   - redirectURL: Where a person signs in.
    package static func refusal(
        _ refusal: Refusal, _ call: Call, status: Int? = nil, redirectURL: String? = nil
    ) -> RawResponse {
        self.refusal(refusal, call, nil, status: status, redirectURL: redirectURL)
    }

    static func refusal(
        _ refusal: Refusal, _ call: Call, _ issuer: WebAuthToken.Issuer?, status: Int? = nil, redirectURL: String? = nil
    ) -> RawResponse {
        var answer = self.refusal(
            refusal, call.request, extras: call.wantsExtras, status: status, redirectURL: redirectURL,
            label: call.endpoint.label, members: call.endpoint.errorMembers, value: call.path.values.first)
        answer.headers.insert(contentsOf: rotation(call, issuer), at: 0)
        return answer
    }

    private static func refusal(
        _ refusal: Refusal, _ request: RawRequest, extras: Bool, status: Int?, redirectURL: String?, label: String,
        members: ErrorMembers? = nil, value: Substring? = nil
    ) -> RawResponse {
        var error = ErrorDictionary(refusal, extras: extras)
        error.uuid = request.id.text
        error.redirectURL = redirectURL
        return RawResponse(
            status: status ?? refusal.serverErrorCode.httpStatus, body: error.bytes(members, value),
            headers: refusal.retryAfter.map { [("Retry-After", String($0))] } ?? [], endpoint: label)
    }

    /// The response to a path that names no endpoint: a page for people, an error dictionary for programs.
    ///
    /// - Parameter base: The path below which all pages are.
    static func problem(
        _ problem: EndpointPath.Problem, _ request: RawRequest, _ endpoints: EndpointTable, below base: String
    ) -> RawResponse {
        func answer(_ status: Int, _ code: ServerErrorCode, _ reason: String) -> RawResponse {
            let members = endpoints.errorMembers(near: request.path)
            guard members == nil, request.isFromPerson else {
                return RawResponse(status, code, reason, id: request.id, members: members)
            }
            return MissingPage.answer(status: status, reason, below: base)
        }
        switch problem {
        case .unknownPath(let hint):
            return answer(404, .notFound, "no handler found for this endpoint: \(hint); see docs/protocol.md")
        case .noFile:
            return refusal(
                .fileNotFound, request, extras: request.headers.first(.client) == "1", status: 404, redirectURL: nil,
                label: endpoints.files?.label ?? "other")
        case .badRequest(let reason): return answer(400, .badRequest, reason)
        }
    }

    static func methodNotAllowed(_ call: Call) -> RawResponse {
        let endpoint = call.endpoint
        var response: RawResponse
        if let methods = endpoint.methodReason {
            response = refusal(.badRequest(methods.reason), call, status: 405)
        } else {
            let accepted = endpoint.methods.map(\.rawValue).joined(separator: " or ")
            response = RawResponse(
                405, .badRequest,
                "\(endpoint.name) does not accept \(call.request.method.rawValue.prefix(20)): send \(accepted)",
                id: call.request.id, endpoint: endpoint.label, members: endpoint.errorMembers,
                value: call.path.values.first)
        }
        response.headers.append(("Allow", endpoint.allow))
        return response
    }
}

extension ErrorDictionary {
    /// As JSON.
    ///
    /// - Parameters:
    ///   - members: What it contains in addition.
    ///   - value: What matches a segment in braces of the endpoint's name.
    func bytes(_ members: ErrorMembers?, _ value: Substring?) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        members?.write(&json, reason, value)
        writeMembers(to: &json)
        json.endObject()
        return json.bytes
    }

    /// - Parameter extras: For a client that sent `X-Nephos-Client: 1`.
    package init(_ refusal: Refusal, extras: Bool) {
        self.init(
            refusal.serverErrorCode, refusal.reason, retryAfter: refusal.retryAfter,
            ckErrorCode: extras ? refusal.ckErrorCode : nil)
    }
}
