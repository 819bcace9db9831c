/// The outcome of one attempt to send a push.
///
/// The texts are short and intended for a delivery log: a status, a word of the receiver's response, what to check. They never
/// contain payloads, device tokens, keys or secrets.
package enum SendOutcome: Sendable, Equatable {
    /// The receiver accepted it. `answer` is its status, for example `200`.
    case delivered(answer: String)
    /// The receiver no longer exists and must be removed; further deliveries to it would end the same way.
    case deviceIsGone(reason: String)
    /// This push can never be delivered, and a retry would not help; others may succeed.
    case refused(reason: String)
    /// Not delivered, but worth a retry. `retryAfter` is the minimum delay, if known.
    case failed(reason: String, retryAfter: Duration?)
}
