import NephosStorage

/// Why a statement or a connection failed, as reported by PostgreSQL.
struct Failure: Sendable {
    /// SQLSTATE: five characters, the first two a class. Empty without a response from a server.
    var state: String
    var message: String
    /// The connection cannot be used again: it broke, or the server ends the session (FATAL, PANIC).
    var isLost = false
    /// COMMIT failed for a reason that leaves its outcome unknown.
    var isOfUnknownFate = false

    /// A lock is held elsewhere, or a statement hangs: another request for the same lock would wait as long.
    var isTimeout: Bool { state == "55P03" || state == "57014" }

    /// A lock is held elsewhere.
    var isLockTimeout: Bool { state == "55P03" }

    /// The transaction conflicted with another one; a retry may succeed.
    var isRetryable: Bool { state == "40001" || state == "40P01" }

    /// For a COMMIT: nothing was committed, because the transaction conflicted with another one, or violated a constraint.
    var rollsBack: Bool { isRetryable || state.hasPrefix("23") }

    var storageError: StorageError {
        if isOfUnknownFate { return .unavailable("a commit failed, but may have taken effect (\(state)): \(message)") }
        if isLost { return .unavailable("no connection to PostgreSQL: \(message)") }
        switch state {
        case "53100": return .full
        case "25006": return .readOnly
        case "42501": return .failed("PostgreSQL refused permission (\(state)): \(message)")
        // A lock or a statement took too long; a transaction conflicted with others too often.
        case "55P03", "57014", "40001", "40P01": return .busy
        // The server lacks memory, or has reached a configured limit.
        case "53200", "53400": return .busy
        case "53300": return .unavailable("PostgreSQL has no free connection: \(message)")
        case _ where state.hasPrefix("08") || state.hasPrefix("57P"):
            return .unavailable("no connection to PostgreSQL (\(state)): \(message)")
        case "XX001", "XX002": return .corrupt("PostgreSQL (\(state)): \(message)")
        // An internal error of the server, or a node of a distributed one that does not respond: the data is intact.
        case _ where state.hasPrefix("XX"): return .unavailable("PostgreSQL failed (\(state)): \(message)")
        default: return .failed("PostgreSQL (\(state)): \(message)")
        }
    }
}
