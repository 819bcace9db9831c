/// The kind of a container's database. Write `CKDatabase.Scope`.
public enum CKDatabaseScope: Int, Sendable {
    /// The database that everyone shares.
    case `public` = 1
    /// The person's own database.
    case `private` = 2
    /// The database of records that others share with the person.
    case shared = 3
}
