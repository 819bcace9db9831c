import Audience
import CloudKitWire
import NephosDomain
import NephosStorage

/// How a container uses messages: section `messages` of its settings.
struct MessageSettings: Sendable, Equatable {
    static let languagesMax = 50, slotsMax = 50
    /// Without the key.
    private static let standardKinds = [MessageKind.information]

    /// The type of the records that are messages.
    let type: Name
    /// The kinds that may be published.
    let kinds: [MessageKind]
    /// The languages that each message must have; the first is the default.
    let languages: [LanguageTag]
    /// Places of an app that show one message at a time; the first is the default.
    let slots: [String]
    /// nil if there is no limit.
    let cap: MessageCap?
    /// The type of the template that mirrors the current message for other apps; nil for none.
    let mirror: Name?

    init(_ json: inout JSONReader) throws(WireError) {
        let start = json.offset
        var type: Name?
        var (kinds, languages, slots): ([MessageKind], [LanguageTag], [String]) = (Self.standardKinds, [], ["main"])
        var (cap, mirror): (MessageCap?, Name?)
        try json.readObject { json, key throws(WireError) in
            switch key {
            case "cap": cap = try MessageCap(&json)
            case "mirror": mirror = try json.readName().owned
            case "type": type = try json.readName().owned
            case "kinds":
                kinds = try Self.list(&json, most: MessageKind.allCases.count) { json throws(WireError) in
                    let word = String(decoding: try json.readString(), as: UTF8.self)
                    guard let kind = MessageKind(rawValue: word) else {
                        let all = MessageKind.allCases.map(\.rawValue).joined(separator: ", ")
                        throw WireError("a kind must be one of \(all)", offset: json.offset)
                    }
                    return kind
                }
            case "languages":
                languages = try Self.list(&json, most: Self.languagesMax) { json throws(WireError) in
                    let word = String(decoding: try json.readString(), as: UTF8.self)
                    guard let tag = LanguageTag(word) else {
                        throw WireError(
                            "\(WireError.excerpt(word)) is not a language such as en or pt-BR", offset: json.offset)
                    }
                    return tag
                }
            case "slots":
                slots = try Self.list(&json, most: Self.slotsMax) { json throws(WireError) in
                    let word = String(decoding: try json.readString(), as: UTF8.self)
                    guard (1...64).contains(word.utf8.count) else {
                        throw WireError("a slot must have 1 to 64 bytes", offset: json.offset)
                    }
                    return word
                }
            default:
                throw WireError(
                    "unknown key; messages has type, kinds, languages, slots, cap and mirror", offset: json.offset)
            }
        }
        guard let type, !type.bytes.isEmpty else {
            throw WireError("messages needs type, such as Message", offset: start)
        }
        guard !languages.isEmpty else {
            throw WireError("messages needs languages, such as [en, es], the default first", offset: start)
        }
        (self.type, self.kinds, self.languages, self.slots) = (type, kinds, languages, slots)
        guard mirror != type else {
            throw WireError("messages.mirror must name another type than messages.type", offset: start)
        }
        (self.cap, self.mirror) = (cap, mirror)
    }

    /// At least one element, without duplicates.
    private static func list<Element: Equatable>(
        _ json: inout JSONReader, most: Int, _ element: (inout JSONReader) throws(WireError) -> Element
    ) throws(WireError) -> [Element] {
        let start = json.offset
        var list: [Element] = []
        try json.readArray { json, _ throws(WireError) in
            guard list.count < most else {
                throw WireError("more than \(most) elements", offset: json.offset, isLimit: true)
            }
            let next = try element(&json)
            guard !list.contains(next) else { throw WireError("it appears twice", offset: json.offset) }
            list.append(next)
        }
        guard !list.isEmpty else { throw WireError("the list is empty", offset: start) }
        return list
    }
}

extension CatalogSection<MessageSettings> {
    static let messages = Self(Messages.name, isDeployed: true)
}

