import CloudKitWire
import NephosTesting

/// A copy of a zone, maintained only by following its change tokens.
struct ZoneMirror {
    private(set) var records: [Name: JSON] = [:]
    private(set) var tombstones = 0
    private var token: JSON = .absent

    /// Applies all changes since the last time, in pages of random sizes.
    ///
    /// - Throws: ``UnusableAnswer``; also if the feed never ends.
    mutating func follow(
        _ zone: String, _ session: Session, using generator: inout SeededGenerator
    ) throws {
        for _ in 0..<10_000 {
            let limit = Int64.random(in: 1...(generator.once(in: 4) ? 200 : 20), using: &generator)
            let answer = try session.post(
                "changes/zone",
                ["zones": [["zoneID": ["zoneName": .string(zone)], "syncToken": token, "resultsLimit": .int(limit)]]])
            let page = answer["zones"][0]
            guard page["serverErrorCode"].isAbsent, page["syncToken"].string != nil,
                let moreComing = page["moreComing"].bool, page["records"].elements.count <= Int(limit)
            else { throw UnusableAnswer(description: "changes/zone with limit \(limit) answered \(answer)") }
            token = page["syncToken"]
            page["records"].elements.forEach { take($0) }
            if !moreComing { return }
        }
        throw UnusableAnswer(description: "changes/zone sets moreComing without end")
    }

    private mutating func take(_ record: JSON) {
        let name = Name(record["recordName"].string ?? "")
        if record["deleted"].bool == true {
            tombstones += 1
            records[name] = nil
        } else {
            records[name] = record
        }
    }
}
