/// A single change. Each save has a unique number.
enum Change: Sendable {
    /// The zone is nil for the public database.
    case save(zone: String?, name: String, number: Int64)
    case delete(zone: String?, name: String)
    case zoneMade(String)
    case zoneDeleted(String)
}

/// A copy of a user's private zones and of the watched public records: the number in each record.
struct Replica: Sendable, Equatable {
    var zones: [String: [String: Int64]] = [:]
    var shared: [String: Int64] = [:]

    mutating func apply(_ change: Change) {
        switch change {
        case .save(let zone?, let name, let number): zones[zone, default: [:]][name] = number
        case .save(nil, let name, let number): if Watched.holds(name) { shared[name] = number }
        case .delete(let zone?, let name): zones[zone]?[name] = nil
        case .delete(nil, let name): shared[name] = nil
        case .zoneMade(let zone): zones[zone] = zones[zone] ?? [:]
        case .zoneDeleted(let zone): zones[zone] = nil
        }
    }

    /// The differences, one per line; empty if both are equal.
    func differences(from other: Replica) -> [String] {
        var lines: [String] = []
        for zone in Set(zones.keys).union(other.zones.keys).sorted() {
            guard let own = zones[zone], let theirs = other.zones[zone] else {
                lines.append("zone \(zone): \(zones[zone] == nil ? "missing" : "should be gone")")
                continue
            }
            lines += Self.differences(own, theirs, "zone \(zone)")
        }
        return lines + Self.differences(shared, other.shared, "public")
    }

    private static func differences(_ own: [String: Int64], _ theirs: [String: Int64], _ place: String) -> [String] {
        func text(_ number: Int64?) -> String { number.map { "\($0)" } ?? "nothing" }
        return Set(own.keys).union(theirs.keys).sorted().filter { own[$0] != theirs[$0] }.map {
            "\(place): \($0) is \(text(own[$0])), should be \(text(theirs[$0]))"
        }
    }
}

/// The watched public records. A record never changes whether it is watched, because query subscriptions do not report records that
/// no longer match.
enum Watched {
    static func holds(_ name: String) -> Bool { name.hasPrefix("w") }
    static let kind = "watched"

    static func kind(_ name: String) -> String { holds(name) ? kind : "other" }
}
