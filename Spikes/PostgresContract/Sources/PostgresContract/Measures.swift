import Synchronization

/// What commits cost, counted over all threads since it was last set to nothing.
struct Measures {
    static let now = Mutex(Measures())

    var commits = 0
    /// How often commits waited for the server.
    var roundTrips = 0
    var statements = 0
    /// Calls of `decide`.
    var decisions = 0
    /// Decisions made again since the catalog had moved between reading and locking it.
    var catalogMoved = 0
    /// Transactions begun again since a `.need` named a database that was not locked.
    var moreLocks = 0
    /// Catalogs that were read again since they changed between two of their tables.
    var catalogTorn = 0
    var deadlocks = 0
}
