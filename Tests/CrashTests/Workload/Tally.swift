/// The statistics of a run, as evidence of its work.
struct Tally: Sendable, CustomStringConvertible {
    /// Requests with a response.
    var acknowledged = 0
    /// Requests in flight when the server died, and how many of them were executed.
    var underWay = 0, carriedOut = 0

    var description: String {
        "\(acknowledged) requests acknowledged; \(underWay) under way at a crash, \(carriedOut) of them carried out"
    }

    static func += (left: inout Tally, right: Tally) {
        left.acknowledged += right.acknowledged
        left.underWay += right.underWay
        left.carriedOut += right.carriedOut
    }
}
