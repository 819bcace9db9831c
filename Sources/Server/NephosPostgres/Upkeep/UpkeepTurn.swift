import NephosStorage

/// Work that one process at a time does for a tenant, chunk by chunk. Who does not get the turn leaves the work to
/// who has it.
///
/// The turn is an advisory lock that the transaction holds until it ends, so that nobody has it whose process died. Its
/// key is a hash of the schema and of `kind · 2²⁴ + tenant`: advisory locks belong to the whole PostgreSQL database, and
/// other schemas in it may hold other stores.
enum UpkeepTurn: Int64 {
    case deadZones = 1
    case tombstones = 2
    case trash = 3
    case indexes = 4
    /// The same for all tenants: whoever has it takes them one by one.
    case deletedTenants = 5
    case assets = 6

    /// Asks for the turn: a row with true or false.
    func call(_ tenant: TenantNumber) -> Call {
        Call(Self.attempt) { $0.add(rawValue << 24 | tenant.value) }
    }

    private static let attempt = Statement(
        "SELECT pg_try_advisory_xact_lock(hashtextextended(current_schema()::text, $1))")
}

extension WriteSession {
    /// Asks for the turn, and what there is to do, in one round trip.
    ///
    /// - Parameter calls: Find what to do. They read without a lock: what they say may be over once a head is locked.
    /// - Returns: The answers of `calls`; nil when another process is at it.
    /// - Throws: ``StorageError/noSuchTenant`` when there is nothing to do because the container was deleted.
    func find(_ turn: UpkeepTurn, _ calls: [Call]) throws(StorageError) -> ArraySlice<Rows>? {
        let answers = try transaction.run([turn.call(tenant)] + calls)
        let found = answers.dropFirst()
        if answers.first?.first?.bool(0) == true, found.contains(where: { $0.count > 0 }) { return found }
        _ = try catalog()
        return nil
    }

    /// Locks the heads of databases before anything of them is changed.
    ///
    /// - Throws: ``StorageError/noSuchTenant`` when the container was deleted meanwhile.
    func lock(_ databases: some Swift.Sequence<DatabaseNumber>) throws(StorageError) {
        _ = try load(ReadSet(), locking: Array(Set(databases)))
    }
}
