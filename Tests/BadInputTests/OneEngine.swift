import NephosTesting
import Testing

extension Trait where Self == ConditionTrait {
    /// For tests whose results do not depend on where the store is. Of the runs on both engines, only that on SQLite has them.
    static var onOneEngine: Self {
        .enabled(if: try TestEngine.chosen == .sqlite, "This does not depend on the storage engine.")
    }
}
