/// The notification for a device when a subscription fires (docs/protocol.md, "Notifications").
public struct PushPayload: Sendable {
    /// What fired, with its description of the change.
    public enum Event: Sendable {
        /// A query subscription: the reason and the record.
        case query(reason: Reason, recordName: Name)
        case zone
        case database
    }

    public enum Reason: Int64, Sendable { case created = 1, updated = 2, deleted = 3 }

    public enum Scope: Int64, Sendable { case `public` = 0, `private` = 1, shared = 2 }

    public var container: String
    /// The owner of the subscription.
    public var user: UserID
    /// The same for all subscriptions fired by one change.
    public var notificationID: String
    public var subscriptionID: Name
    public var event: Event
    public var scope: Scope
    /// nil for a change of a database.
    public var zone: ZoneIDDictionary?
    public var info: NotificationInfo
    /// Values of the record's fields as JSON, for those that ``info`` names and the record has.
    public var values: [Name: ArraySlice<UInt8>]
    /// The number on the badge, with ``NotificationInfo/shouldBadge``.
    public var badge: Int64

    /// Maximum payload size of Apple's push service.
    public static let bytesMax = 4_096

    public init(
        container: String, user: UserID, notificationID: String, subscriptionID: Name, event: Event, scope: Scope,
        zone: ZoneIDDictionary?, info: NotificationInfo, values: [Name: ArraySlice<UInt8>] = [:], badge: Int64 = 1
    ) {
        self.container = container
        self.user = user
        self.notificationID = notificationID
        self.subscriptionID = subscriptionID
        self.event = event
        self.scope = scope
        self.zone = zone
        self.info = info
        self.values = values
        self.badge = badge
    }

    /// What is removed so that the rest fits; each case includes those before it.
    private enum Pruning: Int, CaseIterable, Comparable {
        case nothing, fields, texts, names

        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// The payload. One that is too long loses values of fields, then texts, then names, and is marked as pruned (`p`).
    public func json(atMost limit: Int = PushPayload.bytesMax) -> [UInt8] {
        var bytes: [UInt8] = []
        for pruning in Pruning.allCases {
            var writer = JSONWriter(reserving: 512)
            write(pruning, to: &writer)
            bytes = writer.bytes
            if bytes.count <= limit { break }
        }
        return bytes
    }

    private func write(_ pruning: Pruning, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("aps")
        writeAps(pruning, to: &writer)
        writer.key("ck")
        writer.beginObject()
        writer.member("ce", 2)
        writer.member("cid", container)
        writer.member("ckuserid", user.recordName)
        writer.member("nid", notificationID)
        writer.key("aux")
        writer.beginObject()
        writer.endObject()
        if pruning > .nothing { writer.member("p", 1) }
        writeEvent(pruning, to: &writer)
        writer.endObject()
        writer.endObject()
    }

    // MARK: For the system

    private func writeAps(_ pruning: Pruning, to writer: inout JSONWriter) {
        writer.beginObject()
        if pruning < .texts { writeAlert(pruning, to: &writer) }
        if info.shouldBadge { writer.member("badge", badge) }
        if let sound = info.soundName { writer.member("sound", sound) }
        if let category = info.category { writer.member("category", category) }
        if info.shouldSendContentAvailable { writer.member("content-available", 1) }
        if info.shouldSendMutableContent { writer.member("mutable-content", 1) }
        writer.endObject()
    }

    private func writeAlert(_ pruning: Pruning, to writer: inout JSONWriter) {
        guard !info.alert.isEmpty || !info.title.isEmpty || !info.subtitle.isEmpty else { return }
        writer.key("alert")
        writer.beginObject()
        write(info.title, as: ("title", "title-loc-key", "title-loc-args"), pruning, to: &writer)
        write(info.subtitle, as: ("subtitle", "subtitle-loc-key", "subtitle-loc-args"), pruning, to: &writer)
        write(info.alert, as: ("body", "loc-key", "loc-args"), pruning, to: &writer)
        if let key = info.alertActionLocalizationKey { writer.member("action-loc-key", key) }
        if let image = info.alertLaunchImage { writer.member("launch-image", image) }
        writer.endObject()
    }

    private func write(
        _ text: NotificationText, as keys: (body: StaticString, key: StaticString, args: StaticString),
        _ pruning: Pruning, to writer: inout JSONWriter
    ) {
        if let body = text.body { writer.member(keys.body, body) }
        guard let key = text.localizationKey else { return }
        writer.member(keys.key, key)
        guard pruning < .fields, !text.localizationArgs.isEmpty else { return }
        writer.key(keys.args)
        writer.beginArray()
        // Every placeholder of the app's text is filled, with an empty text if the record has no such field.
        for field in text.localizationArgs { writer.text(of: values[field] ?? "\"\"".utf8Slice) }
        writer.endArray()
    }

    // MARK: For the app

    private func writeEvent(_ pruning: Pruning, to writer: inout JSONWriter) {
        switch event {
        case .query: writer.key("qry")
        case .zone: writer.key("fet")
        case .database: writer.key("met")
        }
        writer.beginObject()
        writer.member("sid", subscriptionID)
        if case .query(let reason, let recordName) = event {
            if pruning < .names { writer.member("rid", recordName) }
            writer.member("fo", reason.rawValue)
        }
        if let zone, pruning < .names {
            writer.member("zid", zone.zoneName)
            if let owner = zone.ownerRecordName { writer.member("zoid", owner) }
        }
        writer.member("dbs", scope.rawValue)
        if case .query = event, pruning < .fields { writeFields(to: &writer) }
        writer.endObject()
    }

    private func writeFields(to writer: inout JSONWriter) {
        let sent = info.additionalFields.prefix(NotificationInfo.fieldsSent)
        guard sent.contains(where: { values[$0] != nil }) else { return }
        writer.key("af")
        writer.beginObject()
        for name in sent {
            guard let value = values[name] else { continue }
            writer.key(named: name)
            writer.raw(value)
        }
        writer.endObject()
    }
}

extension JSONWriter {
    /// Appends a JSON value as a string: a string unchanged, anything else in quotes.
    fileprivate mutating func text(of json: ArraySlice<UInt8>) {
        if json.first == UInt8(ascii: "\"") { raw(json) } else { string(json) }
    }
}

extension String {
    fileprivate var utf8Slice: ArraySlice<UInt8> { Array(utf8)[...] }
}

extension PushPayload {
    /// Whether the system shows an alert, plays a sound or sets a badge for a payload, instead of only waking the app.
    public static func isShown(_ json: ArraySlice<UInt8>) -> Bool {
        var isShown = false
        do throws(WireError) {
            var reader = try JSONReader(json)
            try reader.readMembers { reader, key throws(WireError) in
                guard case "aps" = key else { return }
                try reader.readMembers { _, key throws(WireError) in
                    switch key {
                    case "alert", "badge", "sound": isShown = true
                    default: break
                    }
                }
            }
        } catch {
            return false
        }
        return isShown
    }
}