extension MessageSettings: SectionSettings {
    var uses: [SchemaUse] {
        let required: [Name] = [
            MessageField.kind, MessageField.title, MessageField.body, MessageField.buttons, MessageField.audience,
            MessageField.slot, MessageField.publishedAt, MessageField.until,
        ]
        let fields = MessageField.all.map { field, kind in
            SchemaUse.field(
                field, of: type, at: "type", kinds: [kind], isRequired: required.contains(field),
                audiences: field == MessageField.audience ? .include : .none)
        }
        let mirrored = mirror.map { mirror in
            [.type(mirror, at: "mirror")]
                + Template.fields.map { SchemaUse.field($0.name, of: mirror, at: "mirror", kinds: [$0.kind]) }
        }
        return [.type(type, at: "type")] + fields + (mirrored ?? [])
    }

    static func effects(from old: Self?, to new: Self?) -> [SectionEffect] {
        var effects: [SectionEffect] = []
        if old?.type != new?.type {
            if let old {
                effects += [
                    SectionEffect(
                        .reveals,
                        "records of type \(old.type) that are drafts, not yet published, or ended become visible to everybody who may read the type"
                    ),
                    SectionEffect(.opens, "records of type \(old.type) are no longer checked when they are saved"),
                    SectionEffect(.hides, "records of type \(old.type) are no longer shown as messages"),
                    SectionEffect(.loses, "who has seen messages of type \(old.type) is forgotten 30 days later"),
                ]
            }
            if let new {
                effects += [
                    SectionEffect(
                        .reveals, "records of type \(new.type) are shown as messages to everybody they are for"),
                    SectionEffect(
                        .hides, "records of type \(new.type) are hidden before their start and after their end"),
                ]
            }
        }
        if old?.mirror != new?.mirror {
            if let mirror = old?.mirror {
                effects.append(
                    SectionEffect(.hides, "the current message no longer appears in a record of type \(mirror)"))
            }
            if let mirror = new?.mirror {
                effects += [
                    SectionEffect(
                        .reveals,
                        "the current message appears in a record of type \(mirror), to everybody who may read that",
                        isAdded: old != nil && old?.mirror == nil),
                    SectionEffect(.loses, "records of type \(mirror) that are current are no longer"),
                ]
            }
        }
        guard let old, let new else { return effects }
        effects += slotEffects(from: old, to: new)
        let kinds = new.kinds.filter { !old.kinds.contains($0) }.map(\.rawValue)
        if !kinds.isEmpty {
            effects.append(
                SectionEffect(
                    .opens, "messages of kind \(kinds.joined(separator: ", ")) may be published",
                    // Those that apply without the key are not written.
                    isAdded: new.kinds != standardKinds))
        }
        let languages = old.languages.filter { !new.languages.contains($0) }.map(\.description)
        if !languages.isEmpty {
            effects.append(
                SectionEffect(
                    .opens, "messages may be published without a text in \(languages.joined(separator: ", "))"))
        }
        return effects
    }

    private static func slotEffects(from old: Self, to new: Self) -> [SectionEffect] {
        var effects: [SectionEffect] = []
        if old.slots[0] != new.slots[0] {
            let readers = "apps that name no slot, and the mirror,"
            effects += [
                SectionEffect(.reveals, "\(readers) show messages of slot \(new.slots[0])"),
                SectionEffect(.hides, "\(readers) no longer show messages of slot \(old.slots[0])"),
            ]
        }
        effects += new.slots.filter { !old.slots.contains($0) }.map { slot in
            SectionEffect(.reveals, "messages of slot \(slot) are shown", isAdded: true)
        }
        effects += old.slots.filter { !new.slots.contains($0) }.map { slot in
            SectionEffect(.hides, "messages of slot \(slot) are no longer shown")
        }
        return effects
    }
}

extension Catalog {
    /// nil if the container has no messages.
    ///
    /// - Throws: If the settings cannot be read.
    func messages() throws(SectionFailure) -> MessageSettings? { try value(of: .messages) }
}
