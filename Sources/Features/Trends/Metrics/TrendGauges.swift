import NephosRunner
import NephosStorage
import Synchronization

/// What the metrics of this server say of containers whose settings want it: as of when it last added up what saves have counted. Reading
/// the metrics reads nothing that is stored.
final class TrendGauges: Sendable {
    /// Types of one container, each with two figures.
    static let typesMax = 100

    struct Figures: Sendable, Equatable {
        let type: String
        let created, live: Int64
    }

    private let known = Mutex<[Tenant: [Figures]]>([:])

    /// - Parameter figures: In the order in which types are shown; nil for a container that wants none.
    func set(_ figures: [Figures]?, of tenant: Tenant) {
        known.withLock { $0[tenant] = figures.map { Array($0.prefix(Self.typesMax)) } }
    }

    var families: [FigureFamily] {
        [
            FigureFamily("nephos_trend_records", .gauge) { self.figures(\.live) },
            FigureFamily("nephos_trend_created_total", .counter) { self.figures(\.created) },
        ]
    }

    private func figures(_ number: any KeyPath<Figures, Int64> & Sendable) -> [FigureFamily.Figure] {
        known.withLock(\.self).flatMap { tenant, figures in
            figures.map { one in
                FigureFamily.Figure(
                    [
                        ("container", tenant.container), ("environment", tenant.environment.rawValue),
                        ("type", one.type),
                    ], Double(one[keyPath: number]))
            }
        }
    }
}
