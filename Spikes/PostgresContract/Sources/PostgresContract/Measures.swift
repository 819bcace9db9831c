import Synchronization

/// The costs of commits, counted on all threads since the last reset.
struct Measures {
    static let now = Mutex(Measures())

    var commits = 0
    /// How often commits waited for the server.
    var roundTrips = 0
    var statements = 0
    /// Calls of `decide`.
    var decisions = 0
    /// Decisions repeated because the catalog had changed between reading and locking it.
    var catalogMoved = 0
    /// Transactions restarted because a `.need` named a database that was not locked.
    var moreLocks = 0
    /// Catalogs that were read again because they changed while their tables were read.
    var catalogTorn = 0
    var deadlocks = 0
}
