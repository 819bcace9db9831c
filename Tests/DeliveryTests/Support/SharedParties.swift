import Synchronization

/// Parties shared by the rows of a table: creating one takes longer than a row.
final class SharedParties: Sendable {
    @TaskLocal static var current = SharedParties()

    private let made = Mutex<[String: Party]>([:])

    /// Created at the first call, and the same for all calls with this name. Rows that share one run one at a time.
    func party(_ suite: String) throws -> Party {
        try made.withLock { made in
            if let known = made[suite] { return known }
            let party = try freshParty()
            made[suite] = party
            return party
        }
    }
}
