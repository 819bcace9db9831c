package import Foundation

/// When one asks again: a pure function of what happened, and of chance.
package struct RefreshPlan: Sendable {
    /// As long as all goes well.
    package var polling: Duration
    static let firstRetrySeconds = 5.0
    static let lastRetrySeconds = 600.0
    /// A stream that was open so long has not failed when it ends.
    package static let settledSeconds = 60.0

    package init(polling: Duration) { self.polling = polling }

    /// After a success.
    ///
    /// - Parameters:
    ///   - nextChange: When time alone changes what was answered.
    ///   - chance: From 0 to 1: many devices that began together do not stay together.
    package func delay(now: Date, nextChange: Date?, chance: Double) -> Duration {
        let regular = polling * (0.9 + 0.2 * chance)
        guard let nextChange, nextChange > now else { return regular }
        // A second after it, so that no clock stands before it.
        return min(regular, .seconds(nextChange.timeIntervalSince(now) + 1))
    }

    /// After so many failures in a row: 5 s, 10 s, 20 s up to 10 minutes, of which the latter half is by chance; as late as the server
    /// says, if that is later.
    package func delay(failures: Int, retryAfter: Duration?, chance: Double) -> Duration {
        let steps = Double(min(max(failures, 1) - 1, 20))
        let longest = min(Self.firstRetrySeconds * pow(2, steps), Self.lastRetrySeconds)
        return max(.seconds(longest * (0.5 + 0.5 * chance)), retryAfter ?? .zero)
    }
}

/// Time and chance, which tests set.
package struct RefreshClock: Sendable {
    package var now: @Sendable () -> Date
    /// Waits; throws when the task is cancelled.
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
