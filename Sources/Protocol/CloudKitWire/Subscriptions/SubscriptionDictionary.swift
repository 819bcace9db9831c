/// The changes of records that fire a query subscription.
public struct FiresOn: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let creation = FiresOn(rawValue: 1)
    public static let update = FiresOn(rawValue: 2)
    public static let deletion = FiresOn(rawValue: 4)

    private static let names: [(FiresOn, StaticString)] = [
        (.creation, "create"), (.update, "update"), (.deletion, "delete"),
    ]

    init(_ reader: inout JSONReader) throws(WireError) {
        var found: FiresOn = []
        try reader.readEach(of: .firesOn) { reader throws(WireError) in
            let start = reader.offset
            let text = try reader.readString()
            guard let (event, _) = Self.names.first(where: { text.equals($0.1) }) else {
                throw WireError(
                    "firesOn can contain create, update and delete, not '\(WireError.excerpt(text))'", offset: start)
            }
            found.insert(event)
        }
        self = found
    }

    func write(to writer: inout JSONWriter) {
        writer.beginArray()
        for (event, name) in Self.names where contains(event) { writer.string("\(name)") }
        writer.endArray()
    }
}

/// A subscription as clients send it, and as it is stored (docs/protocol.md, "Subscriptions").
public struct SubscriptionDictionary: Sendable {
    public enum Kind: String, Sendable, CaseIterable { case query, zone, database }

    /// nil for the server to generate one.
    public var subscriptionID: Name?
    /// nil if a client only names a subscription.
    public var kind: Kind?
    /// The query of a query subscription. Its sorts are ignored.
    public var query: RecordQuery?
    /// The query without sorts and whitespace, for storage and responses.
    public private(set) var queryJSON: [UInt8] = []
    public var zoneID: ZoneIDDictionary?
    /// For a query subscription; nil if not specified. For a database subscription: whether it was sent as one of a zone, which
    /// responses reproduce.
    public var zoneWide: Bool?
    public var firesOn: FiresOn = []
    /// It is deleted after it has fired.
    public var firesOnce = false
    public var notificationInfo: NotificationInfo?

    public init(_ reader: inout JSONReader) throws(WireError) {
        try reader.readMembers { reader, key throws(WireError) in
            switch key {
            case "subscriptionID": subscriptionID = try reader.readName()
            case "subscriptionType": kind = try reader.readCase("subscriptionType")
            case "query":
                var copy = reader
                query = try RecordQuery(&reader)
                queryJSON = try Self.compact(query: &copy)
            case "zoneID": zoneID = try ZoneIDDictionary(&reader)
            case "zoneWide": zoneWide = try reader.readBool()
            case "firesOn": firesOn = try FiresOn(&reader)
            case "firesOnce": firesOnce = try reader.readBool()
            case "notificationInfo": notificationInfo = try NotificationInfo(&reader)
            default: break
            }
        }
        switch kind {
        // Apple's service describes its database subscriptions in this form.
        case .zone where zoneWide == true: kind = .database
        case .database: zoneWide = nil
        default: break
        }
    }

    /// Parses a stored subscription.
    public init(stored json: ArraySlice<UInt8>) throws(WireError) {
        var reader = try JSONReader(json)
        try self.init(&reader)
        try reader.finish()
    }

    /// Whether a client only names a subscription.
    public var isOnlyName: Bool {
        kind == nil && query == nil && zoneID == nil && zoneWide == nil && firesOn.isEmpty && !firesOnce
            && notificationInfo == nil
    }

    private static func compact(query reader: inout JSONReader) throws(WireError) -> [UInt8] {
        var type = JSONWriter(), filters = JSONWriter()
        try reader.readMembers { reader, key throws(WireError) in
            switch key {
            case "recordType": try type.copy(&reader)
            case "filterBy":
                let isList = try reader.kind == .array
                if !isList { filters.beginArray() }
                try filters.copy(&reader)
                if !isList { filters.endArray() }
            default: break
            }
        }
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("recordType", raw: type.bytes[...])
        if !filters.bytes.isEmpty { writer.member("filterBy", raw: filters.bytes[...]) }
        writer.endObject()
        return writer.bytes
    }

    /// Appends the dictionary.
    ///
    /// - Parameter zoneID: The zone in the response; nil omits it.
    public func write(to writer: inout JSONWriter, zoneID: ArraySlice<UInt8>?) {
        writer.beginObject()
        if let subscriptionID { writer.member("subscriptionID", subscriptionID) }
        if let kind {
            let written = kind == .database && zoneWide == true ? .zone : kind
            writer.member("subscriptionType", written.rawValue)
        }
        if kind == .query, !queryJSON.isEmpty { writer.member("query", raw: queryJSON[...]) }
        if let zoneID { writer.member("zoneID", raw: zoneID) }
        if let zoneWide { writer.member("zoneWide", zoneWide) }
        if kind == .query {
            writer.key("firesOn")
            firesOn.write(to: &writer)
            writer.member("firesOnce", firesOnce)
        }
        if let notificationInfo {
            writer.key("notificationInfo")
            notificationInfo.write(to: &writer)
        }
        writer.endObject()
    }
}
