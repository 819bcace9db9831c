import NephosTesting
import Testing

extension CloudKitClient {
    /// Saves a subscription; expects success. - Returns: The subscription in the response.
    @discardableResult
    func subscribe(
        _ subscription: JSON, in database: Database, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> JSON {
        let answer = try submit(operation: "create", subscription, in: database, sourceLocation)
        try #require(answer["serverErrorCode"].isAbsent, "\(answer)", sourceLocation: sourceLocation)
        return answer
    }

    func unsubscribe(
        _ id: String, in database: Database, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let answer = try submit(
            operation: "delete", ["subscriptionID": .string(id)], in: database, sourceLocation)
        try #require(answer["deleted"] == true, "\(answer)", sourceLocation: sourceLocation)
    }

    /// Sends one operation of `subscriptions/modify`; expects 200. - Returns: Its item.
    func submit(
        operation: String, _ subscription: JSON, in database: Database,
        _ sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> JSON {
        let body: JSON = ["operations": [["operationType": .string(operation), "subscription": subscription]]]
        return try items("subscriptions/modify", "subscriptions", body, database, sourceLocation)[0]
    }

    /// IDs of the existing subscriptions.
    func subscriptionIDs(in database: Database) throws -> [String] {
        try get("subscriptions/list", database).json["subscriptions"].elements.compactMap {
            $0["subscriptionID"].string
        }
    }

    /// Creates a record; expects success.
    ///
    /// - Parameter name: nil for the server to generate one.
    @discardableResult
    func create(
        _ type: String, _ name: String?, _ fields: JSON = .absent, zone: String? = nil, in database: Database,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> JSON {
        try change("create", type, name, fields, zone: zone, in: database, sourceLocation: sourceLocation)
    }

    /// Creates, changes (`forceUpdate`) or deletes (`forceDelete`) a record; expects success.
    @discardableResult
    func change(
        _ operation: String, _ type: String, _ name: String?, _ fields: JSON = .absent, zone: String? = nil,
        in database: Database, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> JSON {
        let record: JSON = [
            "recordName": name.map { .string($0) } ?? .absent, "recordType": .string(type), "fields": fields,
        ]
        let body: JSON = [
            "operations": [["operationType": .string(operation), "record": record]],
            "zoneID": zone.map { ["zoneName": .string($0)] } ?? .absent,
        ]
        let answer = try items("records/modify", "records", body, database, sourceLocation)[0]
        try #require(answer["serverErrorCode"].isAbsent, "\(answer)", sourceLocation: sourceLocation)
        return answer
    }

    /// Creates (`create`) or deletes (`delete`) zones; expects success.
    func modifyZones(
        _ operation: String, _ names: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let operations = names.map { name -> JSON in
            ["operationType": .string(operation), "zone": ["zoneID": ["zoneName": .string(name)]]]
        }
        let zones = try items("zones/modify", "zones", ["operations": .array(operations)], .private, sourceLocation)
        for zone in zones {
            try #require(zone["serverErrorCode"].isAbsent, "\(zone)", sourceLocation: sourceLocation)
        }
    }

    /// The name of the user record of this client.
    func userName() throws -> String {
        let answer = try get("users/caller", .public).json
        return try #require(answer["userRecordName"].string, "\(answer)")
    }

    private func items(
        _ path: String, _ key: String, _ body: JSON, _ database: Database, _ sourceLocation: SourceLocation
    ) throws -> [JSON] {
        let response = try post(path, database, body)
        let answer = try response.json
        try #require(
            response.status == 200 && !answer[key].elements.isEmpty, "\(answer)", sourceLocation: sourceLocation)
        return answer[key].elements
    }
}

/// A subscription to records of a type.
func query(_ type: String, _ id: String, firesOn: [String] = ["create", "update", "delete"], with more: JSON = [:])
    -> JSON
{
    var subscription: JSON = [
        "subscriptionID": .string(id), "subscriptionType": "query", "query": ["recordType": .string(type)],
        "firesOn": .array(firesOn.map { .string($0) }),
    ]
    for member in more.members { subscription[member.name] = member.value }
    return subscription
}

/// `filterBy` for records whose field `n` is this.
func whereN(_ type: String, is number: Int64) -> JSON {
    [
        "query": [
            "recordType": .string(type),
            "filterBy": [["comparator": "EQUALS", "fieldName": "n", "fieldValue": ["value": .int(number)]]],
        ]
    ]
}
