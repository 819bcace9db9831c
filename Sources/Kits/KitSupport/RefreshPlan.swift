package import Foundation

/// When to refresh again: a pure function of the outcome and of a random number.
package struct RefreshPlan: Sendable {
    /// The interval while refreshes succeed.
    package var polling: Duration
    /// The shortest time until a response is requested again because it changes: one whose next change is always near must not make a
    /// device ask without end.
    static let shortestSeconds = 10.0
    static let firstRetrySeconds = 5.0
    static let lastRetrySeconds = 600.0
    /// A stream that was open at least this long has not failed when it ends.
    package static let settledSeconds = 60.0

    package init(polling: Duration) { self.polling = polling }

    /// The delay after a success.
    ///
    /// - Parameters:
    ///   - nextChange: When the response changes because of the time alone.
    ///   - chance: From 0 to 1: jitter that spreads devices which started together.
    package func delay(now: Date, nextChange: Date?, chance: Double) -> Duration {
        let regular = polling * (0.9 + 0.2 * chance)
        guard let nextChange, nextChange > now else { return regular }
        // One second later, so that a clock that is slightly behind is past it.
        return min(regular, .seconds(max(nextChange.timeIntervalSince(now) + 1, Self.shortestSeconds)))
    }

    /// The delay after this many consecutive failures: 5 s, 10 s, 20 s up to 10 minutes, of which the latter half is random; or the
    /// server's `retryAfter` if that is later.
    package func delay(failures: Int, retryAfter: Duration?, chance: Double) -> Duration {
        let steps = Double(min(max(failures, 1) - 1, 20))
        let longest = min(Self.firstRetrySeconds * pow(2, steps), Self.lastRetrySeconds)
        return max(.seconds(longest * (0.5 + 0.5 * chance)), retryAfter ?? .zero)
    }
}

/// Time and randomness, which tests replace.
package struct RefreshClock: Sendable {
    package var now: @Sendable () -> Date
    /// Sleeps; throws when the task is cancelled.
    package var pause: @Sendable (Duration) async throws -> Void
    /// From 0 to 1.
    package var chance: @Sendable () -> Double

    package init(
        now: @escaping @Sendable () -> Date, pause: @escaping @Sendable (Duration) async throws -> Void,
        chance: @escaping @Sendable () -> Double
    ) {
        (self.now, self.pause, self.chance) = (now, pause, chance)
    }

    package static let system = RefreshClock(
        now: { Date() }, pause: { try await Task.sleep(for: $0) }, chance: { Double.random(in: 0...1) })
}
