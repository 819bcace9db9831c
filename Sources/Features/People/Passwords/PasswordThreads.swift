import Foundation
import NephosNetwork
import NephosRunner
import Synchronization

/// Threads for hashing passwords, which occupies a core for a while: few enough to leave cores for other work.
///
/// What waits for them has two queues that take turns, so that people who sign in never wait for more than one new password at a
/// time, however many sign up; and in each queue networks take turns (`FairQueue`).
final class PasswordThreads: Sendable {
    /// Why a password is hashed.
    enum Purpose: Int, Sendable, CaseIterable {
        /// To compare it with the one of an account.
        case signIn
        /// To store it: signing up, recovery, another password.
        case newPassword
    }

    /// The maximum number of jobs of a purpose that wait; for one more, one is refused.
    static let waitingMax = 32
    /// The maximum number of these from one network.
    static let waitingMaxOfNetwork = 8

    private typealias Job = @Sendable (_ isTaken: Bool) -> Void

    private struct State {
        var running = 0
        /// By purpose.
        var queues = Purpose.allCases.map { _ in
            FairQueue<Job>(most: waitingMax, mostOfNetwork: waitingMaxOfNetwork)
        }
        /// The purpose whose turn is next.
        var next = 0

        mutating func popFirst() -> Job? {
            for place in queues.indices {
                let purpose = (next + place) % queues.count
                guard let job = queues[purpose].popFirst() else { continue }
                next = purpose + 1
                return job
            }
            return nil
        }
    }

    private let threads = OperationQueue()
    private let count: Int
    private let state = Mutex(State())

    /// - Parameter count: By default half of the cores, and at least one.
    init(count: Int = max(1, ProcessInfo.processInfo.activeProcessorCount / 2)) {
        self.count = count
        threads.maxConcurrentOperationCount = count
        threads.qualityOfService = .utility
    }

    /// Runs `job` on one of the threads, with true. If too many are waiting, in all or from this network, it is called with false
    /// instead, now or later.
    ///
    /// - Parameter network: Of the client; nil if it is not counted.
    func perform(
        for purpose: Purpose, of network: ClientNetwork?, _ job: @escaping @Sendable (_ isTaken: Bool) -> Void
    ) {
        let (starts, refused) = state.withLock { state -> (Bool, Job?) in
            if state.running < count {
                state.running += 1
                return (true, nil)
            }
            switch state.queues[purpose.rawValue].append(job, of: network) {
            case .added: return (false, nil)
            case .displaced(let other): return (false, other)
            case .refused: return (false, job)
            }
        }
        if starts { threads.addOperation { [self] in work(beginningWith: job) } }
        refused?(false)
    }

    /// Runs jobs until none waits.
    private func work(beginningWith job: @escaping Job) {
        var next: Job? = job
        while let job = next {
            job(true)
            next = state.withLock { state in
                let next = state.popFirst()
                if next == nil { state.running -= 1 }
                return next
            }
        }
    }
}
