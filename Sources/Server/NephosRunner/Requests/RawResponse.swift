/// One complete response. The connection adds the headers of every response: request id, CloudKit version, CORS, date, length.
package struct RawResponse: Sendable {
    package var status: Int
    package var contentType: String
    package var body: [UInt8]
    /// Headers of this answer only, in order: `X-Apple-CloudKit-Web-Auth-Token`, `Retry-After`, `Location`, …
    /// Names and values are ASCII without control characters; a header that is not is left out.
    package var headers: [(name: String, value: String)]
    /// Closes the connection once the answer is sent.
    package var closesConnection: Bool
    /// The label of the request for metrics: a short constant such as `records/modify`. Never text from a client.
    package var endpoint: String
    /// Called once with the fate of this response, if it was passed to the connection at all; on any thread, where blocking is
    /// not allowed. True when the socket has accepted all of it, which does not mean that the client has received it; false if
    /// that will not happen: the connection closed, the response was too late, or an error was sent instead for lack of room.
    package var whenSent: (@Sendable (Bool) -> Void)?
    /// Whether pages of any origin may read it, as with all CloudKit responses.
    package var isForAllOrigins = true

    package init(
        status: Int = 200, contentType: String = RawResponse.json, body: [UInt8],
        headers: [(name: String, value: String)] = [], closesConnection: Bool = false, endpoint: String = "other",
        whenSent: (@Sendable (Bool) -> Void)? = nil
    ) {
        self.status = status
        self.contentType = contentType
        self.body = body
        self.headers = headers
        self.closesConnection = closesConnection
        self.endpoint = endpoint
        self.whenSent = whenSent
    }

    /// Content type of everything that is not a page or metrics.
    package static let json = "application/json; charset=UTF-8"
}
