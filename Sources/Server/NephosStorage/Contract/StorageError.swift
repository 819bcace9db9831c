/// Why an engine could not do what was asked. Nothing was written, but for what ``unavailable(_:)`` says.
public enum StorageError: Error, Sendable, Equatable {
    /// The container was deleted, or never existed.
    case noSuchTenant
    /// Too many writers wait; try again.
    case busy
    /// The database server cannot be reached; try again. A commit may have taken place all the same. The text is for the
    /// log, never for a client.
    case unavailable(String)
    /// The disk, or the database server's disk, is full.
    case full
    /// The store cannot be written: a read-only medium, or a database that takes reads only.
    case readOnly
    /// The system keeps this process's user from a file. The text says which file, who the user is, and whose it is; it is
    /// for the operator, never for a client.
    case denied(String)
    /// What is stored is not what the server wrote.
    case corrupt(String)
    /// The store was made by a newer version of the server.
    case newer(String)
    /// The key under which secrets are sealed is missing. The text says what to do; it is for the operator.
    case noKey(String)
    /// The store is being filled by a copy of another, which was not finished (``CopyStore``).
    case unfinishedCopy
    /// The name is taken (accounts, containers).
    case exists
    /// The engine was closed.
    case closed
    /// Nobody waits for the answer any more (``Abandonment``), so the read was ended.
    case abandoned
    /// What was to go stays for now (``CatalogDerivative``).
    case postponed
    /// Anything else, as the engine tells it. For the log, never for a client.
    case failed(String)
}

extension StorageError {
    /// It is about the tenant that was asked for; others may be read all the same.
    package var isOfOneTenant: Bool {
        switch self {
        case .noSuchTenant, .denied, .corrupt, .newer, .noKey, .failed: true
        case .busy, .unavailable, .full, .readOnly, .unfinishedCopy, .exists, .closed, .abandoned, .postponed: false
        }
    }
}
