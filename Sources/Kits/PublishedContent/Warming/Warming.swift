import Foundation
import KitSupport

/// How an app keeps content ready for its widget.
public struct WarmPlan: Sendable, Hashable {
    /// Items at most.
    public var count: Int
    /// Bytes that one run may write.
    public var maxBytes: Int64
    /// Only of these; empty for all.
    public var collections: [String]
    /// How often at least, as long as all goes well: not below ten seconds.
    public var every: Duration

    public init(count: Int, maxBytes: Int64, in collections: [String] = [], every: Duration = .seconds(3_600)) {
        (self.count, self.maxBytes, self.collections) = (count, maxBytes, collections)
        // Less would be a storm, whatever was meant.
        self.every = max(every, .seconds(10))
    }
}

extension PublishedContent {
    /// Fetches ahead now, and again whenever it is due, until the task is cancelled: when time makes another answer of it, from time to time (a
    /// tenth more or less by chance), and after a failure after 5 s, 10 s, 20 s up to 10 minutes, half of which is by chance, or as late as the
    /// server says.
    ///
    /// - Parameter report: Told of each run.
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

    /// Fetches ahead once: what a task in the background does.
    public func warmOnce(_ plan: WarmPlan) async -> Result<PrefetchReport, ContentFault> {
        do throws(ContentFault) {
            return .success(
                try await prefetch(count: plan.count, maxBytes: plan.maxBytes, in: plan.collections))
        } catch {
            return .failure(error)
        }
    }

    /// How long nothing need be fetched.
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
    /// What asks for a run that is sooner.
    var warmingFault: ContentFault? {
        switch self {
        case .success(let report): report.fault
        case .failure(let fault): fault
        }
    }
}
