package import NephosRunner

/// What CloudKit Web Services answer, but for files (``FileEndpoint``) and what features add.
package struct CloudKitEndpoints: Sendable {
    /// Each has a path of its own.
    package let all: [Endpoint]

    /// - Parameters:
    ///   - meter: Told what queries cost.
    ///   - indexes: Has those built that queries want; ended by whoever made it.
    ///   - unheld: What no record holds. There is one for all that a server answers.
    package init(meter: QueryMeter = QueryMeter(), indexes: IndexKeeper, unheld: UnheldCounts = UnheldCounts()) {
        all =
            RecordEndpoints.all + ZoneEndpoints.all + AssetEndpoints(unheld: unheld).all
            + [QueryEndpoint(indexes: indexes, meter: meter).endpoint]
    }
}
