import NephosRunner
import NephosStorage
import Synchronization

/// The figures in this server's metrics, for containers whose settings ask for it, as of the last time it added up counts.
/// Reading the metrics does not read the store.
final class TrendGauges: Sendable {
    /// Types per container, each with two figures.
    static let typesMax = 100

    struct Figures: Sendable, Equatable {
        let type: String
        let created, live: Int64
    }

    /// How often figures are refreshed when nothing is counted, so that a server that has just started has them too.
    static let renewedEvery: Milliseconds = 300_000
    /// Figures that are not refreshed for this long are left out: the container is gone, or another server adds up its counts.
    private static let goodFor = 2 * renewedEvery

    private let known = Mutex<[Tenant: (figures: [Figures], at: Milliseconds)]>([:])
    private let now: @Sendable () -> Milliseconds

    /// - Parameter now: The time, by the clock of the server.
    init(now: @escaping @Sendable () -> Milliseconds) { self.now = now }

    /// - Parameter figures: In the order in which types are shown; nil for a container without metrics.
    func set(_ figures: [Figures]?, of tenant: Tenant) {
        known.withLock { $0[tenant] = figures.map { (Array($0.prefix(Self.typesMax)), now()) } }
    }

    static let help = [
        "nephos_trend_created_total": "Records ever created, by container, environment and type.",
        "nephos_trend_records": "Existing records, by container, environment and type.",
    ]

    var families: [FigureFamily] {
        [
            FigureFamily("nephos_trend_records", .gauge) { self.figures(\.live) },
            FigureFamily("nephos_trend_created_total", .counter) { self.figures(\.created) },
        ]
    }

    private func figures(_ number: any KeyPath<Figures, Int64> & Sendable) -> [FigureFamily.Figure] {
        let oldest = now() - Self.goodFor
        let known = known.withLock { known in
            known = known.filter { $0.value.at >= oldest }
            return known
        }
        return known.flatMap { tenant, known in
            known.figures.map { one in
                FigureFamily.Figure(
                    [
                        ("container", tenant.container), ("environment", tenant.environment.rawValue),
                        ("type", one.type),
                    ], Double(one[keyPath: number]))
            }
        }
    }
}
