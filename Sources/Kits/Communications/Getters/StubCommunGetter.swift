import NephosTransport

/// Fixed messages for a preview or a test, which records the reports that it receives.
public final class StubCommunGetter: CommunGetter {
    private let state: Locked<State>

    private struct State {
        var communs: [Commun]
        var fault: CommunFault?
        var reports: [CommunReport] = []
    }

    /// - Parameter communs: The first one that was not reported as seen is the current one.
    public init(_ communs: [Commun]) { state = Locked(State(communs: communs)) }

    public convenience init(_ commun: Commun) { self.init([commun]) }

    /// The reports received so far, in order.
    public var reports: [CommunReport] { state.value.reports }

    /// Makes every call fail with this error from now on; nil to succeed again.
    public func fail(with fault: CommunFault?) { state.withLock { $0.fault = fault } }

    /// Replaces the messages; none of them counts as seen.
    public func set(_ communs: [Commun]) { state.withLock { ($0.communs, $0.reports) = (communs, []) } }

    public var keepsSeen: Bool { true }

    public func getCommunication(_ question: CommunQuestion) async throws(CommunFault) -> Commun? {
        let (communs, fault, seen) = state.withLock { ($0.communs, $0.fault, Set($0.reports.map(\.seenKey))) }
        if let fault { throw fault }
        return communs.first { !seen.contains(CommunReport.seenKey($0.id, $0.round)) }
    }

    public func tell(_ report: CommunReport) async throws(CommunFault) {
        let fault = state.withLock { state in
            if state.fault == nil { state.reports.append(report) }
            return state.fault
        }
        if let fault { throw fault }
    }
}
