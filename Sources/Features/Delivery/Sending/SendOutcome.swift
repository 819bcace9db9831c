/// What became of one attempt to send a push.
///
/// The texts are short and made for a delivery log: a status, a word of the receiver's answer, what to check. They
/// never hold payloads, device tokens, keys or secrets.
package enum SendOutcome: Sendable, Equatable {
    /// The receiver took it. `answer` is its status, for example `200`.
    case delivered(answer: String)
    /// The receiver does not exist any more and must be removed; everything sent to it would end this way.
    case deviceIsGone(reason: String)
    /// This push can never be delivered. Sending it again would not help; others may do.
    case refused(reason: String)
    /// Not delivered, and worth another attempt. `retryAfter` is the least time to wait, where one is known.
    case failed(reason: String, retryAfter: Duration?)
}
