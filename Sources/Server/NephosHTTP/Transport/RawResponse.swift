/// One answer, whole. The connection adds what every answer carries: request id, CloudKit version, CORS, date, length.
package struct RawResponse: Sendable {
    package var status: Int
    package var contentType: String
    package var body: [UInt8]
    /// Headers of this answer only, in order: `X-Apple-CloudKit-Web-Auth-Token`, `Retry-After`, `Location`, …
    /// Names and values are ASCII without control characters; a header that is not is left out.
    package var headers: [(name: String, value: String)]
    /// Closes the connection once the answer is sent.
    package var closesConnection: Bool
    /// What the request was about, for metrics: a short constant such as `records/modify`. Never anything a client wrote.
    package var endpoint: String

    package init(
        status: Int = 200, contentType: String = RawResponse.json, body: [UInt8],
        headers: [(name: String, value: String)] = [], closesConnection: Bool = false, endpoint: String = "other"
    ) {
        self.status = status
        self.contentType = contentType
        self.body = body
        self.headers = headers
        self.closesConnection = closesConnection
        self.endpoint = endpoint
    }

    /// Content type of everything that is not a page or metrics.
    package static let json = "application/json; charset=UTF-8"
}
