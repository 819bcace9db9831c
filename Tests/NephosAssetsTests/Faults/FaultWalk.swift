import AssetTesting
import NephosAssets
import Synchronization
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Calls of which one fails, and with it all later ones, if the process dies of it.
final class FaultWalk: Sendable {
    struct Fault: Sendable, CustomTestStringConvertible {
        /// Whether the failing call is executed nevertheless.
        var moment: HookedCalls.Moment
        var isFatal: Bool
        var code: Int32 = EIO

        var testDescription: String {
            "\(isFatal ? "dies" : "stumbles") \(moment) a call, with \(String(cString: strerror(code)))"
        }

        static let all: [Fault] = HookedCalls.Moment.allCases.flatMap { moment in
            [
                Fault(moment: moment, isFatal: true), Fault(moment: moment, isFatal: false),
                Fault(moment: moment, isFatal: false, code: ENOSPC),
            ]
        }
    }

    private struct State {
        var steps: Int?
        var broken: HookedCalls.Call?
    }

    let calls: HookedCalls
    private let last: Int
    private let progress: Progress

    private final class Progress: Sendable { let state = Mutex(State()) }

    /// - Parameter last: The failing call, counted from 1 since ``begin()``.
    init(at last: Int, _ fault: Fault) {
        let progress = Progress()
        self.last = last
        self.progress = progress
        calls = HookedCalls { call, moment throws(FileFault) in
            let mayRun = progress.state.withLock { state in
                if state.broken != nil { return !fault.isFatal }
                guard let steps = state.steps else { return true }
                if moment == .before { state.steps = steps + 1 }
                guard state.steps == last, moment == fault.moment else { return true }
                state.broken = call
                return false
            }
            guard mayRun else { throw FileFault(code: fault.code) }
        }
    }

    func begin() { progress.state.withLock { $0.steps = 0 } }

    /// Whether there were fewer calls. The last one may have failed by itself, for example when looking for a missing file.
    var isOver: Bool { progress.state.withLock { ($0.steps ?? 0) < last } }

    /// The call that was made to fail.
    var broken: HookedCalls.Call? { progress.state.withLock(\.broken) }
    var isBroken: Bool { broken != nil }
}
