package import NephosRunner
package import NephosStorage

/// What CloudKit Web Services answer, but for files (``FileEndpoint``) and what features add.
package struct CloudKitEndpoints: Sendable {
    private let indexes: IndexKeeper
    /// Each has a path of its own.
    package let all: [Endpoint]

    /// - Parameters:
    ///   - meter: Told what queries cost.
    ///   - unheld: What no record holds. There is one for all that a server answers.
    ///   - clock: Milliseconds since 1970, for what goes on after a request has arrived.
    package init(
        meter: QueryMeter = QueryMeter(), unheld: UnheldCounts = UnheldCounts(),
        clock: @escaping @Sendable () -> Milliseconds = WallClock.now
    ) {
        indexes = IndexKeeper(meter: meter, clock: clock)
        all =
            RecordEndpoints.all + ZoneEndpoints.all + AssetEndpoints(unheld: unheld).all
            + [QueryEndpoint(indexes: indexes, meter: meter).endpoint]
    }

    /// Ends what queries have begun and nobody waits for.
    package func stop() async { await indexes.stop() }
}
