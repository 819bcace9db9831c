import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// Whether clients are counted by what they report: section `clients` of the settings.
struct ClientSettings: Sendable, Equatable {
    static let name = "clients"
    static let days: ClosedRange<Int64> = 1...400

    private(set) var isReporting = false
    /// A client that has not been seen for this many days is forgotten.
    private(set) var keepDays: Int64 = 90

    init() {}

    init(_ json: inout JSONReader) throws(WireError) {
        try json.readObject { json, key throws(WireError) in
            switch key {
            case "report": isReporting = try json.readBool()
            case "keepDays":
                let start = json.offset
                keepDays = try json.readInt64()
                guard Self.days.contains(keepDays) else {
                    throw WireError(
                        "keepDays must be a number from \(Self.days.lowerBound) to \(Self.days.upperBound)",
                        offset: start)
                }
            default: throw WireError("unknown key; clients has report and keepDays", offset: json.offset)
            }
        }
    }
}

extension CatalogSection<ClientSettings> {
    static let clients = Self(ClientSettings.name, isDeployed: true)
}

extension ClientSettings: SectionSettings {
    static func effects(from old: Self?, to new: Self?) -> [SectionEffect] {
        let (old, new) = (old ?? Self(), new ?? Self())
        var effects: [SectionEffect] = []
        if new.keepDays < old.keepDays {
            effects.append(
                SectionEffect(
                    .loses,
                    "clients that have been absent for \(new.keepDays) days are forgotten, instead of \(old.keepDays)"))
        }
        if new.isReporting != old.isReporting {
            effects.append(
                new.isReporting
                    ? SectionEffect(
                        .reveals,
                        "what apps report about themselves is counted, and becomes visible to those who may read trends"
                    )
                    : SectionEffect(.hides, "clients are no longer counted"))
        }
        return effects
    }
}

extension Catalog {
    /// If the settings cannot be read, no client is counted.
    var clients: ClientSettings {
        do throws(SectionFailure) { return try value(of: .clients) ?? ClientSettings() } catch {
            return ClientSettings()
        }
    }
}
