import NephosTesting
import Synchronization

/// A client that saves notes in its own zone, each consisting of three records, and records the outcome of every save.
final class Author: Sendable {
    enum Answer: Equatable {
        case saved
        /// The storage is full, and nothing was saved.
        case full
        /// The database is unreachable. The save may have been stored.
        case unreachable
    }

    private struct Notes {
        /// The acknowledged number of each note, by name.
        var acknowledged: [String: Int64] = [:]
        /// Numbers that they may have instead.
        var doubtful: [String: [Int64]] = [:]
    }

    private let container: TestContainer
    private let credentials: Credentials
    private let zone: JSON
    private let notes = Mutex(Notes())

    init(_ container: TestContainer, zone: String) throws {
        self.container = container
        credentials = .person(apiToken: container.apiToken, webAuthToken: try container.signIn("\(zone)@example.org"))
        self.zone = ["zoneName": .string(zone)]
        guard try make(zone: zone) == .saved else { throw Failure("no room for the zone of \(zone)") }
    }

    private func post(_ path: String, _ body: JSON) throws -> HTTPResponse {
        try container.client(credentials).post(path, .private, body)
    }

    /// - Throws: An error for any response that is not an ``Answer``.
    func make(zone: String) throws -> Answer {
        let operation: JSON = ["operationType": "create", "zone": ["zoneID": ["zoneName": .string(zone)]]]
        return try Self.answer(to: post("zones/modify", ["operations": [operation]]))
    }

    /// - Throws: An error for any response that is not an ``Answer``.
    @discardableResult
    func save(_ name: String, _ number: Int64) throws -> Answer {
        let operations = (0..<3).map { part -> JSON in
            let fields: JSON = [
                "number": ["value": .int(number)], "text": ["value": .string(String(repeating: "x", count: 1_000))],
            ]
            return [
                "operationType": "forceUpdate",
                "record": ["recordName": .string("\(name)/\(part)"), "recordType": "Note", "fields": fields],
            ]
        }
        let answer = try Self.answer(
            to: post("records/modify", ["zoneID": zone, "operations": .array(operations), "atomic": true]))
        notes.withLock { notes in
            if answer == .saved { (notes.acknowledged[name], notes.doubtful[name]) = (number, nil) }
            if answer == .unreachable { notes.doubtful[name, default: []].append(number) }
        }
        return answer
    }

    /// docs/protocol.md, E5. - Throws: An error for a response that is not an ``Answer``.
    private static func answer(to response: HTTPResponse) throws -> Answer {
        let json = try response.json
        let isEachSaved = json["records"].elements.allSatisfy { $0["serverErrorCode"].isAbsent }
        if response.status == 200, isEachSaved { return .saved }
        guard response.status == 503, json["serverErrorCode"] == "TRY_AGAIN_LATER" else {
            throw Failure("answered \(response.status): \(json)")
        }
        switch (json["retryAfter"].int64, json["reason"].string) {
        case (60, "the server's storage is full; nothing was saved: try again when its operator has freed space"):
            return .full
        case (
            1,
            "the database cannot be reached at the moment: try again; a save may have taken place, so look before you repeat it"
        ):
            return .unreachable
        default: throw Failure("answered \(json)")
        }
    }

    // MARK: Reading

    /// The number of each note, according to the feed from its beginning. - Throws: An error for an incomplete note.
    func readFeed() throws -> [String: Int64] {
        var parts: [String: [Int64]] = [:]
        var token: JSON = .absent
        while true {
            let answer = try post(
                "changes/zone", ["zones": [["zoneID": zone, "syncToken": token]]])
            let page = try answer.json["zones"][0]
            guard answer.status == 200, page["syncToken"].string != nil else { throw Failure("changes/zone: \(page)") }
            for record in page["records"].elements {
                let name = (record["recordName"].string ?? "").split(separator: "/").first ?? ""
                parts[String(name), default: []].append(record["fields"]["number"]["value"].int64 ?? -1)
            }
            token = page["syncToken"]
            if page["moreComing"] != true { break }
        }
        for (name, numbers) in parts where numbers.count != 3 || Set(numbers).count != 1 {
            throw Failure("\(name) is half there: \(numbers)")
        }
        return parts.compactMapValues(\.first)
    }

    /// The number of records that a query finds with this number.
    func count(of number: Int64) throws -> Int {
        let filter: JSON = [
            "fieldName": "number", "comparator": "EQUALS", "fieldValue": ["value": .int(number)],
        ]
        let answer = try post(
            "records/query", ["zoneID": zone, "query": ["recordType": "Note", "filterBy": [filter]]])
        guard answer.status == 200 else { throw Failure("records/query: \(try answer.json)") }
        return try answer.json["records"].elements.count
    }

    /// Contents of the zone that are neither acknowledged nor in doubt, and acknowledged ones that are missing.
    func surprises() throws -> [String] {
        let found = try readFeed()
        return notes.withLock { notes in
            Set(found.keys).union(notes.acknowledged.keys).sorted().compactMap { name in
                let (now, saved) = (found[name], notes.acknowledged[name])
                if now == saved { return nil }
                if let now, notes.doubtful[name]?.contains(now) == true { return nil }
                return "\(name): \(now ?? 0) instead of \(saved ?? 0)"
            }
        }
    }
}
