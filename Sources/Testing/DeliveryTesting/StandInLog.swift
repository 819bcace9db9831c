import NephosTesting
import Synchronization

/// The requests that a stand-in has received, and its scripted answers.
final class StandInLog: Sendable {
    private struct State {
        var requests: [RecordedRequest] = []
        var script: ArraySlice<ScriptedAnswer>
        var waiting: [Int: (count: Int, continuation: CheckedContinuation<Void, Never>)] = [:]
        var waits = 0
        var connections = 0
    }

    private let state: Mutex<State>
    private let otherwise: @Sendable (RecordedRequest) -> ScriptedAnswer

    init(script: [ScriptedAnswer], otherwise: @escaping @Sendable (RecordedRequest) -> ScriptedAnswer) {
        state = Mutex(State(script: script[...]))
        self.otherwise = otherwise
    }

    var requests: [RecordedRequest] { state.withLock { $0.requests } }
    var connections: Int { state.withLock { $0.connections } }

    func append(_ answers: [ScriptedAnswer]) { state.withLock { $0.script += answers } }

    /// Counts a new connection and returns its number.
    func connected() -> Int {
        state.withLock {
            $0.connections += 1
            return $0.connections
        }
    }

    /// Records a request and returns the next answer of the script.
    func received(_ request: RecordedRequest) -> ScriptedAnswer {
        let (scripted, ready) = state.withLock { state in
            state.requests.append(request)
            let count = state.requests.count
            let ready = state.waiting.filter { $0.value.count <= count }
            for id in ready.keys { state.waiting[id] = nil }
            return (state.script.popFirst(), ready.values)
        }
        for waiter in ready { waiter.continuation.resume() }
        return scripted ?? otherwise(request)
    }

    /// Returns when at least `count` requests have arrived, when its task is cancelled, or when they would have arrived long ago
    /// (``Patience``).
    func wait(for count: Int) async {
        let id = state.withLock { state in
            state.waits += 1
            return state.waits
        }
        let patience = Task {
            try await Task.sleep(for: .seconds(Patience.seconds))
            end(id)
        }
        defer { patience.cancel() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    // A later cancellation finds the continuation.
                    if state.requests.count >= count || Task.isCancelled { return true }
                    state.waiting[id] = (count, continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            end(id)
        }
    }

    /// Ends a wait, unless it has ended.
    private func end(_ id: Int) {
        state.withLock { $0.waiting.removeValue(forKey: id) }?.continuation.resume()
    }
}
