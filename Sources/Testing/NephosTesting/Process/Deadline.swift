#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A moment after which a test stops waiting, by a clock that nobody sets.
package struct Deadline: Sendable {
    private let end: ContinuousClock.Instant

    package init(seconds: Double) { end = .now + .seconds(seconds) }

    package var hasPassed: Bool { ContinuousClock.now >= end }

    /// Asks again and again, every few milliseconds, until the answer is yes or the deadline has passed.
    ///
    /// - Returns: Whether the answer was yes.
    package func waits(until condition: () throws -> Bool) rethrows -> Bool {
        while true {
            if try condition() { return true }
            if hasPassed { return false }
            poll(nil, 0, 3)
        }
    }

    /// As ``waits(until:)``, without keeping a thread from other tasks.
    package func awaits(_ condition: () async throws -> Bool) async throws -> Bool {
        while true {
            if try await condition() { return true }
            if hasPassed { return false }
            try await Task.sleep(for: .milliseconds(3))
        }
    }
}
