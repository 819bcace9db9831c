import CloudKitWire
import NephosDomain
import NephosStorage

/// How a container uses flags: section `flags` of its settings.
struct FlagSettings: Sendable, Equatable {
    /// The type of the records that are flags.
    let type: Name
    /// The record in which an old design shows and switches flags; nil for none.
    let mirror: Mirror?

    /// One record with an INT64 field, 0 or 1, for each flag.
    struct Mirror: Sendable, Equatable {
        let type: Name
        let record: Name
    }

    init(_ json: inout JSONReader) throws(WireError) {
        let start = json.offset
        var (type, mirror): (Name?, Mirror?) = (nil, nil)
        try json.readObject { json, key throws(WireError) in
            switch key {
            case "type": type = try json.readName().owned
            case "mirror": mirror = try Mirror(&json)
            default: throw WireError("unknown key; flags has type and mirror", offset: json.offset)
            }
        }
        guard let type, !type.bytes.isEmpty else {
            throw WireError("flags needs type, such as FeatureFlag", offset: start)
        }
        guard mirror?.type != type else {
            throw WireError("the mirror of flags must have another type than the flags", offset: start)
        }
        (self.type, self.mirror) = (type, mirror)
    }
}

extension FlagSettings.Mirror {
    fileprivate init(_ json: inout JSONReader) throws(WireError) {
        let start = json.offset
        var (type, record): (Name?, Name?) = (nil, nil)
        try json.readObject { json, key throws(WireError) in
            switch key {
            case "type": type = try json.readName().owned
            case "record": record = try json.readName().owned
            default: throw WireError("unknown key; a mirror has type and record", offset: json.offset)
            }
        }
        guard let type, let record, !type.bytes.isEmpty, !record.bytes.isEmpty else {
            throw WireError("a mirror needs type and record, such as AppFeatures and current", offset: start)
        }
        (self.type, self.record) = (type, record)
    }
}

extension CatalogSection<FlagSettings> {
    static let flags = Self(Flags.name, isDeployed: true)
}

extension FlagSettings: SectionSettings {
    /// The type may be created later, with the first flag.
    var uses: [SchemaUse] {
        let fields = FlagField.all.map { field in
            SchemaUse.field(
                field, of: type, at: "type", isRequired: false, audiences: field == FlagField.rules ? .decide : .none)
        }
        let mirrored = mirror.map {
            [SchemaUse.type($0.type, at: "mirror.type", isRequired: false, hasEveryField: true)]
        }
        return [.type(type, at: "type", isRequired: false)] + fields + (mirrored ?? [])
    }

    static func effects(from old: Self?, to new: Self?) -> [SectionEffect] {
        var effects: [SectionEffect] = []
        if old?.type != new?.type {
            if let old {
                effects += [
                    SectionEffect(
                        .opens,
                        "records of type \(old.type) are no longer checked when they are saved, and need not be valid flags"
                    ),
                    SectionEffect(
                        .reveals, "flags of type \(old.type) are no longer evaluated: clients use their default values"
                    ),
                ]
            }
            if let new {
                effects += [
                    SectionEffect(
                        .reveals, "flags of type \(new.type) are evaluated for everybody who has an API token"),
                    SectionEffect(.closes, "records of type \(new.type) that are not valid flags are refused"),
                ]
            }
        }
        guard old?.mirror != new?.mirror else { return effects }
        if let mirror = old?.mirror {
            let record = "record \(mirror.record) of type \(mirror.type)"
            effects += [
                SectionEffect(.opens, "\(record) is no longer checked when it is saved"),
                SectionEffect(.hides, "which flags are on no longer appears in \(record)"),
                SectionEffect(.closes, "whoever saves \(record) no longer switches flags"),
            ]
        }
        if let mirror = new?.mirror {
            let record = "record \(mirror.record) of type \(mirror.type)"
            let isAdded = old != nil && old?.mirror == nil
            effects += [
                SectionEffect(
                    .reveals, "which flags are on appears in \(record), to everybody who may read that",
                    isAdded: isAdded),
                SectionEffect(.opens, "everybody who may write \(record) switches flags", isAdded: isAdded),
            ]
        }
        return effects
    }
}

extension Catalog {
    /// The type whose records are flags; nil if there are none.
    ///
    /// - Throws: If the settings cannot be read.
    func flagType() throws(SectionFailure) -> Name? { try value(of: .flags)?.type }
}
