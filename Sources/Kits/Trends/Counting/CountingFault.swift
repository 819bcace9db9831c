/// Why a step of a refresh failed.
enum CountingFault: Error {
    /// Another device has changed the stored counts, or may have: begin again from their current state.
    case outdated
    case problem(TrendsProblem)
}
