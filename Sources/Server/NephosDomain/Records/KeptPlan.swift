import NephosStorage
import Synchronization

/// A plan that waits for more to be read. It is taken out, and not copied: it has all records of the request.
final class KeptPlan: Sendable {
    private let plan: Mutex<ModifyPlan?>

    init(_ plan: consuming ModifyPlan) { self.plan = Mutex(plan) }

    /// nil where somebody has taken it: a decision goes on once.
    func take() -> ModifyPlan? {
        plan.withLock { plan in
            var taken: ModifyPlan?
            swap(&taken, &plan)
            return taken
        }
    }
}
