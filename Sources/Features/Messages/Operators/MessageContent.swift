import CloudKitWire
import NephosRunner
import NephosStorage
import NephosYAML

/// What a message contains, as the text of a file (``MessageFile``).
struct MessageContent {
    private let id: String
    private var values: [Name: Value] = [:]
    private var note: String?
    /// The file of its picture; nil for the one that is stored.
    private var picture: String?

    private enum Value: Equatable { case text(String), number(Int64), picture }

    /// - Parameters:
    ///   - fields: Of its record.
    ///   - note: Of editors; nil for none.
    init(_ id: String, fields: Bytes, note: String?) {
        (self.id, self.note) = (id, note)
        let names = MessageField.all.map(\.name).sorted()
        CanonicalFields.read(names, in: fields) { place, value in
            if names[place] == MessageField.image {
                values[names[place]] = .picture
            } else if let number = value.integer {
                values[names[place]] = .number(number)
            } else if let bytes = value.bytes {
                values[names[place]] = .text(String(decoding: bytes, as: UTF8.self))
            }
        }
    }

    var hasPicture: Bool { values[MessageField.image] != nil }

    /// The same with a file in its place: what the file lacks is removed, except the start, the end if it has no start either, and
    /// the note.
    func replaced(by file: MessageFile) -> MessageContent {
        var new = self
        new.values = values.filter { field, _ in
            switch field {
            case MessageField.publishedAt: file.start == nil
            case MessageField.until: !file.hasTimes
            default: field == MessageField.image && file.keepsPicture
            }
        }
        for (field, edit) in file.edits {
            switch edit {
            case .text(let text): new.values[field] = .text(text)
            case .number(let number), .time(let number): new.values[field] = .number(number)
            case .texts, .file, .removed: break
            }
        }
        if let picture = file.picture { (new.values[MessageField.image], new.picture) = (.picture, picture) }
        if let note = file.note { new.note = note.isEmpty ? nil : note }
        return new
    }

    /// The edits of a record with this content that give it other content, except a new picture.
    func edits(to new: MessageContent) -> [(field: Name, edit: FieldEdit)] {
        MessageField.all.compactMap { field, _ in
            guard values[field] != new.values[field] else { return nil }
            switch new.values[field] {
            case nil: return (field, .removed)
            case .text(let text)?: return (field, .text(text))
            case .number(let number)? where MessageField.times.contains(field): return (field, .time(number))
            case .number(let number)?: return (field, .number(number))
            case .picture?: return nil
            }
        }
    }

    // MARK: Text

    /// - Throws: If the record is not a valid message, so that it cannot be written as a file.
    var text: String {
        get throws(Failure) {
            do { return try YAMLText.print(members) } catch {
                throw Failure("Message \(id) cannot be written as a file: \(error)")
            }
        }
    }

    private var members: [(name: String, value: ArraySlice<UInt8>)] {
        var members = [("id", Self.json { $0.string(id) })]
        let image = self.image
        for (key, field, form) in MessageFile.fields {
            // The label of a picture belongs to it.
            if field == MessageField.imageLabel, let image {
                members.append(("image", image))
            } else if let value = values[field] {
                members.append((key, Self.json(value, form)))
            }
        }
        if let note { members.append(("note", Self.json { $0.string(note) })) }
        return members
    }

    /// nil if there is neither a picture nor anything that a file has with one.
    private var image: ArraySlice<UInt8>? {
        let isDecorative = values[MessageField.decorative] == .number(1)
        guard hasPicture || isDecorative else { return nil }
        return Self.json { json in
            json.beginObject()
            if let picture {
                json.member("file", picture)
            } else if hasPicture {
                json.member("kept", true)
            }
            if let label = values[MessageField.imageLabel] {
                json.key("label")
                json.raw(Self.json(label, .localized))
            }
            if isDecorative { json.member("decorative", true) }
            json.endObject()
        }
    }

    private static func json(_ value: Value, _ form: MessageFile.Form) -> ArraySlice<UInt8> {
        switch (value, form) {
        case (.number(let time), .time): return json { $0.string(MomentText.text(time)) }
        case (.number(let number), _): return json { $0.int64(number) }
        case (.text(let text), .localized):
            // A text that is no JSON, of a record that is no message, is shown as it is.
            return container(text) ?? json { $0.string(text) }
        case (.text(let text), _): return json { $0.string(text) }
        case (.picture, _): return json { $0.null() }
        }
    }

    /// An object or array as JSON; nil for any other text.
    private static func container(_ text: String) -> ArraySlice<UInt8>? {
        do throws(WireError) {
            var reader = try JSONReader(Array(text.utf8)[...])
            let kind = try reader.kind
            let value = try reader.skipValue()
            try reader.finish()
            return kind == .object || kind == .array ? value : nil
        } catch {
            return nil
        }
    }

    private static func json(_ write: (inout JSONWriter) -> Void) -> ArraySlice<UInt8> {
        var json = JSONWriter()
        write(&json)
        return json.bytes[...]
    }
}

/// A time as it is written into a file: to the millisecond if it has some.
private enum MomentText {
    static func text(_ time: Milliseconds) -> String {
        let rest = time % 1_000
        let seconds = ISO8601.text(time)
        return rest == 0 ? seconds : "\(seconds.dropLast()).\(String(1_000 + rest).dropFirst())Z"
    }
}
