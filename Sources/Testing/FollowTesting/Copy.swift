import NephosTesting

/// An unexpected answer.
package struct UnexpectedAnswer: Error, CustomStringConvertible { package var description: String }

/// A device's copy, updated with change tokens and queries.
struct Copy: Sendable {
    var replica = Replica()
    var tally = Tally()
    /// It may have missed changes: everything is fetched before it continues.
    var isBehind = true
    /// The index of its user, and the record names of all users.
    private let person: Int
    private let names: [String]
    private var databaseTokens: [Database: JSON] = [:]
    private var zoneTokens: [Zone: JSON] = [:]
    /// The highest number seen.
    private var newest: Int64 = 0

    init(of person: Int, in world: World) { (self.person, names) = (person, world.names) }

    mutating func fetchAll(_ client: CloudKitClient, _ journal: Journal) throws {
        try fetchZones(client, journal)
        try fetchWatched(client, journal)
    }

    // MARK: Zones

    /// The user's own zones, and those of others.
    mutating func fetchZones(_ client: CloudKitClient, _ journal: Journal) throws {
        for database in [Database.private, .shared] { try fetchZones(of: database, client, journal) }
    }

    private mutating func fetchZones(of database: Database, _ client: CloudKitClient, _ journal: Journal) throws {
        tally.fetches += 1
        var more = true
        while more {
            let page = try client.answer(
                "changes/database", database,
                ["syncToken": databaseTokens[database] ?? .absent, "resultsLimit": 3])
            for found in page["zones"].elements {
                guard let name = found["zoneID"]["zoneName"].string, name != "_defaultZone" else { continue }
                let owner = names.firstIndex { $0 == found["zoneID"]["ownerRecordName"].string }
                guard let owner = database == .private ? person : owner else {
                    throw UnexpectedAnswer(description: "changes/database: \(found)")
                }
                let zone = Zone(owner: owner, name: name)
                if found["deleted"] == true {
                    forget(zone)
                } else {
                    try fetch(zone, client, journal)
                }
            }
            guard page["syncToken"].string != nil else {
                throw UnexpectedAnswer(description: "changes/database: \(page)")
            }
            databaseTokens[database] = page["syncToken"]
            more = page["moreComing"] == true
        }
    }

    mutating func fetch(_ zone: Zone, _ client: CloudKitClient, _ journal: Journal) throws {
        let (database, id) = zone.address(of: person, names)
        while true {
            let wish: JSON = ["zoneID": id, "syncToken": zoneTokens[zone] ?? .absent, "resultsLimit": 50]
            let page = try client.answer("changes/zone", database, ["zones": [wish]])["zones"][0]
            if page["serverErrorCode"] == "ZONE_NOT_FOUND" { return forget(zone) }
            if page["serverErrorCode"] == "BAD_REQUEST", zoneTokens[zone] != nil {
                // The token is expired: the zone was deleted and created again, or shared again.
                forget(zone)
                continue
            }
            guard page["syncToken"].string != nil else { throw UnexpectedAnswer(description: "changes/zone: \(page)") }
            replica.apply(.zoneMade(zone))
            for record in page["records"].elements { take(record, zone, journal) }
            zoneTokens[zone] = page["syncToken"]
            if page["moreComing"] != true { return }
        }
    }

    private mutating func forget(_ zone: Zone) {
        replica.apply(.zoneDeleted(zone))
        zoneTokens[zone] = nil
    }

    private mutating func take(_ record: JSON, _ zone: Zone, _ journal: Journal) {
        guard let name = record["recordName"].string else { return }
        if record["deleted"] == true { return replica.apply(.delete(zone: zone, name: name)) }
        guard let number = record["fields"]["n"]["value"].int64 else { return }
        replica.apply(.save(zone: zone, name: name, number: number))
        see(number, journal)
    }

    // MARK: Public records

    /// Queries all watched records: notifications are coalesced, and each names only one record.
    mutating func fetchWatched(_ client: CloudKitClient, _ journal: Journal) throws {
        tally.fetches += 1
        let filter: JSON = [
            "fieldName": "kind", "comparator": "EQUALS", "fieldValue": ["value": .string(Watched.kind)],
        ]
        var found: [String: Int64] = [:]
        var marker: JSON = .absent
        repeat {
            let page = try client.answer(
                "records/query", .public,
                ["query": ["recordType": "Entry", "filterBy": [filter]], "continuationMarker": marker])
            for record in page["records"].elements {
                guard let name = record["recordName"].string, let number = record["fields"]["n"]["value"].int64 else {
                    throw UnexpectedAnswer(description: "records/query: \(record)")
                }
                found[name] = number
                see(number, journal)
            }
            marker = page["continuationMarker"]
        } while !marker.isAbsent
        replica.watched = found
    }

    private mutating func see(_ number: Int64, _ journal: Journal) {
        guard number > newest else { return }
        newest = number
        tally.longestLag = max(tally.longestLag, journal.lag(number))
    }

    /// Applies a change made by this device.
    mutating func made(_ change: Change) {
        replica.apply(change)
        switch change {
        case .zoneDeleted(let zone): zoneTokens[zone] = nil
        default: break
        }
    }
}

extension Zone {
    /// Its database and zone ID for a user.
    ///
    /// - Parameter names: The record names of all users.
    func address(of person: Int, _ names: [String]) -> (database: Database, id: JSON) {
        owner == person
            ? (.private, ["zoneName": .string(name)])
            : (.shared, ["zoneName": .string(name), "ownerRecordName": .string(names[owner])])
    }
}

extension CloudKitClient {
    /// - Throws: ``UnexpectedAnswer`` for an answer other than 200.
    func answer(_ path: String, _ database: Database?, _ body: JSON) throws -> JSON {
        let response = try post(path, database, body)
        guard response.status == 200 else {
            throw UnexpectedAnswer(
                description: "\(path) answered \(response.status): \(String(decoding: response.body, as: UTF8.self))")
        }
        return try response.json
    }
}
