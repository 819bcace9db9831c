import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// The types whose records are content, published at set times: section `content` of a container's settings, as JSON.
///
/// `{"Chibi":{"publishedAt":"publishedAt","until":"until","access":"access"}}`: the field of the type for each role.
struct ContentSettings: Sendable, Equatable {
    /// Types per container.
    static let typesMax = 100

    private(set) var types: [Name: ContentType] = [:]

    init() {}

    /// - Throws: If the section is not valid.
    init(_ json: inout JSONReader) throws(WireError) {
        try json.readObject { json, key throws(WireError) in
            let type = key.name.owned
            guard !type.bytes.isEmpty else { throw WireError("the name of a type is missing", offset: json.offset) }
            guard types.count < Self.typesMax else {
                throw WireError("at most \(Self.typesMax) types can be content", offset: json.offset, isLimit: true)
            }
            types[type] = try ContentType(&json)
        }
    }

    /// The same settings with another type.
    func declaring(_ type: Name, _ fields: ContentType) -> ContentSettings {
        var settings = self
        settings.types[type] = fields
        return settings
    }

    /// The section as JSON, which reads back as the same settings.
    var document: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        for (type, content) in types.sorted(by: { $0.key < $1.key }) {
            json.key(named: type)
            json.beginObject()
            for (role, field) in content.fields.sorted(by: { $0.key < $1.key }) {
                json.key(named: Name(role.rawValue))
                json.string(field.text)
            }
            json.endObject()
        }
        json.endObject()
        return json.bytes
    }
}

/// The roles of a content type's fields.
struct ContentType: Sendable, Equatable {
    /// The role of a field.
    enum Role: String, Sendable, CaseIterable, Comparable {
        /// When the record begins to be shown; without a value it is a draft.
        case publishedAt
        /// When it ends.
        case until
        /// The recurring hours in which it is shown, between the two.
        case every
        /// The words of which one must be proved.
        case access
        /// The audience, based on what clients report.
        case audience
        /// The weight for picking.
        case weight
        /// The collection it belongs to.
        case collection
        /// A small picture.
        case preview

        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

        /// The possible kinds of the field.
        var kinds: [FieldType] {
            switch self {
            case .publishedAt, .until: [.timestamp]
            case .access: [.stringList]
            case .audience, .collection, .every: [.string]
            case .weight: [.int64]
            case .preview: [.asset]
            }
        }
    }

    private(set) var fields: [Role: Name]

    init(_ fields: [Role: Name]) { self.fields = fields }

    init(_ json: inout JSONReader) throws(WireError) {
        var fields: [Role: Name] = [:]
        let offset = json.offset
        guard try json.kind == .object else {
            throw WireError("expected keys, such as publishedAt: FIELD", offset: offset)
        }
        try json.readObject { json, key throws(WireError) in
            guard let role = Role(rawValue: key.name.text) else {
                let names = Role.allCases.map(\.rawValue).joined(separator: ", ")
                throw WireError("unknown key; a type of content has \(names)", offset: json.offset)
            }
            let field = Name(bytes: try json.readString()).owned
            guard !field.bytes.isEmpty else { throw WireError("expected the name of a field", offset: json.offset) }
            fields[role] = field
        }
        // This role has a default, because all content needs it.
        if fields[.publishedAt] == nil { fields[.publishedAt] = "publishedAt" }
        guard Set(fields.values).count == fields.count else {
            throw WireError("two of its keys name the same field: a field can have only one meaning", offset: offset)
        }
        self.fields = fields
    }

    /// The suitable fields that have a role, ordered by name.
    func roles(of type: RecordType) -> [(role: Role, field: Name)] {
        fields.compactMap { role, name in field(role, of: type).map { _ in (role, name) } }
            .sorted { $0.field < $1.field }
    }

    /// A hash that differs if roles have other fields.
    func print(of type: RecordType) -> Int64 {
        var bytes: [UInt8] = []
        for (role, name) in roles(of: type) {
            bytes += "\(role.rawValue)=\(name):\(type.fields[name]?.epoch ?? 0);".utf8
        }
        return Int64(bitPattern: bytes.withUnsafeBytes { xxHash64($0) })
    }

    /// The edits that publish a record, or make it a draft.
    ///
    /// - Parameters:
    ///   - publishedAt: nil for a draft.
    ///   - until: nil for no end; a type without the field has no end.
    func edits(publishedAt: Milliseconds?, until: Milliseconds?) -> [(field: Name, edit: FieldEdit)] {
        [(Role.publishedAt, publishedAt), (.until, until)].compactMap { role, time in
            fields[role].map { ($0, time.map(FieldEdit.time) ?? .removed) }
        }
    }

    /// The suitable fields of a type that have the usual names.
    init(usualOf type: RecordType) {
        fields = Role.allCases.reduce(into: [:]) { fields, role in
            let name = Name(role.rawValue)
            guard let field = type.fields[name], role.kinds.contains(field.kind), !field.isEncrypted else {
                return
            }
            fields[role] = name
        }
    }
}

extension CatalogSection<ContentSettings> {
    static let content = Self(Content.name, isDeployed: true)
}

extension ContentSettings: SectionSettings {
    var uses: [SchemaUse] {
        let own = types.sorted { $0.key < $1.key }.flatMap { name, content in
            [SchemaUse.type(name, at: name.text)]
                + content.fields.sorted { $0.key < $1.key }.map { role, field in
                    .field(
                        field, of: name, at: "\(name).\(role.rawValue)", kinds: role.kinds, for: role.rawValue,
                        audiences: role == .audience ? .include : .none)
                }
        }
        // What people chose: the first choice creates it.
        let choices = SchemaUse.field(
            ContentChoice.field, of: ContentChoice.type, at: "", isRequired: false)
        return own.isEmpty ? [] : own + [.type(ContentChoice.type, at: "", isRequired: false), choices]
    }

    static func effects(from old: Self?, to new: Self?) -> [SectionEffect] {
        let (oldTypes, newTypes) = (old?.types ?? [:], new?.types ?? [:])
        return Set(oldTypes.keys).union(newTypes.keys).sorted().flatMap { type in
            ContentType.Role.allCases.flatMap { role -> [SectionEffect] in
                let (before, after) = (oldTypes[type]?.fields[role], newTypes[type]?.fields[role])
                guard before != after, let words = role.words else { return [] }
                let records = "records of type \(type) \(words.kept)"
                // Another field has other values: what it hid may be shown, and the other way around.
                return [
                    before.map { _ in SectionEffect(.reveals, "\(records) \(words.shown)") },
                    after.map { _ in SectionEffect(.hides, "\(records) \(words.hidden)") },
                ].compactMap(\.self)
            }
        }
    }
}

extension ContentType.Role {
    /// The records that its field hides, what happens to them without it, and what with it; nil for a field that hides none.
    fileprivate var words: (kept: String, shown: String, hidden: String)? {
        let shown = "become visible to everybody who may read the type"
        let hidden = "are hidden from everybody who may not write them"
        return switch self {
        case .publishedAt: ("that are drafts or not yet published", shown, hidden)
        case .until: ("that have ended", shown, hidden)
        case .every: ("that are outside their hours", shown, hidden)
        case .access:
            ("that require a proof", shown, "are hidden from everybody who may not write them and have no such proof")
        case .audience: ("that are for an audience", "are picked for everybody", "are picked for it alone")
        case .weight, .collection, .preview: nil
        }
    }
}

extension Catalog {
    /// - Throws: If the settings cannot be read.
    func content() throws(SectionFailure) -> ContentSettings { try value(of: .content) ?? ContentSettings() }
}
