public import Foundation
import NephosTransport

/// What is shown, and which values are sent, when a subscription fires. If nothing is set, the push is silent. Objects
/// are compared by value.
///
/// The class is declared at the top level, because nested classes cannot be archived on Linux; write
/// `CKSubscription.NotificationInfo`.
public final class CKNotificationInfo: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    struct Members: Sendable, Hashable {
        var texts: [Text: String] = [:]
        var lists: [List: [CKRecord.FieldKey]] = [:]
        var switches: Set<Switch> = []
    }

    /// Members that are a text. The raw value is the name in the protocol.
    enum Text: String, Sendable, CaseIterable {
        case alertBody, alertLocalizationKey, title, titleLocalizationKey, subtitle, subtitleLocalizationKey
        case alertActionLocalizationKey, alertLaunchImage, soundName, category, collapseIDKey
    }

    /// Members that are a list of field names. The raw value is the name in the protocol.
    enum List: String, Sendable, CaseIterable {
        case alertLocalizationArgs, titleLocalizationArgs, subtitleLocalizationArgs
        case desiredKeys = "additionalFields"
    }

    /// Members that are true or false. The raw value is the name in the protocol.
    enum Switch: String, Sendable, CaseIterable {
        case shouldBadge, shouldSendContentAvailable, shouldSendMutableContent
    }

    private let stored: Locked<Members>
    var members: Members { stored.value }

    init(_ members: Members) { stored = Locked(members) }

    public override convenience init() { self.init(Members()) }

    /// Creates an object with all of its members. An empty array is the same as nil.
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

    /// An empty list is the same as nil.
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
    /// The key of the alert's text in the app's localized texts.
    public var alertLocalizationKey: String? {
        get { self[.alertLocalizationKey] }
        set { self[.alertLocalizationKey] = newValue }
    }
    /// The fields whose values fill the placeholders in that text.
    public var alertLocalizationArgs: [CKRecord.FieldKey]? {
        get { self[.alertLocalizationArgs] }
        set { self[.alertLocalizationArgs] = newValue }
    }
    /// The title of the alert.
    public var title: String? {
        get { self[.title] }
        set { self[.title] = newValue }
    }
    /// The key of the title in the app's localized texts.
    public var titleLocalizationKey: String? {
        get { self[.titleLocalizationKey] }
        set { self[.titleLocalizationKey] = newValue }
    }
    /// The fields whose values fill the placeholders in that title.
    public var titleLocalizationArgs: [CKRecord.FieldKey]? {
        get { self[.titleLocalizationArgs] }
        set { self[.titleLocalizationArgs] = newValue }
    }
    /// The subtitle of the alert.
    public var subtitle: String? {
        get { self[.subtitle] }
        set { self[.subtitle] = newValue }
    }
    /// The key of the subtitle in the app's localized texts.
    public var subtitleLocalizationKey: String? {
        get { self[.subtitleLocalizationKey] }
        set { self[.subtitleLocalizationKey] = newValue }
    }
    /// The fields whose values fill the placeholders in that subtitle.
    public var subtitleLocalizationArgs: [CKRecord.FieldKey]? {
        get { self[.subtitleLocalizationArgs] }
        set { self[.subtitleLocalizationArgs] = newValue }
    }
    /// The key of the button's text in the app's localized texts.
    public var alertActionLocalizationKey: String? {
        get { self[.alertActionLocalizationKey] }
        set { self[.alertActionLocalizationKey] = newValue }
    }
    /// The name of an image in the app that is shown while the app starts.
    public var alertLaunchImage: String? {
        get { self[.alertLaunchImage] }
        set { self[.alertLaunchImage] = newValue }
    }
    /// The name of a sound in the app; `default` is the system's sound.
    public var soundName: String? {
        get { self[.soundName] }
        set { self[.soundName] = newValue }
    }
    /// The fields whose values are sent with the notification. Only the first three are sent.
    public var desiredKeys: [CKRecord.FieldKey]? {
        get { self[.desiredKeys] }
        set { self[.desiredKeys] = newValue }
    }
    /// The name of a category of actions that the app offers with the alert.
    public var category: String? {
        get { self[.category] }
        set { self[.category] = newValue }
    }
    /// An ID for notifications that replace each other.
    public var collapseIDKey: String? {
        get { self[.collapseIDKey] }
        set { self[.collapseIDKey] = newValue }
    }
    /// Whether the notification sets the badge of the app's icon. Nephos servers send the number 1.
    public var shouldBadge: Bool {
        get { self[.shouldBadge] }
        set { self[.shouldBadge] = newValue }
    }
    /// Whether the notification wakes the app.
    public var shouldSendContentAvailable: Bool {
        get { self[.shouldSendContentAvailable] }
        set { self[.shouldSendContentAvailable] = newValue }
    }
    /// Whether the app may change the notification before it is shown.
    public var shouldSendMutableContent: Bool {
        get { self[.shouldSendMutableContent] }
        set { self[.shouldSendMutableContent] = newValue }
    }

    // MARK: Equality, copies and archives

    public override func isEqual(_ object: Any?) -> Bool { (object as? CKNotificationInfo)?.members == members }

    /// Changes with each member: do not change an object while it is in a set or the key of a dictionary.
    public override var hash: Int { members.hashValue }

    public func copy(with zone: NSZone? = nil) -> Any { CKNotificationInfo(members) }

    public static var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) { coder.encodeContent(members, forKey: "CKNotificationInfo") }

    /// Returns nil for an archive that contains no such object.
    public required convenience init?(coder: NSCoder) {
        guard let members = coder.decodeContent(Members.self, forKey: "CKNotificationInfo") else { return nil }
        self.init(members)
    }
}
