import Audience
import CloudKitWire
import NephosDomain
import NephosStorage

/// What is shown of a container by day, and in which databases records are counted: section `trends` of its settings.
struct TrendSettings: Sendable, Equatable {
    /// Types that a list can name.
    static let typesMax = 100
    /// Splits per type, and lists and splits of all types together.
    static let splitsMax = 3
    static let partsMax = 50

    /// The default zone for days, such as `Europe/Rome`.
    private(set) var zone = "UTC"
    /// The types of the public database that are shown; nil for all.
    private(set) var types: [Name]?
    /// Types whose records in private databases are counted, as one count for all people together.
    private(set) var privateTypes: [Name] = []

    /// What is counted of types in addition to their records: lists, and values of fields.
    private(set) var parts: [TrendPart] = []
    /// Receivers that are notified of unusual days.
    private(set) var alarms: [TrendAlarm] = []
    /// Whether the server's metrics include figures of the types that are shown.
    private(set) var hasMetrics = false
    /// ``parts``, prepared for each type.
    private(set) var partsByType: [Name: TypeParts] = [:]

    static let standard = TrendSettings()

    static func == (left: Self, right: Self) -> Bool {
        left.zone == right.zone && left.types == right.types && left.privateTypes == right.privateTypes
            && left.lists == right.lists && left.splits == right.splits && left.alarms == right.alarms
            && left.hasMetrics == right.hasMetrics
    }

    var lists: [TrendPart] { parts.filter { !$0.isSplit } }
    var splits: [TrendPart] { parts.filter(\.isSplit) }

    /// The existing types that are shown if none are requested by name.
    func shown(_ isPrivate: Bool, in catalog: Catalog) -> [Name] {
        guard let named = isPrivate ? privateTypes : types else { return catalog.types.values.map(\.row.name).sorted() }
        return named.filter { catalog.types[$0] != nil }
    }

    /// What is named but cannot be counted, as sentences for people, without duplicates.
    func mismatches(in catalog: Catalog) -> [String] {
        let types = ((types ?? []) + privateTypes + alarms.map(\.type)).filter { catalog.types[$0] == nil }
        let sentences =
            types.map { TrendMismatch.noType.reason($0) }
            + parts.compactMap { part in part.mismatch(in: catalog)?.reason(part.type, part.field) }
        return sentences.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    private init() {}

    init(_ json: inout JSONReader) throws(WireError) {
        try json.readObject { json, key throws(WireError) in
            switch key {
            case "zone":
                let start = json.offset
                zone = String(decoding: try json.readString(), as: UTF8.self)
                guard Days(zone: zone) != nil else {
                    throw WireError("zone must be one of the time zone database, such as Europe/Rome", offset: start)
                }
            case "types":
                if try json.kind == .array {
                    types = try Self.names(&json)
                } else {
                    let start = json.offset
                    guard try json.readString().elementsEqual("all".utf8) else {
                        throw WireError("types must be all or a list of types", offset: start)
                    }
                }
            case "private": privateTypes = try Self.names(&json)
            case "lists": try readParts(&json, areSplits: false)
            case "splits": try readParts(&json, areSplits: true)
            case "alarms":
                try json.readArray { json, _ throws(WireError) in
                    let start = json.offset
                    for alarm in try TrendAlarm.read(&json) {
                        guard !alarms.contains(alarm) else { throw WireError("this appears twice", offset: start) }
                        guard alarms.count < TrendAlarm.most else {
                            throw WireError(
                                "there can be at most \(TrendAlarm.most) alarms", offset: start, isLimit: true)
                        }
                        alarms.append(alarm)
                    }
                }
            case "metrics": hasMetrics = try json.readBool()
            default:
                throw WireError(
                    "unknown key; trends has zone, types, private, lists, splits, alarms and metrics",
                    offset: json.offset)
            }
        }
        partsByType = Dictionary(grouping: parts, by: \.type).mapValues { TypeParts($0) }
    }

    /// With other types and parts. Read the result again from its ``document``, which checks the limits.
    func with(types: [Name]?, privateTypes: [Name], parts: [TrendPart]) -> TrendSettings {
        var settings = self
        (settings.types, settings.privateTypes, settings.parts) = (types, privateTypes, parts)
        return settings
    }

    private mutating func readParts(_ json: inout JSONReader, areSplits: Bool) throws(WireError) {
        try json.readArray { json, _ throws(WireError) in
            let start = json.offset
            let part = try areSplits ? TrendPart(split: &json) : TrendPart(list: &json)
            guard !parts.contains(part) else { throw WireError("this appears twice", offset: start) }
            guard parts.count < Self.partsMax else {
                throw WireError("there can be at most \(Self.partsMax) lists and splits", offset: start, isLimit: true)
            }
            let splits = parts.count { $0.isSplit && $0.type == part.type }
            guard !part.isSplit || splits < Self.splitsMax else {
                throw WireError("a type can be split by at most \(Self.splitsMax) fields", offset: start, isLimit: true)
            }
            parts.append(part)
        }
    }

    private static func names(_ json: inout JSONReader) throws(WireError) -> [Name] {
        var names: [Name] = []
        try json.readArray { json, _ throws(WireError) in
            let start = json.offset
            let name = try json.readName().owned
            guard names.count < typesMax else {
                throw WireError("at most \(typesMax) types can be named", offset: start, isLimit: true)
            }
            guard !name.bytes.isEmpty, !names.contains(name) else {
                throw WireError("a type must have a name, and be named only once", offset: start)
            }
            names.append(name)
        }
        return names
    }
}

extension TrendPart {
    /// `{type: Post, field: version}`
    fileprivate init(split json: inout JSONReader) throws(WireError) {
        let (type, field, of) = try Self.words(&json)
        guard of == nil else { throw WireError("a split has only type and field", offset: json.offset) }
        self.init(type, field, .split)
    }

