import NephosStorage

/// Why a statement or a connection failed, as PostgreSQL tells it.
struct Failure: Sendable {
    /// SQLSTATE: five characters, the first two a class. Empty when no server answered.
    var state: String
    var message: String
    /// The connection cannot be used again: it broke, or the server ends the session (FATAL, PANIC).
    var isLost = false
    /// COMMIT failed, and for a reason that does not tell whether it took place.
    var isOfUnknownFate = false

    /// Somebody holds a lock, or a statement hangs: the next who asks for the same would wait as long.
    var isTimeout: Bool { state == "55P03" || state == "57014" }

    /// The transaction met another one; done again it may succeed.
    var isRetryable: Bool { state == "40001" || state == "40P01" }

    /// Said of COMMIT, it tells that nothing was committed: the transaction met another one, or broke a rule of its own.
    var rollsBack: Bool { isRetryable || state.hasPrefix("23") }

    var storageError: StorageError {
        if isOfUnknownFate { return .unavailable("a commit failed and may stand all the same (\(state)): \(message)") }
        if isLost { return .unavailable("no connection to PostgreSQL: \(message)") }
        switch state {
        case "53100": return .full
        case "25006": return .readOnly
        case "42501": return .failed("PostgreSQL does not permit it (\(state)): \(message)")
        // A lock or a statement took too long; a transaction met others too often.
        case "55P03", "57014", "40001", "40P01": return .busy
        // The server lacks memory, or some limit of its configuration is reached.
        case "53200", "53400": return .busy
        case "53300": return .unavailable("PostgreSQL has no connection left: \(message)")
        case _ where state.hasPrefix("08") || state.hasPrefix("57P"):
            return .unavailable("no connection to PostgreSQL (\(state)): \(message)")
        case "XX001", "XX002": return .corrupt("PostgreSQL (\(state)): \(message)")
        // An internal error of the server, or a node of a distributed one that does not answer: the data is whole.
        case _ where state.hasPrefix("XX"): return .unavailable("PostgreSQL failed (\(state)): \(message)")
        default: return .failed("PostgreSQL (\(state)): \(message)")
        }
    }
}
