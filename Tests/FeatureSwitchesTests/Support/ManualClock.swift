import Foundation
import KitSupport
import NephosTesting

/// A clock that stands still until a test advances it, and records who is waiting.
final class ManualClock: Sendable {
    private struct Sleeper {
        var duration: Duration
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Date(timeIntervalSince1970: 1_800_000_000)
        var sleepers: [Int: Sleeper] = [:]
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
        var last = 0
    }

    private let state = LockedBox(State())

    var now: Date { state.value.now }

    /// The current waits in seconds, shortest first.
    var waits: [Double] {
        state.value.sleepers.values.map { ($0.duration / .milliseconds(1)).rounded() / 1_000 }.sorted()
    }

    /// For switches; the random value is always the maximum.
    var clock: RefreshClock {
        RefreshClock(now: { self.now }, pause: { try await self.pause($0) }, chance: { 1 })
    }

    private func pause(_ duration: Duration) async throws {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let watchers = state.withLock { state in
                    state.sleepers[number] = Sleeper(duration: duration, continuation: continuation)
                    let ready = state.watchers.filter { $0.count <= state.sleepers.count }
                    state.watchers.removeAll { $0.count <= state.sleepers.count }
                    return ready
                }
                for watcher in watchers { watcher.continuation.resume() }
                if Task.isCancelled { end(number, CancellationError()) }
            }
        } onCancel: {
            end(number, CancellationError())
        }
    }

    private func end(_ number: Int, _ error: (any Error)?) {
        let sleeper = state.withLock { $0.sleepers.removeValue(forKey: number) }
        if let error { sleeper?.continuation.resume(throwing: error) } else { sleeper?.continuation.resume() }
    }

    /// Returns when this many are waiting.
    func waiting(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.sleepers.count >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    /// Advances the time to the end of the shortest wait.
    func passShortest() {
        let next = state.withLock { state -> Int? in
            guard let next = state.sleepers.min(by: { $0.value.duration < $1.value.duration }) else { return nil }
            state.now += next.value.duration / .seconds(1)
            return next.key
        }
        if let next { end(next, nil) }
    }
}
