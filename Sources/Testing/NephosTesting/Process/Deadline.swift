#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A time at which a test stops waiting, on a monotonic clock.
package struct Deadline: Sendable {
    private let start = ContinuousClock.now
    private let end: ContinuousClock.Instant

    /// - Parameter seconds: Only a duration that the test itself chooses, such as that of a load. A test that waits for something
    ///   waits until that must have hung (``Patience``).
    package init(seconds: Double = Double(Patience.seconds)) { end = start + .seconds(seconds) }

    package var hasPassed: Bool { ContinuousClock.now >= end }

    /// Evaluates the condition every few milliseconds, until it is true or the deadline has passed.
    ///
    /// - Returns: Whether the condition became true.
    package func waits(until condition: () throws -> Bool) rethrows -> Bool {
        while true {
            if try condition() { return true }
            if hasPassed { return false }
            poll(nil, 0, Int32(pauseMilliseconds))
        }
    }

    /// Like ``waits(until:)``, but without blocking a thread.
    package func awaits(_ condition: () async throws -> Bool) async throws -> Bool {
        while true {
            if try await condition() { return true }
            if hasPassed { return false }
            try await Task.sleep(for: .milliseconds(pauseMilliseconds))
        }
    }

    /// A twentieth of the time so far: conditions can be expensive, and take the processors from what is waited for.
    private var pauseMilliseconds: Int { Int(min(20, max(3, (ContinuousClock.now - start) / .milliseconds(20)))) }
}
