/// Requests that this server sends to other servers for its features. Requests to URLs in the operator's own network are refused,
/// unless the operator permits the host, as for webhooks (docs/decisions/0017).
package protocol OutgoingHTTP: Sendable {
    /// Sends one request, once; redirects are not followed. A response with any status is a success.
    func send(_ request: OutgoingRequest) async throws(OutgoingFailure) -> OutgoingAnswer
    /// What prevents all requests at this machine, as a sentence for the operator; nil for nothing.
    var warning: String? { get }
    /// Shuts down; running requests fail. Called once, when no more requests are sent.
    func close() async
}

extension OutgoingHTTP {
    package var warning: String? { nil }
    package func close() async {}
}

package struct OutgoingRequest: Sendable {
    /// A longer body is not sent.
    package static let bodyBytesMax = 1 << 20

    package var method: RequestMethod
    /// `https` or `http`, absolute, at most 2,048 bytes, without a fragment and without a name of a user.
    package var url: String
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]
    /// For the whole request, from resolving the name to the last byte of the response.
    package var deadline: Duration
    /// A longer response is a failure.
    package var answerBytesMax: Int

    package init(
        _ url: String, method: RequestMethod = .get, headers: [(name: String, value: String)] = [], body: [UInt8] = [],
        deadline: Duration = .seconds(10), answerBytesMax: Int = 64 << 10
    ) {
        (self.method, self.url, self.headers, self.body) = (method, url, headers, body)
        (self.deadline, self.answerBytesMax) = (deadline, answerBytesMax)
    }
}

package struct OutgoingAnswer: Sendable {
    package let status: Int
    package let headers: [(name: String, value: String)]
    package let body: [UInt8]

    package init(status: Int, headers: [(name: String, value: String)], body: [UInt8]) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }

    /// The first value of a header; nil if it is missing. - Parameter name: In lower case.
    package func first(_ name: StaticString) -> String? {
        headers.first { $0.name.isEqualIgnoringCase(to: name) }?.value
    }
}

/// Why a request got no response.
package struct OutgoingFailure: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Kind: Sendable {
        /// Trying again may help: the host could not be reached, or did not answer in time.
        case passing
        /// The URL leads to this machine or into a private network, which the operator does not permit.
        case privateAddress
        /// The request or its response is not valid: it would fail again.
        case impossible
    }

    package let kind: Kind
    /// For logs. It contains no part of the URL but the address of a host.
    package let description: String

    package init(_ kind: Kind, _ description: String) { (self.kind, self.description) = (kind, description) }
}

/// Sends nothing; every request fails.
package struct NoOutgoingHTTP: OutgoingHTTP {
    package init() {}

    package func send(_ request: OutgoingRequest) async throws(OutgoingFailure) -> OutgoingAnswer {
        throw OutgoingFailure(.passing, "this server sends no requests")
    }
}
