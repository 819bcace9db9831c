package import Foundation

/// Sends requests to a server. There is one transport for the network, and scripted ones for tests.
package protocol Transport: Sendable {
    /// - Throws: ``TransportFault`` if no response was received. A response with an error status is returned.
    func send(_ request: TransportRequest) async throws(TransportFault) -> TransportAnswer
}

package struct TransportRequest: Sendable {
    package enum Body: Sendable {
        case none
        case bytes(Data)
        case file(URL)
    }

    /// Where the body of the response is stored. A body that exceeds the limit is a fault.
    package enum Sink: Sendable {
        case memory(limit: Int)
        /// A file that is created, and must not exist yet. It is removed again unless the status is 200.
        case file(URL, limit: Int64)
        /// Passed on piece by piece as it arrives, for responses that do not end. The body of an error response is stored as with
        /// `memory`.
        case pieces(@Sendable (Data) -> Void)
    }

    package var method: String
    package var url: URL
    package var headers: [String: String] = [:]
    package var body = Body.none
    package var sink = Sink.memory(limit: 64 << 20)
    /// Whether the server may respond only when it has something to report. Such requests do not delay others.
    package var waits = false
    /// Seconds without any data transfer after which the request fails.
    package var timeout: TimeInterval = 60
    /// Seconds after which the request fails although data is still transferred, plus one for each KB of its body that was sent
    /// by then, and of the file that was received. Does not apply to `pieces`, which do not end.
    package var patience: TimeInterval = 900
    /// Called with the fraction of the body that was sent, or of a file that was received, from 0 to 1.
    package var progress: (@Sendable (Double) -> Void)?

    package init(method: String, url: URL, headers: [String: String] = [:], body: Body = .none) {
        (self.method, self.url, self.headers, self.body) = (method, url, headers, body)
    }
}

package struct TransportAnswer: Sendable {
    package var status: Int
    /// Names are in lower case.
    package var headers: [String: String] = [:]
    /// Empty if it was written to a file or passed on in pieces.
    package var body = Data()

    package init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }
}

/// Why no response was received.
package struct TransportFault: Error, Sendable {
    package enum Kind: Sendable, Equatable {
        /// There is no network, or the host name cannot be resolved.
        case noNetwork
        /// No connection to the server was established, or nothing of the request's body was sent.
        case unreachable
        /// The connection was lost, or the request timed out: it is unknown whether the server executed it.
        case lost
        case cancelled
        /// The body of the response is too long, or it is not HTTP. Also for a URL that is not http or https.
        case unusable
        /// The cause is on this machine: a file that cannot be read or written, an invalid request, or a missing library. Nothing of
        /// a change was sent.
        case local
    }

    package var kind: Kind
    package var message: String

    package init(kind: Kind, message: String) { (self.kind, self.message) = (kind, message) }
}

extension TransportRequest {
    /// The transfer rate in bytes a second below which a connection is of no use.
    private static let slowest = 1_024.0

    /// The most seconds that the whole exchange may take, after this number of bytes; nil for no limit.
    ///
    /// Only what was transferred counts: with what a response announces, a server would choose its own limit.
    ///
    /// - Parameters:
    ///   - sent: The bytes of the request's body that were sent so far.
    ///   - received: The bytes of the response's body that were received so far.
    func longest(sent: Int64, received: Int64) -> TimeInterval? {
        switch sink {
        case .memory: patience + Double(sent) / Self.slowest
        case .file: patience + (Double(sent) + Double(received)) / Self.slowest
        case .pieces: nil
        }
    }
}

extension TransportFault {
    static func silent(_ seconds: TimeInterval) -> TransportFault {
        TransportFault(kind: .lost, message: "no data was transferred for \(seconds.formatted()) seconds")
    }

    static func endless(_ seconds: TimeInterval) -> TransportFault {
        TransportFault(kind: .lost, message: "the answer was not complete after \(seconds.formatted()) seconds")
    }
}

extension URL {
    /// Creates a URL from a response. Returns nil unless it is an http or https URL: a response must not make the program open
    /// files.
    package init?(web text: String) {
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme), url.host?.isEmpty == false else {
            return nil
        }
        self = url
    }

    /// Whether a response of the server at another address may name this one, for a file or anything else that is sent there or
    /// fetched: a server at https cannot choose http, so that nobody else reads or replaces it.
    package func mayFollow(_ server: URL?) -> Bool {
        scheme?.lowercased() == "https" || server?.scheme?.lowercased() != "https"
    }

    /// For messages: the query may contain a secret.
    var withoutQuery: String { String(absoluteString.prefix { $0 != "?" }) }
}
