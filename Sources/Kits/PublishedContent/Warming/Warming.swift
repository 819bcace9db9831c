import Foundation
import KitSupport

/// How an app keeps content ready for its widget.
public struct WarmPlan: Sendable, Hashable {
    /// Maximum number of items.
    public var count: Int
    /// Maximum number of bytes written per run.
    public var maxBytes: Int64
    /// Only of these; empty for all.
    public var collections: [String]
    /// The interval while runs succeed: at least ten seconds.
    public var every: Duration

    public init(count: Int, maxBytes: Int64, in collections: [String] = [], every: Duration = .seconds(3_600)) {
        (self.count, self.maxBytes, self.collections) = (count, maxBytes, collections)
        // A shorter interval would flood the server.
        self.every = max(every, .seconds(10))
    }
}

extension PublishedContent {
    /// Prefetches now, and again whenever it is due, until the task is cancelled: when the content changes because of the time, at
    /// the interval (with a jitter of 10 %), and after a failure after 5 s, 10 s, 20 s up to 10 minutes, half of which is random,
    /// or when the server permits it, if that is later.
    ///
    /// - Parameter report: Called after each run.
    public func warm(
        _ plan: WarmPlan, report: (@Sendable (Result<PrefetchReport, ContentFault>) async -> Void)? = nil
    ) async {
        var failures = 0
        while !Task.isCancelled {
            let result = await warmOnce(plan)
            await report?(result)
            failures = result.warmingFault == nil ? 0 : failures + 1
            guard (try? await clock.pause(pause(plan, after: result, failures))) != nil else { return }
        }
    }

    /// Prefetches once, as a background task does.
    public func warmOnce(_ plan: WarmPlan) async -> Result<PrefetchReport, ContentFault> {
        do throws(ContentFault) {
            return .success(
                try await prefetch(count: plan.count, maxBytes: plan.maxBytes, in: plan.collections))
        } catch {
            return .failure(error)
        }
    }

    /// The time until the next run.
    func pause(_ plan: WarmPlan, after result: Result<PrefetchReport, ContentFault>, _ failures: Int) -> Duration {
        let refreshes = RefreshPlan(polling: plan.every)
        guard let fault = result.warmingFault else {
            return refreshes.delay(
                now: clock.now(), nextChange: (try? result.get())?.changesAt, chance: clock.chance())
        }
        return refreshes.delay(failures: failures, retryAfter: fault.retryAfter, chance: clock.chance())
    }
}

extension Result<PrefetchReport, ContentFault> {
    /// The failure that requires an earlier run.
    var warmingFault: ContentFault? {
        switch self {
        case .success(let report): report.fault
        case .failure(let fault): fault
        }
    }
}
