/// Why a step of a refresh failed.
enum CountingFault: Error {
    /// Somebody else has changed what is kept, or may have: begin again from what is there now.
    case outdated
    case problem(TrendsProblem)
}
