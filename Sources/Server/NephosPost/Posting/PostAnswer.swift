import CloudKitWire
import NIOHTTP1

/// A receiver's answer, as far as this room looks at it.
struct PostAnswer: Sendable {
    let status: Int
    let isHTTP2: Bool
    let retryAfter: Duration?
    let headers: HTTPHeaders
    /// At most ``Poster/Message/answerBytesMax``; the beginning of a longer body.
    let body: [UInt8]
    /// False when the connection broke, or time ran out, before the body ended.
    let isComplete: Bool
}

/// The header `Retry-After`, in its form of seconds.
enum RetryAfter {
    /// A receiver cannot ask for more: after an hour it is asked again.
    private static let secondsMax: Int64 = 3_600

    /// nil when there is no such header, or when it is a date: clocks differ, and the usual waits do as well.
    static func parse(_ values: [String]) -> Duration? {
        values.first.flatMap { Digits.number($0.utf8, clampedTo: secondsMax) }.map { .seconds($0) }
    }
}
