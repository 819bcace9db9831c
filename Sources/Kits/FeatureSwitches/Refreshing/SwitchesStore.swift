import Foundation
import NephosTransport

/// The state of an app's switches: values, overrides, the context, and the status. Every change is atomic, under a lock that is
/// held only briefly.
final class SwitchesStore: Sendable {
    private struct State {
        var snapshot: FlagSnapshot
        var values: FlagValues?
        var overrides: [String: FlagValue] = [:]
        var context: FlagContext
        /// Incremented when a fetch in flight would be for an outdated context.
        var generation = 0
        /// How often `forget()` was called.
        var forgotten = 0
        var kept: KeptValues
        /// Whether the file has the current values.
        var isKept = true
        var status = SwitchesState()
        var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
        var lastListener = 0

        mutating func renew() { snapshot = FlagSnapshot(values?.answers, overrides: overrides) }
    }

    private let state: Locked<State>
    /// Held while the file is written, so that the latest values end up in it.
    private let writing = Locked(())
    private let file: URL?
    private let flags: [String]

    init(source: String, flags: [String], context: FlagContext, file: URL?) {
        (self.file, self.flags) = (file, flags)
        let fresh = KeptValues(source: source, installation: UUID().uuidString)
        var state = State(snapshot: FlagSnapshot(nil), context: context, kept: fresh)
        do {
            if let file, let kept = try KeptValues.read(file) {
                state.kept.installation = kept.installation
                // Values of another server or container do not apply to this one.
                if kept.source == source { state.kept = kept }
            }
        } catch {
            state.status.fileProblem = "saved values cannot be read, so defaults apply: \(error)"
        }
        if let values = state.kept.values, let date = state.kept.date {
            state.values = values
            state.status.origin = .kept(date)
            state.renew()
        }
        self.state = Locked(state)
    }

    // MARK: Reading

    func isOn(_ flag: FeatureFlag) -> Bool { state.withLock { $0.snapshot.isFeatureEnabled(flag) } }

    var snapshot: FlagSnapshot { state.withLock { $0.snapshot } }
    var status: SwitchesState { state.withLock { $0.status } }
    var values: FlagValues? { state.withLock { $0.values } }
    var context: FlagContext { state.withLock { $0.context } }
    var generation: Int { state.withLock { $0.generation } }
    var forgotten: Int { state.withLock { $0.forgotten } }

    deinit { for listener in state.withLock({ Array($0.listeners.values) }) { listener.finish() } }

    /// Yields an element after any change; the last one is buffered for slow readers.
    var updates: AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let number = state.withLock { state in
                state.lastListener += 1
                state.listeners[state.lastListener] = continuation
                return state.lastListener
            }
            continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.listeners[number] = nil } }
        }
    }

    private func change<Result>(_ body: (inout State) -> Result) -> Result {
        let (result, listeners) = state.withLock { state in (body(&state), Array(state.listeners.values)) }
        for listener in listeners { listener.yield() }
        return result
    }

    // MARK: Refreshing

    func question() -> (FlagQuestion, generation: Int, forgotten: Int) {
        state.withLock { state in
            var context = state.context
            context.targetingKey = context.targetingKey ?? state.kept.installation
            return (FlagQuestion(context, flags: flags, tag: state.values?.tag), state.generation, state.forgotten)
        }
    }

    /// Applies a provider's response.
    ///
    /// - Returns: nil if it was for an outdated context.
    func take(_ fetch: FlagFetch, _ generation: Int, now: Date) -> RefreshOutcome? {
        let outcome: RefreshOutcome? = change { state in
            guard state.generation == generation else { return nil }
            state.status.failure = nil
            state.status.origin = .fetched(now)
            guard case .values(let values) = fetch else { return .unchanged }
            let isChanged = values.answers != state.values?.answers
            state.values = values
            if isChanged { state.renew() }
            let kept = state.kept.values
            if isChanged || values.tag != kept?.tag || values.stream != kept?.stream {
                (state.kept.values, state.kept.date, state.isKept) = (values, now, false)
            }
            return isChanged ? .changed : .unchanged
        }
        if outcome != nil { keep() }
        return outcome
    }

    /// Writes the values to the file, if it does not have them yet.
    private func keep() {
        guard let file else { return }
        writing.withLock { _ in
            guard let kept = state.withLock({ $0.isKept ? nil : $0.kept }) else { return }
            do {
                try kept.write(to: file)
                change { ($0.isKept, $0.status.fileProblem) = ($0.kept == kept, nil) }
            } catch {
                // The next refresh tries again; until then the values are kept in memory.
                change { $0.status.fileProblem = "values cannot be saved for the next start: \(error)" }
            }
        }
    }

    /// Drops the entity tag, so that the next response is complete.
    func forgetTag() { change { $0.values?.tag = nil } }

    func fail(_ fault: FlagFault, now: Date) {
        change { state in
            let count = (state.status.failure?.count ?? 0) + 1
            state.status.failure = SwitchesState.Failure(fault: fault, date: now, count: count)
        }
    }

    // MARK: Context and overrides

    func set(_ context: FlagContext) {
        change { state in
            guard context != state.context else { return }
            state.context = context
            // Not every server's entity tag depends on the context.
            state.values?.tag = nil
            state.generation += 1
        }
    }

    /// Resets to defaults and overrides. The installation identifier stays the same.
    func forget() {
        change { state in
            (state.values, state.kept.values, state.kept.date, state.isKept) = (nil, nil, nil, false)
            state.generation += 1
            state.forgotten += 1
            state.status.origin = .defaults
            state.renew()
        }
        keep()
    }

    #if FeatureOverrides
        func set(overrides: [String: FlagValue]) {
            change { state in
                state.overrides = overrides
                state.renew()
            }
        }
    #endif

    func set(nextRefresh: Date?) { change { $0.status.nextRefresh = nextRefresh } }

    func set(isStreaming: Bool, fault: FlagFault? = nil) {
        change { ($0.status.isStreaming, $0.status.streamFault) = (isStreaming, fault) }
    }
}
