package import NephosRunner

/// The endpoints of CloudKit Web Services, except for files (``FileEndpoint``) and those of features.
package struct CloudKitEndpoints: Sendable {
    /// Each has a distinct path.
    package let all: [Endpoint]

    /// - Parameters:
    ///   - meter: Called with the cost of queries.
    ///   - indexes: Builds the indexes that queries need; stopped by its owner.
    ///   - unreferenced: Counts of files that no record references. There is one for all endpoints of a server.
    package init(
        meter: QueryMeter = QueryMeter(), indexes: IndexKeeper,
        unreferenced: UnreferencedFileCounts = UnreferencedFileCounts()
    ) {
        all =
            RecordEndpoints.all + ShareEndpoints.all + ZoneEndpoints.all
            + AssetEndpoints(unreferenced: unreferenced).all
            + [QueryEndpoint(indexes: indexes, meter: meter).endpoint]
    }
}
