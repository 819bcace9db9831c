/// A zone of one of the users.
struct Zone: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The index of the user.
    var owner: Int
    var name: String

    static func < (left: Zone, right: Zone) -> Bool { (left.owner, left.name) < (right.owner, right.name) }
    var description: String { "\(name) of \(World.people[owner])" }
}

/// A single change. Each save has a unique number.
enum Change: Sendable {
    /// The zone is nil for the public database.
    case save(zone: Zone?, name: String, number: Int64)
    case delete(zone: Zone?, name: String)
    case zoneMade(Zone)
    case zoneDeleted(Zone)
    /// The other user is in it from now on, or not any more.
    case zoneShared(Zone)
    case zoneUnshared(Zone)
}

/// A copy of a user's private zones, of those that others share with them, and of the watched public records: the number in each
/// record.
struct Replica: Sendable, Equatable {
    var zones: [Zone: [String: Int64]] = [:]
    var watched: [String: Int64] = [:]

    mutating func apply(_ change: Change) {
        switch change {
        case .save(let zone?, let name, let number): zones[zone, default: [:]][name] = number
        case .save(nil, let name, let number): if Watched.holds(name) { watched[name] = number }
        case .delete(let zone?, let name): zones[zone]?[name] = nil
        case .delete(nil, let name): watched[name] = nil
        case .zoneMade(let zone): zones[zone] = zones[zone] ?? [:]
        case .zoneDeleted(let zone): zones[zone] = nil
        // Nothing changes for the owner.
        case .zoneShared, .zoneUnshared: break
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
        return lines + Self.differences(watched, other.watched, "public")
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
