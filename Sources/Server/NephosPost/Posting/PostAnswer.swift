import CloudKitWire
import NIOHTTP1

/// The parts of a receiver's response that this module uses.
struct PostAnswer: Sendable {
    let status: Int
    let isHTTP2: Bool
    let retryAfter: Duration?
    let headers: HTTPHeaders
    /// At most ``Poster/Message/answerBytesMax`` bytes; the beginning of a longer body.
    let body: [UInt8]
    /// False if the connection broke, or the time ran out, before the body ended.
    let isComplete: Bool
}

/// The header `Retry-After`, in its form with seconds.
enum RetryAfter {
    /// The maximum that a receiver can request: after an hour it is tried again.
    private static let secondsMax: Int64 = 3_600

    /// nil if there is no such header, or if it is a date: clocks differ, and the default delays are good enough.
    static func parse(_ values: [String]) -> Duration? {
        values.first.flatMap { Digits.number($0.utf8, clampedTo: secondsMax) }.map { .seconds($0) }
    }
}
