import NephosStorage
import Synchronization

/// A plan that waits for more to be read. It is moved out, not copied, because it contains all records of the request.
final class PausedPlan: Sendable {
    private let plan: Mutex<ModifyPlan?>

    init(_ plan: consuming ModifyPlan) { self.plan = Mutex(plan) }

    /// nil if it was already taken: a decision continues once.
    func take() -> ModifyPlan? {
        plan.withLock { plan in
            var taken: ModifyPlan?
            swap(&taken, &plan)
            return taken
        }
    }
}
