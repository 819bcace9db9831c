/// A text that a notification shows: literal, or the key of a localized text in the app with the fields that fill it.
public struct NotificationText: Sendable, Hashable {
    public var body: Name?
    public var localizationKey: Name?
    /// Fields of the record whose values fill the placeholders of the app's text.
    public var localizationArgs: [Name] = []

    public init(body: Name? = nil, localizationKey: Name? = nil, localizationArgs: [Name] = []) {
        self.body = body
        self.localizationKey = localizationKey
        self.localizationArgs = localizationArgs
    }

    public var isEmpty: Bool { body == nil && localizationKey == nil }
}

/// The appearance and behavior of a subscription's notifications (docs/protocol.md, "Subscriptions").
public struct NotificationInfo: Sendable, Hashable {
    public var alert = NotificationText()
    public var title = NotificationText()
    public var subtitle = NotificationText()
    public var alertActionLocalizationKey: Name?
    public var alertLaunchImage: Name?
    public var soundName: Name?
    public var category: Name?
    public var collapseIDKey: Name?
    /// Fields whose values are sent with the notification; the first ``fieldsSent`` of them.
    public var additionalFields: [Name] = []
    public var shouldBadge = false
    public var shouldSendContentAvailable = false
    public var shouldSendMutableContent = false

    /// How many of ``additionalFields`` are sent.
    public static let fieldsSent = 3
    /// Maximum number of bytes of one text.
    public static let textBytesMax = 2_048

    public init() {}

    init(_ reader: inout JSONReader) throws(WireError) {
        try reader.readMembers { reader, key throws(WireError) in
            if try readText(&reader, key) { return }
            switch key {
            case "alertActionLocalizationKey": alertActionLocalizationKey = try reader.readText()
            case "alertLaunchImage": alertLaunchImage = try reader.readText()
            case "soundName": soundName = try reader.readText()
            case "category": category = try reader.readText()
            case "collapseIDKey", "collapseIdKey": collapseIDKey = try reader.readText()
            case "additionalFields", "desiredKeys": additionalFields = try reader.readNames(.additionalFields) ?? []
            case "shouldBadge": shouldBadge = try reader.readBool()
            case "shouldSendContentAvailable": shouldSendContentAvailable = try reader.readBool()
            case "shouldSendMutableContent": shouldSendMutableContent = try reader.readBool()
            default: break
            }
        }
    }

    /// Reads a member that belongs to a text; false for other keys.
    private mutating func readText(_ reader: inout JSONReader, _ key: JSONKey) throws(WireError) -> Bool {
        switch key {
        case "alertBody": alert.body = try reader.readText()
        case "alertLocalizationKey": alert.localizationKey = try reader.readText()
        case "alertLocalizationArgs": alert.localizationArgs = try reader.readNames(.alertLocalizationArgs) ?? []
        case "title": title.body = try reader.readText()
        case "titleLocalizationKey": title.localizationKey = try reader.readText()
        case "titleLocalizationArgs": title.localizationArgs = try reader.readNames(.titleLocalizationArgs) ?? []
        case "subtitle": subtitle.body = try reader.readText()
        case "subtitleLocalizationKey": subtitle.localizationKey = try reader.readText()
        case "subtitleLocalizationArgs":
            subtitle.localizationArgs = try reader.readNames(.subtitleLocalizationArgs) ?? []
        default: return false
        }
        return true
    }

    /// Appends the dictionary. Members with default values are omitted.
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("alertBody", ifPresent: alert.body)
        writer.member("alertLocalizationKey", ifPresent: alert.localizationKey)
        writer.member("alertLocalizationArgs", ifAny: alert.localizationArgs)
        writer.member("title", ifPresent: title.body)
        writer.member("titleLocalizationKey", ifPresent: title.localizationKey)
        writer.member("titleLocalizationArgs", ifAny: title.localizationArgs)
        writer.member("subtitle", ifPresent: subtitle.body)
        writer.member("subtitleLocalizationKey", ifPresent: subtitle.localizationKey)
        writer.member("subtitleLocalizationArgs", ifAny: subtitle.localizationArgs)
        writer.member("alertActionLocalizationKey", ifPresent: alertActionLocalizationKey)
        writer.member("alertLaunchImage", ifPresent: alertLaunchImage)
        writer.member("soundName", ifPresent: soundName)
        writer.member("category", ifPresent: category)
        writer.member("collapseIDKey", ifPresent: collapseIDKey)
        writer.member("additionalFields", ifAny: additionalFields)
        writer.member("shouldBadge", ifSet: shouldBadge)
        writer.member("shouldSendContentAvailable", ifSet: shouldSendContentAvailable)
        writer.member("shouldSendMutableContent", ifSet: shouldSendMutableContent)
        writer.endObject()
    }
}

extension JSONReader {
    fileprivate mutating func readText() throws(WireError) -> Name {
        let start = offset
        let text = try readName()
        guard text.bytes.count <= NotificationInfo.textBytesMax else {
            throw WireError("a text can have at most \(NotificationInfo.textBytesMax) bytes", offset: start)
        }
        return text
    }
}

extension JSONWriter {
    fileprivate mutating func member(_ key: StaticString, ifPresent text: Name?) {
        if let text { member(key, text) }
    }

    fileprivate mutating func member(_ key: StaticString, ifSet flag: Bool) {
        if flag { member(key, true) }
    }

    fileprivate mutating func member(_ key: StaticString, ifAny names: [Name]) {
        guard !names.isEmpty else { return }
        self.key(key)
        beginArray()
        for name in names { string(name) }
        endArray()
    }
}
