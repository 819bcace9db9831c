import CloudKitWire
import NephosDomain
import NephosStorage

/// What is to be counted in an environment, by its settings and its schema.
struct WantedTrackers {
    struct Wanted: Equatable {
        let side: TrendSide
        let key: TrendKey
        /// The epoch of the field.
        var epoch: Int64 = 0
    }

    private(set) var all: [Wanted] = []

    init(_ settings: TrendSettings, _ catalog: Catalog) {
        for name in settings.privateTypes {
            guard let type = catalog.types[name] else { continue }
            all.append(Wanted(side: .inPrivate, key: TrendKey(type: type.row.number)))
        }
        for part in settings.parts where part.mismatch(in: catalog) == nil {
            guard let type = catalog.types[part.type], let field = type.fields[part.field] else { continue }
            all.append(
                Wanted(
                    side: .inPublic, key: TrendKey(type: type.row.number, part: part.id), epoch: field.epoch))
        }
    }

    func contains(_ row: TrackerRow) -> Bool {
        all.contains { $0.side == row.side && $0.key == row.key && $0.epoch == row.fieldEpoch }
    }
}
