package import Foundation

/// Carries requests to a server. One that talks to the network, and scripted ones of tests.
package protocol Transport: Sendable {
    /// - Throws: ``TransportFault`` when no answer came. An answer that says no is an answer.
    func send(_ request: TransportRequest) async throws(TransportFault) -> TransportAnswer
}

package struct TransportRequest: Sendable {
    package enum Body: Sendable {
        case none
        case bytes(Data)
        case file(URL)
    }

    /// Where the answer's body goes. One that is longer is a fault.
    package enum Sink: Sendable {
        case memory(limit: Int)
        /// A file that is made: nothing may be there. Removed again where the answer is not what was asked for.
        case file(URL, limit: Int64)
        /// Handed over piece by piece as it comes, for answers that do not end. What says no is kept as by `memory`.
        case pieces(@Sendable (Data) -> Void)
    }

    package var method: String
    package var url: URL
    package var headers: [String: String] = [:]
    package var body = Body.none
    package var sink = Sink.memory(limit: 64 << 20)
    /// Whether it is answered only when there is something to tell: such requests keep no others waiting.
    package var waits = false
    /// Seconds in which nothing moves.
    package var timeout: TimeInterval = 60
    /// Told how much of the body was sent, or of the answer came, from 0 to 1.
    package var progress: (@Sendable (Double) -> Void)?

    package init(method: String, url: URL, headers: [String: String] = [:], body: Body = .none) {
        (self.method, self.url, self.headers, self.body) = (method, url, headers, body)
    }
}

package struct TransportAnswer: Sendable {
    package var status: Int
    /// Names in lower case.
    package var headers: [String: String] = [:]
    /// Empty where it went elsewhere.
    package var body = Data()

    package init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }
}

/// Why no answer came.
package struct TransportFault: Error, Sendable {
    package enum Kind: Sendable, Equatable {
        /// There is no network, or the host is not known.
        case noNetwork
        /// Nobody answered there: nothing was sent.
        case unreachable
        /// The connection broke, or time was up: nobody knows what the server did.
        case lost
        case cancelled
        /// What came cannot be used: too long, or no HTTP.
        case unusable
        /// It lies in this machine: a file that cannot be read or written, a request that cannot be, a library that is missing.
        /// Nothing of a change was sent.
        case local
    }

    package var kind: Kind
    package var message: String

    package init(kind: Kind, message: String) { (self.kind, self.message) = (kind, message) }
}

extension URL {
    /// For messages: what follows the question mark may be a secret.
    var withoutQuery: String { String(absoluteString.prefix { $0 != "?" }) }
}
