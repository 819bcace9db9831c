package import CloudKitWire
import NephosDomain

extension RawResponse {
    /// An error dictionary, for a request that is refused before or instead of an endpoint.
    ///
    /// - Parameter retryAfter: Seconds, if a retry can help.
    package init(
        _ status: Int, _ code: ServerErrorCode, _ reason: String, id: RequestID, retryAfter: Int? = nil,
        endpoint: String = "other"
    ) {
        var writer = JSONWriter()
        ErrorDictionary(code, reason, uuid: id.text, retryAfter: retryAfter).write(to: &writer)
        self.init(
            status: status, body: writer.bytes, headers: retryAfter.map { [("Retry-After", String($0))] } ?? [],
            endpoint: endpoint)
    }

    /// The response for an unexpected error.
    package static func unforeseen(id: RequestID) -> RawResponse {
        RawResponse(
            500, .internalError, Refusal.failed.reason, id: id, endpoint: "transport")
    }
}