    /// `{type: Novenas, field: names, of: newest}`, where `of` is `newest`, `all` or `record: NAME`.
    fileprivate init(list json: inout JSONReader) throws(WireError) {
        let start = json.offset
        let (type, field, of) = try Self.words(&json)
        guard let kind = Kind(of: of) else { throw WireError("of must be newest, all, or record: NAME", offset: start) }
        self.init(type, field, kind)
    }

    private static func words(_ json: inout JSONReader) throws(WireError) -> (type: Name, field: Name, of: String?) {
        var (type, field, of): (Name?, Name?, String?) = (nil, nil, nil)
        let start = json.offset
        try json.readObject { json, key throws(WireError) in
            switch key {
            case "type": type = try json.readName().owned
            case "field": field = try json.readName().owned
            case "of":
                // YAML can express this as `of: {record: NAME}` or `of: "record: NAME"`.
                if try json.kind == .object {
                    try json.readObject { json, key throws(WireError) in
                        switch key {
                        case "record": of = "record:" + String(decoding: try json.readString(), as: UTF8.self)
                        default: throw WireError("of must be newest, all, or record: NAME", offset: json.offset)
                        }
                    }
                } else {
                    of = String(decoding: try json.readString(), as: UTF8.self)
                }
            default: throw WireError("unknown key; this has type and field, and a list also of", offset: json.offset)
            }
        }
        guard let type, let field, !type.bytes.isEmpty, !field.bytes.isEmpty else {
            throw WireError("type and field are missing", offset: start)
        }
        return (type, field, of)
    }
}

extension CatalogSection<TrendSettings> {
    static let trends = Self(Trends.name, isDeployed: true)
}

extension TrendSettings: SectionSettings {
    /// What is missing is counted once it exists.
    var uses: [SchemaUse] {
        func types(_ names: [Name], _ key: String) -> [SchemaUse] {
            names.map { .type($0, at: key, isRequired: false) }
        }
        return types(self.types ?? [], "types") + types(privateTypes, "private") + types(alarms.map(\.type), "alarms")
            + parts.flatMap { part in
                let key = part.isSplit ? "splits" : "lists"
                return [
                    SchemaUse.type(part.type, at: key, isRequired: false),
                    SchemaUse.field(part.field, of: part.type, at: key, isRequired: false),
                ]
            }
    }

    static func effects(from old: Self?, to new: Self?) -> [SectionEffect] {
        let (old, new) = (old ?? .standard, new ?? .standard)
        var effects = old.privateTypes.filter { !new.privateTypes.contains($0) }.map { type in
            SectionEffect(.loses, "what was counted of \(type) in private databases is removed")
        }
        effects += old.parts.filter { !new.parts.contains($0) }.map { part in
            SectionEffect(.loses, "what was counted by field \(part.field) of \(part.type) is removed")
        }
        let readers = "those who may read trends"
        if let types = old.types {
            let shown = new.types?.filter { !types.contains($0) }.map(\.text).joined(separator: ", ")
            if shown != "" {
                effects.append(
                    SectionEffect(
                        .reveals, "figures of \(shown ?? "all types") become visible to \(readers)",
                        isAdded: shown != nil))
            }
        }
        effects += new.privateTypes.filter { !old.privateTypes.contains($0) }.map { type in
            SectionEffect(
                .reveals, "figures of \(type) in private databases become visible to \(readers)", isAdded: true)
        }
        effects += new.parts.filter { !old.parts.contains($0) }.map { part in
            SectionEffect(
                .reveals, "values of field \(part.field) of \(part.type) become visible to \(readers)", isAdded: true)
        }
        effects += new.alarms.filter { !old.alarms.contains($0) }.map { alarm in
            SectionEffect(
                .reveals, "unusual days of \(alarm.type) are reported to another receiver",
                isAdded: !old.alarms.contains { $0.type == alarm.type })
        }
        if new.hasMetrics, !old.hasMetrics {
            effects.append(SectionEffect(.reveals, "figures become visible to those who may read the server's metrics"))
        }
        if old.hasMetrics, !new.hasMetrics {
            effects.append(SectionEffect(.hides, "figures are no longer part of the server's metrics"))
        }
        if let types = new.types {
            let hidden = old.types?.filter { !types.contains($0) }.map(\.text).joined(separator: ", ")
            if hidden != "" {
                effects.append(SectionEffect(.hides, "figures of \(hidden ?? "all other types") are no longer shown"))
            }
        }
        effects += old.alarms.filter { !new.alarms.contains($0) }.map { alarm in
            SectionEffect(.hides, "unusual days of \(alarm.type) are no longer reported to a receiver")
        }
        return effects
    }
}

extension Catalog {
    /// - Throws: If the settings cannot be read.
    func trends() throws(SectionFailure) -> TrendSettings { try value(of: .trends) ?? .standard }
}
