/// The reason why an engine could not do what was requested. Nothing was written, except possibly after
/// ``unavailable(_:)``.
public enum StorageError: Error, Sendable, Equatable {
    /// The container was deleted, or never existed.
    case noSuchTenant
    /// Too many writers are waiting; try again.
    case busy
    /// The database server cannot be reached; try again. A commit may have taken place nevertheless. The text is for
    /// the log, never for a client.
    case unavailable(String)
    /// The disk, or the database server's disk, is full.
    case full
    /// The store cannot be written: it is on a read-only medium, or the database accepts only reads.
    case readOnly
    /// The system denies the user of this process access to a file. The text states the file, the user, and the owner
    /// of the file; it is for the operator, never for a client.
    case denied(String)
    /// The stored data is not what the server wrote.
    case corrupt(String)
    /// The store was written by a newer version of the server.
    case newer(String)
    /// The key under which secrets are sealed is missing. The text explains what to do; it is for the operator.
    case noKey(String)
    /// The store is the copy of another store, and copying is not finished (``CopyStore``).
    case unfinishedCopy
    /// The name of an account or a container is taken.
    case exists
    /// The engine was closed.
    case closed
    /// Nobody waits for the result any more (``Abandonment``), so the read was ended.
    case abandoned
    /// The rows to remove stay for now: a feature has no room to record their removal (``CatalogDerivative``).
    case postponed
    /// Any other error, as the engine describes it. The text is for the log, never for a client.
    case failed(String)
}

extension StorageError {
    /// Whether it concerns only the requested tenant: others may still be readable.
    package var isOfOneTenant: Bool {
        switch self {
        case .noSuchTenant, .denied, .corrupt, .newer, .noKey, .failed: true
        case .busy, .unavailable, .full, .readOnly, .unfinishedCopy, .exists, .closed, .abandoned, .postponed: false
        }
    }
}
