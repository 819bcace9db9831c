import NephosTransport

/// Values and failures set by a test or a preview. A change applies immediately when the mock itself is read, and
/// ``FeatureSwitches`` that use the mock are notified.
public final class MockProvider: FlagProvider, FeatureSwitchProvider {
    public let source = "mock"
    private let state: Locked<State>

    private struct State {
        var values: [String: FlagValue]
        var snapshot: FlagSnapshot
        var fault: FlagFault?
        var questions: [FlagQuestion] = []
        var listeners: [Int: AsyncThrowingStream<FlagNews, any Error>.Continuation] = [:]
        var lastListener = 0

        init(_ values: [String: FlagValue]) {
            self.values = values
            snapshot = Self.snapshot(values)
        }

        static func snapshot(_ values: [String: FlagValue]) -> FlagSnapshot {
            FlagSnapshot(answers(values))
        }

        static func answers(_ values: [String: FlagValue]) -> [FlagAnswer] {
            values.sorted { $0.key < $1.key }.map { FlagAnswer(id: $0.key, value: $0.value) }
        }
    }

    /// - Parameter values: Values by flag ID.
    public init(_ values: [String: FlagValue] = [:]) { state = Locked(State(values)) }

    /// Creates a provider with these features on.
    public convenience init(enabled flags: [FeatureFlag]) {
        self.init(Dictionary(flags.map { ($0.id, true) }) { first, _ in first })
    }

    // MARK: Controls for tests

    /// Sets a value, or removes the flag.
    public func setValue(_ value: FlagValue?, of id: String) {
        let listeners = state.withLock { state in
            state.values[id] = value
            state.snapshot = State.snapshot(state.values)
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.yield(FlagNews()) }
    }

    /// Turns a feature on or off.
    public func set(_ flag: FeatureFlag, to isOn: Bool) { setValue(.bool(isOn), of: flag.id) }

    /// Makes fetches fail with this error from now on; nil to succeed again.
    public func fail(with fault: FlagFault?) { state.withLock { $0.fault = fault } }

    /// The requests received so far, in order.
    public var questions: [FlagQuestion] { state.value.questions }

    // MARK: Called by switches

    public func fetch(_ question: FlagQuestion) async throws(FlagFault) -> FlagFetch {
        let (values, fault) = state.withLock { state in
            state.questions.append(question)
            return (state.values, state.fault)
        }
        if let fault { throw fault }
        return .values(FlagValues(State.answers(values)))
    }

    public func news(after values: FlagValues) -> AsyncThrowingStream<FlagNews, any Error>? {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let (number, isOld) = state.withLock { state in
                state.lastListener += 1
                state.listeners[state.lastListener] = continuation
                return (state.lastListener, State.answers(state.values) != values.answers)
            }
            // Changes made since then were not announced.
            if isOld { continuation.yield(FlagNews()) }
            continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.listeners[number] = nil } }
        }
    }

    public func isFeatureEnabled(_ flag: FeatureFlag) -> Bool {
        state.withLock { $0.snapshot.isFeatureEnabled(flag) }
    }

    public func details<Value>(of flag: FeatureValue<Value>) -> FlagDetails<Value> {
        state.withLock { $0.snapshot }.details(of: flag)
    }
}
