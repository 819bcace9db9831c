package import NephosDelivery
package import NephosRunner
package import NephosStorage

/// What CloudKit Web Services answer, but for files (``FileEndpoint``).
package struct CloudKitEndpoints: Sendable {
    private let indexes: IndexKeeper
    /// Each has a path of its own.
    package let all: [Endpoint]

    /// - Parameters:
    ///   - meter: Told what queries cost.
    ///   - unheld: What no record holds. There is one for all that a server answers.
    ///   - desk: Where devices wait for what they are to be told; nil tells nobody.
    ///   - clock: Milliseconds since 1970, for what goes on after a request has arrived.
    package init(
        runner: Runner, meter: QueryMeter = QueryMeter(), unheld: UnheldCounts = UnheldCounts(),
        desk: CourierDesk? = nil, clock: @escaping @Sendable () -> Milliseconds = WallClock.now,
        chance: Chance = .system
    ) {
        indexes = IndexKeeper(meter: meter, clock: clock)
        all =
            RecordEndpoints.all + ZoneEndpoints.all + SubscriptionEndpoints.all + DeviceEndpoints.all
            + AssetEndpoints(unheld: unheld).all
            + [
                QueryEndpoint(indexes: indexes, meter: meter).endpoint,
                CourierEndpoint(runner: runner, desk: desk, chance: chance).endpoint,
            ]
    }

    /// Ends what queries have begun and nobody waits for.
    package func stop() async { await indexes.stop() }
}
