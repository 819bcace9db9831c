package import CloudKitWire
import NephosDomain

extension RawResponse {
    /// An error dictionary, for a request that is refused before or instead of an endpoint.
    ///
    /// - Parameters:
    ///   - retryAfter: Seconds, if a retry can help.
    ///   - members: What it contains in addition.
    ///   - value: What matches a segment in braces of the endpoint's name.
    package init(
        _ status: Int, _ code: ServerErrorCode, _ reason: String, id: RequestID, retryAfter: Int? = nil,
        endpoint: String = "other", members: ErrorMembers? = nil, value: Substring? = nil
    ) {
        let error = ErrorDictionary(code, reason, uuid: id.text, retryAfter: retryAfter)
        self.init(
            status: status, body: error.bytes(members, value),
            headers: retryAfter.map { [("Retry-After", String($0))] } ?? [], endpoint: endpoint)
    }

    /// The response for an unexpected error.
    package static func unforeseen(id: RequestID) -> RawResponse {
        RawResponse(
            500, .internalError, Refusal.failed.reason, id: id, endpoint: "transport")
    }
}
