import CloudKitWire
import Foundation

extension CKSubscription {
    /// The subscription as JSON for `subscriptions/modify`.
    ///
    /// - Throws: ``UnusableValue`` for a query subscription whose predicate is not supported or matches no record, or which fires on no
    ///   kind of change.
    func json() throws(UnusableValue) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("subscriptionID", subscriptionID)
        switch self {
        case let subscription as CKQuerySubscription: try subscription.writeMembers(to: &writer)
        case let subscription as CKRecordZoneSubscription:
            writer.member("subscriptionType", "zone")
            writer.member("zoneID", subscription.zoneID)
        default: writer.member("subscriptionType", "database")
        }
        if let notificationInfo {
            writer.key("notificationInfo")
            notificationInfo.members.write(to: &writer)
        }
        writer.endObject()
        return writer.bytes
    }
}

extension CKQuerySubscription {
    private static let events: [(Options, String)] = [
        (.firesOnRecordCreation, "create"), (.firesOnRecordUpdate, "update"), (.firesOnRecordDeletion, "delete"),
    ]

    fileprivate func writeMembers(to writer: inout JSONWriter) throws(UnusableValue) {
        writer.member("subscriptionType", "query")
        writer.key("query")
        let request: CKQuery.Request
        do throws(UnsupportedPredicate) {
            request = try CKQuery(recordType: recordType ?? "", predicate: predicate).request()
        } catch {
            throw UnusableValue(reason: error.reason)
        }
        guard case .query(let query) = request else {
            throw UnusableValue(reason: "no record can match the predicate, so the subscription would never fire")
        }
        writer.raw(query[...])
        if let zoneID { writer.member("zoneID", zoneID) } else { writer.member("zoneWide", true) }
        guard !querySubscriptionOptions.isDisjoint(with: .everyChange) else {
            throw UnusableValue(
                reason: "a query subscription must fire on creation, update or deletion: set at least one option")
        }
        writer.key("firesOn")
        writer.beginArray()
        for (event, name) in Self.events where querySubscriptionOptions.contains(event) { writer.string(name) }
        writer.endArray()
        writer.member("firesOnce", querySubscriptionOptions.contains(.firesOnce))
    }

    fileprivate static func options(_ names: [String], firesOnce: Bool) -> Options {
        var options: Options = firesOnce ? .firesOnce : []
        for (event, name) in events where names.contains(name) { options.insert(event) }
        return options
    }
}

extension CKNotificationInfo.Members: Archived {
    func archive(to writer: inout JSONWriter) { write(to: &writer) }

    init(archive reader: inout JSONReader) throws(WireError) { try self.init(&reader) }

    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        for text in CKNotificationInfo.Text.allCases {
            guard let value = texts[text] else { continue }
            writer.key(named: Name(text.rawValue))
            writer.string(value)
        }
        for list in CKNotificationInfo.List.allCases {
            guard let value = lists[list] else { continue }
            writer.key(named: Name(list.rawValue))
            writer.beginArray()
            for name in value { writer.string(name) }
            writer.endArray()
        }
        for member in CKNotificationInfo.Switch.allCases where switches.contains(member) {
            writer.key(named: Name(member.rawValue))
            writer.bool(true)
        }
        writer.endObject()
    }

    fileprivate init(_ reader: inout JSONReader) throws(WireError) {
        try reader.readMembers { reader, key throws(WireError) in
            let name = String(decoding: key.bytes, as: UTF8.self)
            if let text = CKNotificationInfo.Text(rawValue: name) {
                texts[text] = try reader.readText()
            } else if let list = CKNotificationInfo.List(rawValue: name) {
                lists[list] = try reader.readTexts()
            } else if let member = CKNotificationInfo.Switch(rawValue: name), try reader.readBool() {
                switches.insert(member)
            }
        }
    }
}

extension JSONReader {
    fileprivate mutating func readTexts() throws(WireError) -> [String] {
        try readElements { reader throws(WireError) in try reader.readText() }
    }
}

/// Reads the subscriptions in a response.
struct SubscriptionReader {
    /// The name of the signed-in person's user record.
    var user: String?
    /// Whether the response is to a change, which the server has made even if the response cannot be read.
    var isChange = false

    /// Reads the subscriptions of a response. One that cannot be read, for example because this library does not support its type, is
    /// an error of that subscription, and does not affect the others.
    ///
    /// - Throws: `WireError` if the ID of an unreadable subscription cannot be read either.
    func items(_ reader: inout JSONReader) throws(WireError) -> [SubscriptionsCall.Item] {
        var items: [SubscriptionsCall.Item] = []
        try reader.readItems { reader throws(WireError) in
            try reader.read { reader throws(WireError) in
                items.append(try item(&reader))
            } orElse: { reader, error throws(WireError) in
                items.append(try unreadable(reader, error))
            }
        }
        return items
    }

    private func unreadable(_ reader: JSONReader, _ error: WireError) throws(WireError) -> SubscriptionsCall.Item {
        var (reader, id) = (reader, String?.none)
        try reader.readMembers { reader, key throws(WireError) in
            if case "subscriptionID" = key { id = try reader.readText() }
        }
        guard let id else { throw error }
        let code: CKError.Code = isChange ? .serverResponseLost : .internalError
        return .failed(id, .unreadable("the subscription \(id) cannot be read: \(error)", code))
    }

    private func item(_ reader: inout JSONReader) throws(WireError) -> SubscriptionsCall.Item {
        var (id, type, isDeleted): (String?, String?, Bool) = (nil, nil, false)
        var (zone, zoneWide, firesOnce): (CKRecordZoneID?, Bool, Bool) = (nil, false, false)
        var (recordType, tree, firesOn): (String, PredicateTree, [String]) = ("", .always, [])
        var info: CKNotificationInfo.Members?
        var error = ServerError.Members()
        try reader.readMembers { reader, key throws(WireError) in
            switch key {
            case "subscriptionID": id = try reader.readText()
            case "subscriptionType": type = try reader.readText()
            case "deleted": isDeleted = try reader.readBool()
            case "zoneID": zone = try CKRecordZoneID(&reader).shown(to: user)
            case "zoneWide": zoneWide = try reader.readBool()
            case "firesOnce": firesOnce = try reader.readBool()
            case "firesOn": firesOn = try reader.readTexts()
            case "notificationInfo": info = try CKNotificationInfo.Members(&reader)
            case "query":
                try reader.readMembers { reader, key throws(WireError) in
                    switch key {
                    case "recordType": recordType = try reader.readText()
                    case "filterBy": tree = try PredicateTree(filterBy: &reader)
                    default: break
                    }
                }
            default: try error.read(&reader, key)
            }
        }
        if let error = error.error { return .failed(id, error) }
        guard let id else { throw WireError("a subscription has no subscriptionID") }
        if isDeleted { return .deleted(id) }
        let subscription: CKSubscription
        switch type {
        case "query":
            let query = CKQuerySubscription(
                recordType: recordType, predicate: NSPredicate(tree: tree), subscriptionID: id,
                options: CKQuerySubscription.options(firesOn, firesOnce: firesOnce))
            query.zoneID = zone
            subscription = query
        case "zone" where !zoneWide:
            subscription = CKRecordZoneSubscription(zoneID: zone ?? .default, subscriptionID: id)
        case "zone", "database": subscription = CKDatabaseSubscription(subscriptionID: id)
        default: throw WireError("a subscription has the unknown type '\(type ?? "")'")
        }
        subscription.notificationInfo = info.map { CKNotificationInfo($0) }
        return .there(id, subscription)
    }
}
