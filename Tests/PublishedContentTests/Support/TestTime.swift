import Foundation
import KitSupport
import NephosTesting

/// Time that a test advances. Waits are recorded, and last as long as the test chooses.
final class TestTime: Sendable {
    static let start = Date(timeIntervalSince1970: 1_800_000_000)

    private let state = LockedBox((now: TestTime.start, pauses: [Duration]()))
    private let wait: @Sendable (Duration) async throws -> Void

    /// - Parameter wait: Returns when the time is over; without it, waits last until the task is canceled.
    init(wait: (@Sendable (Duration) async throws -> Void)? = nil) {
        self.wait = wait ?? { _ in try await Self.forever() }
    }

    var now: Date {
        get { state.withLock { $0.now } }
        set { state.withLock { $0.now = newValue } }
    }

    func advance(_ seconds: Double) { state.withLock { $0.now += seconds } }

    var pauses: [Duration] { state.withLock { $0.pauses } }

    /// Random waits are always the longest possible.
    var clock: RefreshClock {
        RefreshClock(
            now: { self.now },
            pause: { duration in
                self.state.withLock { $0.pauses.append(duration) }
                try await self.wait(duration)
            },
            chance: { 1 })
    }

    private static func forever() async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        for await _ in stream {}
        withExtendedLifetime(continuation) {}
        throw CancellationError()
    }
}
