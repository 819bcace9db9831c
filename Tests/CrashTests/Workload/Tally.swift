/// What a run went through, to show that it did.
struct Tally: Sendable, CustomStringConvertible {
    /// Requests that were answered.
    var acknowledged = 0
    /// Requests that were under way when the server died, and how many of them had been carried out.
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
