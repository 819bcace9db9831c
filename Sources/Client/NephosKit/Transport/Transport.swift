import Foundation

/// Carries requests to a server. One that talks to the network, and scripted ones of tests.
protocol Transport: Sendable {
    /// - Throws: ``TransportFault`` when no answer came. An answer that says no is an answer.
    func send(_ request: TransportRequest) async throws(TransportFault) -> TransportAnswer
}

struct TransportRequest: Sendable {
    enum Body: Sendable {
        case none
        case bytes(Data)
        case file(URL)
    }

    /// Where the answer's body goes. One that is longer is a fault.
    enum Sink: Sendable {
        case memory(limit: Int)
        /// A file that is made: nothing may be there. Removed again where the answer is not what was asked for.
        case file(URL, limit: Int64)
    }

    var method: String
    var url: URL
    var headers: [String: String] = [:]
    var body = Body.none
    var sink = Sink.memory(limit: 64 << 20)
    /// Whether it is answered only when there is something to tell: such requests keep no others waiting.
    var waits = false
    /// Seconds in which nothing moves.
    var timeout: TimeInterval = 60
    /// Told how much of the body was sent, or of the answer came, from 0 to 1.
    var progress: (@Sendable (Double) -> Void)?
}

struct TransportAnswer: Sendable {
    var status: Int
    /// Names in lower case.
    var headers: [String: String] = [:]
    /// Empty where it went into a file.
    var body = Data()
}

/// Why no answer came.
struct TransportFault: Error, Sendable {
    enum Kind: Sendable, Equatable {
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

    var kind: Kind
    var message: String
}
