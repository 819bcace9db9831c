import Audience
import CloudKitWire
import NephosStorage

/// A message, as in its record (docs/messages.md).
struct Message: Sendable {
    /// Bytes of texts in one language, of a list's entries, and of the content of a kind.
    static let titleBytesMax = 500, bodyBytesMax = 8_192, buttonBytesMax = 200, entryBytesMax = 500
    static let listMax = 50, addressBytesMax = 2_048
    /// Clients that only support a higher number are sent no message.
    static let schema: Int64 = 0
    /// The audience that includes everybody.
    static let everybody = "everybody"
    static let priorities: ClosedRange<Int64> = -1_000...1_000

    /// The name of the record.
    let id: Name
    var kind: MessageKind
    var title, body: LocalizedText?
    var buttons: [MessageKind.Role: LocalizedText] = [:]
    var list: [LocalizedText] = []
    /// The content of the kind: an address, a mail's recipient and subject, a product, or the version with the new features.
    var url, mailTo, product: String?
    var mailSubject: LocalizedText?
    var requires: Version?
    /// ``requires``, as written.
    var requiresText: String?
    /// Shown instead of a picture.
    var emoji: String?
    var hasImage = false
    var label: LocalizedText?
    /// The picture has no meaning, and needs no label.
    var isDecorative = false
    /// The name of an audience of the settings, a condition as JSON, or ``everybody``; empty if not set.
    var audience = ""
    var slot = ""
    var priority: Int64 = 0
    /// nil for a draft.
    var publishedAt: Milliseconds?
    /// nil if it does not end.
    var until: Milliseconds?

    init(_ id: Name, _ kind: MessageKind) { (self.id, self.kind) = (id, kind) }

    var isPublished: Bool { publishedAt != nil }

    func isOpen(at now: Milliseconds) -> Bool {
        publishedAt.map { $0 <= now } ?? false && until.map { now < $0 } ?? true
    }
}

/// Why a record is not a valid message, or cannot be shown: the field, and what is wrong with it.
struct MessageFailure: Error, Equatable, CustomStringConvertible {
    let field: String
    let reason: String
    /// The language concerned; nil if it does not depend on one.
    let language: LanguageTag?

    init(_ field: Name, _ reason: String, in language: LanguageTag? = nil) {
        (self.field, self.reason, self.language) = (field.text, reason, language)
    }

    var description: String { "\(field): \(reason)" }
}

/// The field names of message records.
enum MessageField {
    static let kind: Name = "kind", title: Name = "title", body: Name = "body", buttons: Name = "buttons"
    static let list: Name = "list", url: Name = "url", mailTo: Name = "mailTo", mailSubject: Name = "mailSubject"
    static let product: Name = "product", requires: Name = "requires", emoji: Name = "emoji"
    static let image: Name = "image", imageLabel: Name = "imageLabel", decorative: Name = "decorative"
    static let audience: Name = "audience", slot: Name = "slot", priority: Name = "priority"
    static let publishedAt: Name = "publishedAt", until: Name = "until"

    /// All STRING fields.
    static let texts = [
        kind, title, body, buttons, list, url, mailTo, mailSubject, product, requires, emoji, imageLabel, audience,
        slot,
    ]
    static let numbers = [decorative, priority]
    static let times = [publishedAt, until]

    static var all: [(name: Name, kind: FieldType)] {
        texts.map { ($0, .string) } + numbers.map { ($0, .int64) } + times.map { ($0, .timestamp) } + [(image, .asset)]
    }
}
