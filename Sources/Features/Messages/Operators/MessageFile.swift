import Audience
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage
import NephosYAML

/// A message as written by an editor: a YAML file (docs/messages.md).
struct MessageFile {
    private(set) var id = ""
    private(set) var edits: [(field: Name, edit: FieldEdit)] = []
    /// The languages of its title, in the file's order.
    private(set) var languages: [String] = []
    private(set) var kind = ""
    /// The path of a picture, relative to the folder of the file; nil for none.
    private(set) var picture: String?
    /// Whether the message keeps the picture that it has.
    private(set) var keepsPicture = false
    /// A note for editors; nil if the file has none.
    private(set) var note: String?

    enum Form { case text, localized, audience, time, number }

    /// The keys of a file for fields of a record, in the order in which they are written.
    static let fields: [(key: String, field: Name, form: Form)] = [
        ("kind", MessageField.kind, .text), ("requires", MessageField.requires, .text),
        ("url", MessageField.url, .text), ("to", MessageField.mailTo, .text),
        ("subject", MessageField.mailSubject, .localized), ("product", MessageField.product, .text),
        ("title", MessageField.title, .localized), ("body", MessageField.body, .localized),
        ("list", MessageField.list, .localized), ("buttons", MessageField.buttons, .localized),
        ("emoji", MessageField.emoji, .text), ("label", MessageField.imageLabel, .localized),
        ("audience", MessageField.audience, .audience), ("slot", MessageField.slot, .text),
        ("priority", MessageField.priority, .number), ("from", MessageField.publishedAt, .time),
        ("until", MessageField.until, .time),
    ]

    /// - Throws: The problem, with line and column.
    init(_ text: String) throws(YAMLFailure) {
        let file = try YAMLText(text, beginning: "id: NAME")
        for member in file.members {
            do throws(WireError) {
                switch member.name {
                case "id":
                    id = try Self.text(member.value)
                    continue
                case "note":
                    note = try Self.text(member.value)
                    continue
                case "image":
                    try takeImage(member.value)
                    continue
                default: break
                }
                guard let (_, field, form) = Self.fields.first(where: { $0.key == member.name }) else {
                    let keys = Self.fields.map(\.key) + ["image", "note"]
                    let names = (["id"] + keys.sorted()).joined(separator: ", ")
                    throw WireError("unknown key; a message has \(names)")
                }
                edits.append((field, try Self.edit(member.value, form)))
                if field == MessageField.kind {
                    kind = try Self.text(member.value)
                    guard MessageKind(rawValue: kind) != nil else {
                        throw WireError("\(WireError.excerpt(kind)) is not a kind. It must be one of \(Self.kinds)")
                    }
                }
                if field == MessageField.title { languages = try Self.keys(member.value) }
            } catch {
                throw YAMLFailure("\(member.name): \(error.reason)", at: file.place(of: member.name))
            }
        }
        guard !id.isEmpty else { throw YAMLFailure("begin with id: NAME", at: YAMLText.Place(line: 1, column: 1)) }
        guard !kind.isEmpty else { throw YAMLFailure("kind: it is missing. It must be one of \(Self.kinds)", at: nil) }
        for (field, usual) in [(MessageField.slot, "main"), (MessageField.audience, Message.everybody)] {
            if !edits.contains(where: { $0.field == field }) { edits.append((field, .text(usual))) }
        }
    }

    private static let kinds = MessageKind.allCases.map(\.rawValue).joined(separator: ", ")

    /// A reason for refusing the record, with the key that the file has for the field it begins with.
    static func withFileKey(_ reason: String) -> String {
        for (key, field, _) in fields where reason.hasPrefix("\(field.text): ") {
            return key + reason.dropFirst(field.text.count)
        }
        return reason
    }

    /// - Parameters:
    ///   - path: Of the file, for people.
    ///   - catalog: Has the audiences.
    /// - Throws: If nobody can belong to its audience as it was meant, or if its note is too long.
    func check(_ path: String, in catalog: Catalog) throws {
        guard (note ?? "").utf8.count <= MessageNoteRow.bytesMax else {
            throw Failure("\(path): note: it can have at most \(MessageNoteRow.bytesMax) bytes.")
        }
        let audience = edits.lazy.compactMap { field, edit in
            if case .text(let text) = edit, field == MessageField.audience { text } else { nil }
        }.first
        guard let audience, audience != Message.everybody else { return }
        let audiences = try catalog.audiences()
        if let flaw = AudienceText.mistake(Bytes(audience.utf8), audiences) {
            throw Failure("\(path): audience: \(flaw). Nothing was saved.")
        }
    }

    /// When it begins to be shown; nil for a draft.
    var start: Milliseconds? { time(MessageField.publishedAt) }
    /// nil if it does not end.
    var end: Milliseconds? { time(MessageField.until) }

    private func time(_ wanted: Name) -> Milliseconds? {
        edits.lazy.compactMap { field, edit in
            if case .time(let time) = edit, field == wanted { time } else { nil }
        }.first
    }

    /// Whether it says when the message is shown.
    var hasTimes: Bool { edits.contains { MessageField.times.contains($0.field) } }

    /// `{file: pigeon.png, decorative: true}`, or with `label` instead; `{kept: true}` for the picture that the message has.
    private mutating func takeImage(_ value: ArraySlice<UInt8>) throws(WireError) {
        var json = try JSONReader(value)
        guard try json.kind == .object else {
            throw WireError("it needs a file, such as {file: pigeon.png, decorative: true}")
        }
        try json.readObject { json, key throws(WireError) in
            switch key {
            case "file": picture = String(decoding: try json.readString(), as: UTF8.self)
            case "kept": keepsPicture = try json.readBool()
            case "decorative": edits.append((MessageField.decorative, .number(try json.readBool() ? 1 : 0)))
            case "label":
                edits.append((MessageField.imageLabel, .text(String(decoding: try json.skipValue(), as: UTF8.self))))
            default: throw WireError("unknown key; an image has file, label and decorative, or kept instead of file")
            }
        }
        if keepsPicture, picture != nil { throw WireError("pass file for a new picture, or kept, not both") }
    }

    private static func text(_ value: ArraySlice<UInt8>) throws(WireError) -> String {
        var json = try JSONReader(value)
        // YAML parses versions such as 2.5 as numbers; their text is kept as written.
        if try json.kind == .number { return String(decoding: value, as: UTF8.self) }
        return String(decoding: try json.readString(), as: UTF8.self)
    }

    private static func keys(_ value: ArraySlice<UInt8>) throws(WireError) -> [String] {
        var json = try JSONReader(value)
        var keys: [String] = []
        try json.readObject { json, key throws(WireError) in
            keys.append(key.name.text)
            _ = try json.skipValue()
        }
        return keys
    }

    private static func edit(_ value: ArraySlice<UInt8>, _ form: Form) throws(WireError) -> FieldEdit {
        switch form {
        case .text: return .text(try text(value))
        // A name, or a condition, in YAML or as JSON.
        case .audience:
            return .text(value.first == UInt8(ascii: "{") ? String(decoding: value, as: UTF8.self) : try text(value))
        case .localized:
            guard let first = value.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
                throw WireError("it needs a text for each language, such as {en: Hello}")
            }
            return .text(String(decoding: value, as: UTF8.self))
        case .number:
            var json = try JSONReader(value)
            return .number(try json.readInt64())
        case .time:
            let text = try text(value)
            guard let moment = TypedMoment(text) else { throw WireError("it is not a time. \(TypedMoment.expected)") }
            return .time(moment.time)
        }
    }
}
