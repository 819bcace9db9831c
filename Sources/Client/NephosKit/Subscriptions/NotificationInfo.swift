public import Foundation
import NephosTransport

/// What a person or a program is told when a subscription fires: texts, sounds, and what comes along. None of it, and the push is
/// a silent one.
///
/// It stands at the top level, since classes inside of others cannot be archived on Linux; write
/// `CKSubscription.NotificationInfo`.
public final class CKNotificationInfo: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    struct Members: Sendable, Equatable {
        var texts: [Text: String] = [:]
        var lists: [List: [CKRecord.FieldKey]] = [:]
        var switches: Set<Switch> = []
    }

    /// Members that are a text. The raw value is the wire's name.
    enum Text: String, Sendable, CaseIterable {
        case alertBody, alertLocalizationKey, title, titleLocalizationKey, subtitle, subtitleLocalizationKey
        case alertActionLocalizationKey, alertLaunchImage, soundName, category, collapseIDKey
    }

    /// Members that are names of fields.
    enum List: String, Sendable, CaseIterable {
        case alertLocalizationArgs, titleLocalizationArgs, subtitleLocalizationArgs
        case desiredKeys = "additionalFields"
    }

    /// Members that are true or false.
    enum Switch: String, Sendable, CaseIterable {
        case shouldBadge, shouldSendContentAvailable, shouldSendMutableContent
    }

    private let stored: Locked<Members>
    var members: Members { stored.value }

    init(_ members: Members) { stored = Locked(members) }

    public override convenience init() { self.init(Members()) }

    /// Creates one with all that it shows and does. Empty arrays and nil are the same.
    public convenience init(
        alertBody: String? = nil, alertLocalizationKey: String? = nil, alertLocalizationArgs: [CKRecord.FieldKey] = [],
        title: String? = nil, titleLocalizationKey: String? = nil, titleLocalizationArgs: [CKRecord.FieldKey] = [],
        subtitle: String? = nil, subtitleLocalizationKey: String? = nil,
        subtitleLocalizationArgs: [CKRecord.FieldKey] = [], alertActionLocalizationKey: String? = nil,
        alertLaunchImage: String? = nil, soundName: String? = nil, desiredKeys: [CKRecord.FieldKey] = [],
        shouldBadge: Bool = false, shouldSendContentAvailable: Bool = false, shouldSendMutableContent: Bool = false,
        category: String? = nil, collapseIDKey: String? = nil
    ) {
        self.init()
        self.alertBody = alertBody
        self.alertLocalizationKey = alertLocalizationKey
        self.alertLocalizationArgs = alertLocalizationArgs
        self.title = title
        self.titleLocalizationKey = titleLocalizationKey
        self.titleLocalizationArgs = titleLocalizationArgs
        self.subtitle = subtitle
        self.subtitleLocalizationKey = subtitleLocalizationKey
        self.subtitleLocalizationArgs = subtitleLocalizationArgs
        self.alertActionLocalizationKey = alertActionLocalizationKey
        self.alertLaunchImage = alertLaunchImage
        self.soundName = soundName
        self.desiredKeys = desiredKeys
        self.shouldBadge = shouldBadge
        self.shouldSendContentAvailable = shouldSendContentAvailable
        self.shouldSendMutableContent = shouldSendMutableContent
        self.category = category
        self.collapseIDKey = collapseIDKey
    }

    private subscript(text: Text) -> String? {
        get { stored.value.texts[text] }
        set { stored.withLock { $0.texts[text] = newValue } }
    }

    /// No names and nil are the same.
    private subscript(list: List) -> [CKRecord.FieldKey]? {
        get { stored.value.lists[list] }
        set { stored.withLock { $0.lists[list] = newValue?.isEmpty == true ? nil : newValue } }
    }

    private subscript(member: Switch) -> Bool {
        get { stored.value.switches.contains(member) }
        set { stored.withLock { if newValue { $0.switches.insert(member) } else { $0.switches.remove(member) } } }
    }

    /// The text of the alert.
    public var alertBody: String? {
        get { self[.alertBody] }
        set { self[.alertBody] = newValue }
    }
    /// The key of a text that the app has in its languages.
    public var alertLocalizationKey: String? {
        get { self[.alertLocalizationKey] }
        set { self[.alertLocalizationKey] = newValue }
    }
    /// Fields whose values stand in that text.
    public var alertLocalizationArgs: [CKRecord.FieldKey]? {
        get { self[.alertLocalizationArgs] }
        set { self[.alertLocalizationArgs] = newValue }
    }
    /// The title of the alert.
    public var title: String? {
        get { self[.title] }
        set { self[.title] = newValue }
    }
    /// The key of a title that the app has in its languages.
    public var titleLocalizationKey: String? {
        get { self[.titleLocalizationKey] }
        set { self[.titleLocalizationKey] = newValue }
    }
    /// Fields whose values stand in that title.
    public var titleLocalizationArgs: [CKRecord.FieldKey]? {
        get { self[.titleLocalizationArgs] }
        set { self[.titleLocalizationArgs] = newValue }
    }
    /// The subtitle of the alert.
    public var subtitle: String? {
        get { self[.subtitle] }
        set { self[.subtitle] = newValue }
    }
    /// The key of a subtitle that the app has in its languages.
    public var subtitleLocalizationKey: String? {
        get { self[.subtitleLocalizationKey] }
        set { self[.subtitleLocalizationKey] = newValue }
    }
    /// Fields whose values stand in that subtitle.
    public var subtitleLocalizationArgs: [CKRecord.FieldKey]? {
        get { self[.subtitleLocalizationArgs] }
        set { self[.subtitleLocalizationArgs] = newValue }
    }
    /// The key of the text on the button.
    public var alertActionLocalizationKey: String? {
        get { self[.alertActionLocalizationKey] }
        set { self[.alertActionLocalizationKey] = newValue }
    }
    /// The name of a picture of the app that is shown while the app starts.
    public var alertLaunchImage: String? {
        get { self[.alertLaunchImage] }
        set { self[.alertLaunchImage] = newValue }
    }
    /// The name of a sound of the app; `default` is the system's.
    public var soundName: String? {
        get { self[.soundName] }
        set { self[.soundName] = newValue }
    }
    /// Fields whose values come along, three at most.
    public var desiredKeys: [CKRecord.FieldKey]? {
        get { self[.desiredKeys] }
        set { self[.desiredKeys] = newValue }
    }
    /// The name of a category of actions that the app offers with the alert.
    public var category: String? {
        get { self[.category] }
        set { self[.category] = newValue }
    }
    /// Notifications of one such id replace each other.
    public var collapseIDKey: String? {
        get { self[.collapseIDKey] }
        set { self[.collapseIDKey] = newValue }
    }
    /// Whether the number on the app's icon goes up.
    public var shouldBadge: Bool {
        get { self[.shouldBadge] }
        set { self[.shouldBadge] = newValue }
    }
    /// Whether the app is woken.
    public var shouldSendContentAvailable: Bool {
        get { self[.shouldSendContentAvailable] }
        set { self[.shouldSendContentAvailable] = newValue }
    }
    /// Whether the app may change the notification before it is shown.
    public var shouldSendMutableContent: Bool {
        get { self[.shouldSendMutableContent] }
        set { self[.shouldSendMutableContent] = newValue }
    }

    // MARK: Copies and archives

    public func copy(with zone: NSZone? = nil) -> Any { CKNotificationInfo(members) }

    public static var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) {
        let members = members
        for (text, value) in members.texts { coder.encode(value as NSString, forKey: text.rawValue) }
        for (list, value) in members.lists {
            coder.encode(NSArray(array: value.map { $0 as NSString }), forKey: list.rawValue)
        }
        for member in members.switches { coder.encode(true, forKey: member.rawValue) }
    }

    public required convenience init?(coder: NSCoder) {
        var members = Members()
        for text in Text.allCases { members.texts[text] = coder.decodeString(forKey: text.rawValue) }
        for list in List.allCases where coder.containsValue(forKey: list.rawValue) {
            let names = coder.decodeObject(of: [NSArray.self, NSString.self], forKey: list.rawValue) as? [String]
            members.lists[list] = names
        }
        for member in Switch.allCases where coder.containsValue(forKey: member.rawValue) {
            if coder.decodeBool(forKey: member.rawValue) { members.switches.insert(member) }
        }
        self.init(members)
    }
}
