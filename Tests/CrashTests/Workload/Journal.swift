/// Everything one writer asked for and heard, so that what must be there can be told for any moment.
struct Journal: Sendable {
    /// What was there before the first attempt.
    private var base = Belongings()
    private var attempts: [Attempt] = []
    /// What is there after all acknowledged attempts.
    private(set) var current = Belongings()
    /// Every name a record ever had, to ask for those that must be gone.
    private(set) var names: [Place: Set<String>] = [:]
    private var feeds: [FeedPosition] = []

    /// Writes down a request that is about to be sent. - Parameter time: By ``monotonicNow()``.
    mutating func began(_ change: Change, at time: UInt64) {
        attempts.append(Attempt(change: change, sent: time))
        if case .records(let place, let values) = change { names[place, default: []].formUnion(values.keys) }
    }

    /// The answer to the last request has come.
    mutating func acknowledged(at time: UInt64) {
        attempts[attempts.count - 1].acknowledged = time
        current = current.after(attempts[attempts.count - 1].change)
    }

    mutating func followed(to position: FeedPosition) { feeds.append(position) }

    /// What must be there if the power went at `time`.
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

    /// What the attempts since the last settlement came to, with `actual` there after them.
    func tally(_ actual: Belongings, at time: UInt64 = .max) -> Tally {
        let expectation = expectation(at: time)
        return Tally(
            acknowledged: attempts.count { ($0.acknowledged ?? .max) < time },
            underWay: expectation.underWay == nil ? 0 : 1,
            carriedOut: expectation.underWay != nil && actual != expectation.acknowledged ? 1 : 0)
    }

    /// Where the feed had been followed to at `time`.
    func feed(at time: UInt64 = .max) -> FeedPosition? { feeds.last { $0.reached < time } }

    /// Goes on from what is really there: a request without an answer was carried out or not, and that is settled now.
    mutating func settle(on actual: Belongings) {
        base = actual
        current = actual
        attempts = []
    }
}

/// A place in the feed of the shared zone, and all that the feed had told until there.
struct FeedPosition: Sendable {
    /// The change token to go on from.
    var token: String
    var values: [String: Int64]
    /// When it was received, by ``monotonicNow()``.
    var reached: UInt64
}
