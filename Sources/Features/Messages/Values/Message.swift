import Audience
import CloudKitWire
import NephosStorage

/// A message, as its record says it (docs/messages.md).
struct Message: Sendable {
    /// Bytes of texts in one language, of a list's entries, and of what a kind carries.
    static let titleBytesMax = 500, bodyBytesMax = 8_192, buttonBytesMax = 200, entryBytesMax = 500
    static let listMax = 50, addressBytesMax = 2_048
    /// Who understands messages of a higher number only is not answered one.
    static let schema: Int64 = 0
    /// The audience that everybody is of.
    static let everybody = "everybody"
    static let priorities: ClosedRange<Int64> = -1_000...1_000

    /// Of the record.
    let id: Name
    var kind: MessageKind
    var title, body: LocalizedText?
    var buttons: [MessageKind.Role: LocalizedText] = [:]
    var list: [LocalizedText] = []
    /// What the kind carries: an address, whom a mail is to and about what, what is sold, which version has what is new.
    var url, mailTo, product: String?
    var mailSubject: LocalizedText?
    var requires: Version?
    /// ``requires``, as it is written.
    var requiresText: String?
    /// In place of a picture.
    var emoji: String?
    var hasImage = false
    var label: LocalizedText?
    /// The picture says nothing, and needs no label.
    var isDecorative = false
    /// The name of an audience of the settings, a condition as JSON, or ``everybody``; empty where nothing is said.
    var audience = ""
    var slot = ""
    var priority: Int64 = 0
    /// nil for a draft.
    var publishedAt: Milliseconds?
    /// nil for good.
    var until: Milliseconds?

    init(_ id: Name, _ kind: MessageKind) { (self.id, self.kind) = (id, kind) }

    var isPublished: Bool { publishedAt != nil }

    func isOpen(at now: Milliseconds) -> Bool {
        publishedAt.map { $0 <= now } ?? false && until.map { now < $0 } ?? true
    }
}

/// Why a record is no message, or none that can be shown: which field, and what is wrong with it.
struct MessageFailure: Error, Equatable, CustomStringConvertible {
    let field: String
    let reason: String
    /// In which it is so; nil where that has to do with none.
    let language: LanguageTag?

    init(_ field: Name, _ reason: String, in language: LanguageTag? = nil) {
        (self.field, self.reason, self.language) = (field.text, reason, language)
    }

    var description: String { "\(field): \(reason)" }
}

/// The fields of a message, as records name them.
enum MessageField {
    static let kind: Name = "kind", title: Name = "title", body: Name = "body", buttons: Name = "buttons"
    static let list: Name = "list", url: Name = "url", mailTo: Name = "mailTo", mailSubject: Name = "mailSubject"
    static let product: Name = "product", requires: Name = "requires", emoji: Name = "emoji"
    static let image: Name = "image", imageLabel: Name = "imageLabel", decorative: Name = "decorative"
    static let audience: Name = "audience", slot: Name = "slot", priority: Name = "priority"
    static let publishedAt: Name = "publishedAt", until: Name = "until"

    /// All that are STRING.
    static let texts = [
        kind, title, body, buttons, list, url, mailTo, mailSubject, product, requires, emoji, imageLabel, audience,
        slot,
    ]
    static let numbers = [decorative, priority]
    static let times = [publishedAt, until]
}
