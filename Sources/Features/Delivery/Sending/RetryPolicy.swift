/// When to retry a failed delivery: soon at first, finally every hour, until it is too old.
package struct RetryPolicy: Sendable, Equatable {
    /// How long after its first due time a push may still be sent.
    package var keepFor: Duration

    package init(keepFor: Duration) { self.keepFor = keepFor }

    /// A day: a device that missed yesterday's push finds the change with its next fetch.
    package static let apns = RetryPolicy(keepFor: .seconds(24 * 3_600))
    /// Three days, so that a receiver which breaks on a Friday evening loses nothing.
    package static let webhooks = RetryPolicy(keepFor: .seconds(72 * 3_600))

    /// The delay before the next attempt; nil if there must be none.
    ///
    /// - Parameters:
    ///   - attempt: Attempts made so far, including the failed one; 1 after the first.
    ///   - age: Time since the push was first due.
    ///   - retryAfter: The minimum delay requested by the receiver.
    ///   - jitter: 0..<1, random: lengthens the delay by up to a fifth, so that pushes that failed together are not retried
    ///     together.
    /// - Returns: A delay that ends before the push is older than ``keepFor``, else nil.
    package func delay(
        afterAttempt attempt: Int, age: Duration, retryAfter: Duration? = nil, jitter: Double
    ) -> Duration? {
        let step = Self.steps[min(max(attempt, 1), Self.steps.count) - 1]
        let least = max(step, retryAfter ?? .zero)
        // Larger values would overflow the sums below.
        guard least <= keepFor, age <= keepFor else { return nil }
        let wait = least * (1 + (jitter > 0 ? min(jitter, 1) : 0) / 5)
        return age + wait <= keepFor ? wait : nil
    }

    private static let steps: [Duration] = [
        .seconds(1), .seconds(5), .seconds(30), .seconds(2 * 60), .seconds(10 * 60), .seconds(30 * 60), .seconds(3_600),
    ]
}
