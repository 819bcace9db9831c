#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A time at which a test stops waiting, on a monotonic clock.
package struct Deadline: Sendable {
    private let end: ContinuousClock.Instant

    package init(seconds: Double) { end = .now + .seconds(seconds) }

    package var hasPassed: Bool { ContinuousClock.now >= end }

    /// Evaluates the condition every few milliseconds, until it is true or the deadline has passed.
    ///
    /// - Returns: Whether the condition became true.
    package func waits(until condition: () throws -> Bool) rethrows -> Bool {
        while true {
            if try condition() { return true }
            if hasPassed { return false }
            poll(nil, 0, 3)
        }
    }

    /// Like ``waits(until:)``, but without blocking a thread.
    package func awaits(_ condition: () async throws -> Bool) async throws -> Bool {
        while true {
            if try await condition() { return true }
            if hasPassed { return false }
            try await Task.sleep(for: .milliseconds(3))
        }
    }
}
