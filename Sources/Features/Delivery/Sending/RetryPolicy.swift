/// When to send again what failed: soon at first, hourly in the end, until it is too old.
package struct RetryPolicy: Sendable, Equatable {
    /// How long after its first due time a push may still be sent.
    package var keepFor: Duration

    package init(keepFor: Duration) { self.keepFor = keepFor }

    /// A day: what was news to a device yesterday is found by its next fetch.
    package static let apns = RetryPolicy(keepFor: .seconds(24 * 3_600))
    /// Three days, so that a receiver which breaks on a Friday evening loses nothing.
    package static let webhooks = RetryPolicy(keepFor: .seconds(72 * 3_600))

    /// How long to wait before the next attempt; nil when there must be none.
    ///
    /// - Parameters:
    ///   - attempt: Attempts made so far, this failed one included; 1 after the first.
    ///   - age: Time since the push was first due.
    ///   - retryAfter: The least time the receiver asked for.
    ///   - jitter: 0..<1, random: lengthens the wait by up to a fifth, so that pushes which failed together do not come
    ///     back together.
    /// - Returns: A wait that ends before the push is older than ``keepFor``, else nil.
    package func delay(
        afterAttempt attempt: Int, age: Duration, retryAfter: Duration? = nil, jitter: Double
    ) -> Duration? {
        let step = Self.steps[min(max(attempt, 1), Self.steps.count) - 1]
        let least = max(step, retryAfter ?? .zero)
        // Whatever is too long anyway would not fit the sums below.
        guard least <= keepFor, age <= keepFor else { return nil }
        let wait = least * (1 + (jitter > 0 ? min(jitter, 1) : 0) / 5)
        return age + wait <= keepFor ? wait : nil
    }

    private static let steps: [Duration] = [
        .seconds(1), .seconds(5), .seconds(30), .seconds(2 * 60), .seconds(10 * 60), .seconds(30 * 60), .seconds(3_600),
    ]
}
