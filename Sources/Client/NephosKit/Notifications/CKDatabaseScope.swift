/// Which database of a container. Write `CKDatabase.Scope`.
public enum CKDatabaseScope: Int, Sendable {
    /// Everybody's.
    case `public` = 1
    /// One's own.
    case `private` = 2
    /// What others share.
    case shared = 3
}
