import NephosTesting

/// Follows the feed of the fleet's zone by its tokens, switching between servers.
struct Follower {
    private var visitor: Visitor
    private var token: JSON = .absent
    /// The contents according to the feed: the number in each record.
    private(set) var values: [String: Int64] = [:]

    init(_ fleet: Fleet) { visitor = Visitor(fleet, from: 0) }

    /// Reads to the end of the feed.
    ///
    /// - Returns: Whether it was reached.
    mutating func catchUp(while mayGoOn: () -> Bool) throws -> Bool {
        while true {
            let zone: JSON = [
                "zoneID": ["zoneName": .string(Fleet.zone)], "syncToken": token, "resultsLimit": 7,
            ]
            guard let answer = try visitor.ask("changes/zone", ["zones": [zone]], while: mayGoOn) else { return false }
            let page = answer["zones"][0]
            guard page["syncToken"].string != nil else {
                throw UnexpectedAnswer(description: "changes/zone: \(answer)")
            }
            for record in page["records"].elements {
                guard let name = record["recordName"].string else { throw UnexpectedAnswer(description: "\(record)") }
                values[name] = record["deleted"] == true ? nil : record["fields"]["n"]["value"].int64
            }
            token = page["syncToken"]
            if page["moreComing"] != true { return true }
        }
    }
}
