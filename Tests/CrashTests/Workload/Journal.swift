/// All requests and responses of one writer, from which the expected state at any moment is derived.
struct Journal: Sendable {
    /// The state before the first attempt.
    private var base = WriterContents()
    private var attempts: [Attempt] = []
    /// The state after all acknowledged attempts.
    private(set) var current = WriterContents()
    /// Every name a record ever had, to look up those that must not exist.
    private(set) var names: [Place: Set<String>] = [:]
    private var feeds: [FeedPosition] = []

    /// Records a request that is about to be sent. - Parameter time: By ``monotonicNow()``.
    mutating func began(_ change: Change, at time: UInt64) {
        attempts.append(Attempt(change: change, sent: time))
        if case .records(let place, let values) = change { names[place, default: []].formUnion(values.keys) }
    }

    /// Records the response to the last request.
    mutating func acknowledged(at time: UInt64) {
        attempts[attempts.count - 1].acknowledged = time
        current = current.after(attempts[attempts.count - 1].change)
    }

    mutating func followed(to position: FeedPosition) { feeds.append(position) }

    /// The expected state after a power failure at `time`.
    func expectation(at time: UInt64 = .max) -> Expectation {
        var expectation = Expectation(acknowledged: base)
        for attempt in attempts where attempt.sent < time {
            if let acknowledged = attempt.acknowledged, acknowledged < time {
                expectation.acknowledged = expectation.acknowledged.after(attempt.change)
            } else {
                expectation.underWay = attempt.change
            }
        }
        return expectation
    }

    /// The statistics of the attempts since the last settlement, given the `actual` state after them.
    func tally(_ actual: WriterContents, at time: UInt64 = .max) -> Tally {
        let expectation = expectation(at: time)
        return Tally(
            acknowledged: attempts.count { ($0.acknowledged ?? .max) < time },
            underWay: expectation.underWay == nil ? 0 : 1,
            carriedOut: expectation.underWay != nil && actual != expectation.acknowledged ? 1 : 0)
    }

    /// The position in the feed at `time`.
    func feed(at time: UInt64 = .max) -> FeedPosition? { feeds.last { $0.reached < time } }

    /// Continues from the actual state: a request without a response was executed or not, and that is now known.
    mutating func settle(on actual: WriterContents) {
        base = actual
        current = actual
        attempts = []
    }
}

/// A position in the feed of the shared zone, and the state at that position.
struct FeedPosition: Sendable {
    /// The change token to continue from.
    var token: String
    var values: [String: Int64]
    /// When it was received, by ``monotonicNow()``.
    var reached: UInt64
}
