import CloudKitWire
import NephosRunner
import NephosStorage

/// The content of the template record for a message.
struct MirrorRecord {
    let message: Message
    let identifier: Int64

    /// The packed kind and content of a message: `newVersion|2.5`.
    static func packed(_ message: Message) -> String {
        let carried: String? =
            switch message.kind {
            case .information: nil
            case .website: message.url?.replacing("|", with: "%7C")
            case .newVersion: message.requiresText
            case .email: message.mailTo
            case .purchase: message.product
            }
        return ([message.kind.rawValue] + [carried].compactMap(\.self)).joined(separator: "|")
    }

    /// - Parameter picture: nil keeps the existing one.
    func edits(picture: AssetReceiptDictionary?) -> [(field: Name, edit: FieldEdit)] {
        func text(_ text: LocalizedText?) -> FieldEdit { .text(text.map(PackedText.packed) ?? "") }
        var edits: [(field: Name, edit: FieldEdit)] = [
            (Template.title, text(message.title)), (Template.content, content),
            // Apps require a label for each picture.
            (Template.imageLabel, text(message.label ?? message.title)),
            (Template.type, .text(Self.packed(message))), (Template.identifier, .number(identifier)),
            (Template.version, .number(Message.schema)), (Template.isCurrent, .number(1)),
        ]
        // Apps require titles for all buttons.
        let usual = [MessageKind.Role.okay, .action, .cancel].lazy.compactMap { message.buttons[$0] }.first
        for (role, field) in Template.titles.sorted(by: { $0.value < $1.value }) {
            edits.append((field, text(message.buttons[role] ?? usual)))
        }
        if let picture { edits.append((Template.image, .file(picture))) }
        return edits
    }

    /// Body and list.
    private var content: FieldEdit {
        guard let body = message.body else { return .text("") }
        let packed = PackedText.packed(body)
        guard !message.list.isEmpty else { return .text(packed) }
        // The entries of the list, in the languages of the body.
        let parts = packed.split(separator: "|").map { part -> String in
            let tag = body.texts.first { part.hasPrefix("\($0.name)=") }?.tag
            let entries = message.list.map { entry in
                let text = entry.text(for: tag, else: body.texts.map(\.tag)).text
                return "\n• " + PackedText.part(text)
            }
            return part + entries.joined()
        }
        return .text(parts.joined(separator: "|"))
    }

    /// Whether a record already has this content.
    ///
    /// - Parameter picture: The address of the message's picture; nil if it has none, and any picture will do.
    func isStored(by record: RecordRow, picture: [UInt8]?) -> Bool {
        let edits = edits(picture: nil).sorted { $0.field < $1.field }
        var values: [Name: StoredValue] = [:]
        CanonicalFields.read(edits.map(\.field), in: record.fields) { place, value in
            values[edits[place].field] = value
        }
        guard let shown = record.picture(in: Template.image), picture == nil || picture == shown else { return false }
        return edits.allSatisfy { field, edit in
            switch edit {
            case .text(let text): values[field]?.bytes.map { $0.elementsEqual(text.utf8) } ?? false
            case .number(let number): values[field]?.integer == number
            case .time, .texts, .file, .removed: false
            }
        }
    }
}
