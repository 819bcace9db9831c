/// A time zone that this program knows by itself, for systems without a database of time zones.
struct BuiltInZone: Sendable {
    /// All names that it has.
    let names: [String]
    private let rule, changes: Substring

    /// - Returns: nil for an unknown name.
    static func named(_ name: String) -> BuiltInZone? { all[name] }

    var offsets: ZoneOffsets? {
        guard let rule = ZoneRule(rule) else { return nil }
        let minutes = changes.split(separator: " ").compactMap { Int64($0) }
        var (times, offsets, last): ([Int64], [Int64], Int64) = ([], [], 0)
        for place in stride(from: 1, to: minutes.count - 1, by: 2) {
            last += minutes[place] * 60
            times.append(last)
            offsets.append(minutes[place + 1] * 60)
        }
        return ZoneOffsets(changes: times, offsets: offsets, first: (minutes.first ?? 0) * 60, rule: rule)
    }

    /// By each name.
    private static let all: [String: BuiltInZone] = {
        var all: [String: BuiltInZone] = [:]
        for row in BuiltInZones.text.split(separator: "\n") {
            let parts = row.split(separator: "|", omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            var zones: [[String]] = []
            for word in parts[2].split(separator: " ") {
                if word.hasPrefix("="), let last = zones.indices.last {
                    zones[last].append(String(word.dropFirst()))
                } else {
                    zones.append([String(word)])
                }
            }
            for names in zones {
                for name in names { all[name] = BuiltInZone(names: names, rule: parts[0], changes: parts[1]) }
            }
        }
        return all
    }()
}
