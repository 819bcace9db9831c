import CloudKitWire
import NephosDomain
import NephosStorage

/// How flags are kept in a container: section `flags` of its settings.
struct FlagSettings: Sendable, Equatable {
    /// The type of the records that are flags.
    let type: Name

    init(_ json: inout JSONReader) throws(WireError) {
        let start = json.offset
        var type: Name?
        try json.readObject { json, key throws(WireError) in
            switch key {
            case "type": type = try json.readName().owned
            default: throw WireError("flags has type", offset: json.offset)
            }
        }
        guard let type, !type.bytes.isEmpty else {
            throw WireError("flags needs type, such as FeatureFlag", offset: start)
        }
        self.type = type
    }
}

extension CatalogSection<FlagSettings> {
    static let flags = CatalogSection(Flags.name, isDeployed: true) { json throws(WireError) in try FlagSettings(&json)
    }
}

extension Catalog {
    /// The type whose records are flags; nil where none are.
    ///
    /// - Throws: Where the settings cannot be read.
    func flagType() throws(SectionFailure) -> Name? { try value(of: .flags)?.type }
}
