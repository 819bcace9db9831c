import NephosTesting

/// An unexpected answer.
package struct UnexpectedAnswer: Error, CustomStringConvertible { package var description: String }

/// A device's copy, updated with change tokens and queries.
struct Copy: Sendable {
    var replica = Replica()
    var tally = Tally()
    /// It may have missed changes: everything is fetched before it continues.
    var isBehind = true
    private var databaseToken: JSON = .absent
    private var zoneTokens: [String: JSON] = [:]
    /// The highest number seen.
    private var newest: Int64 = 0

    mutating func fetchAll(_ client: CloudKitClient, _ journal: Journal) throws {
        try fetchPrivate(client, journal)
        try fetchShared(client, journal)
    }

    // MARK: Private zones

    mutating func fetchPrivate(_ client: CloudKitClient, _ journal: Journal) throws {
        tally.fetches += 1
        var more = true
        while more {
            let page = try client.answer("changes/database", .private, ["syncToken": databaseToken, "resultsLimit": 3])
            for zone in page["zones"].elements {
                guard let name = zone["zoneID"]["zoneName"].string, name != "_defaultZone" else { continue }
                if zone["deleted"] == true {
                    forget(name)
                } else {
                    try fetch(name, client, journal)
                }
            }
            guard page["syncToken"].string != nil else {
                throw UnexpectedAnswer(description: "changes/database: \(page)")
            }
            databaseToken = page["syncToken"]
            more = page["moreComing"] == true
        }
    }

    mutating func fetch(_ zone: String, _ client: CloudKitClient, _ journal: Journal) throws {
        while true {
            let wish: JSON = [
                "zoneID": ["zoneName": .string(zone)], "syncToken": zoneTokens[zone] ?? .absent, "resultsLimit": 50,
            ]
            let page = try client.answer("changes/zone", .private, ["zones": [wish]])["zones"][0]
            if page["serverErrorCode"] == "ZONE_NOT_FOUND" { return forget(zone) }
            if page["ckErrorCode"] == 21 {
                // Deleted and created again.
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

    private mutating func forget(_ zone: String) {
        replica.apply(.zoneDeleted(zone))
        zoneTokens[zone] = nil
    }

    private mutating func take(_ record: JSON, _ zone: String, _ journal: Journal) {
        guard let name = record["recordName"].string else { return }
        if record["deleted"] == true { return replica.apply(.delete(zone: zone, name: name)) }
        guard let number = record["fields"]["n"]["value"].int64 else { return }
        replica.apply(.save(zone: zone, name: name, number: number))
        see(number, journal)
    }

    // MARK: Public records

    /// Queries all watched records: notifications are coalesced, and each names only one record.
    mutating func fetchShared(_ client: CloudKitClient, _ journal: Journal) throws {
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
        replica.shared = found
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
