import Audience
import CloudKitWire
import NephosDomain
import NephosStorage

/// What of a container is shown by day, and of which databases records are counted: section `trends` of its settings.
struct TrendSettings: Sendable, Equatable {
    /// Types that a list names.
    static let typesMax = 100

    /// Whose days are shown where nobody asks for others, such as `Europe/Rome`.
    private(set) var zone = "UTC"
    /// Those of the public database that are shown; nil for all.
    private(set) var types: [Name]?
    /// Types whose records in private databases are counted: as counts of all persons together.
    private(set) var privateTypes: [Name] = []

    static let standard = TrendSettings()

    /// What is shown where nobody asks for types by name, of what is there.
    func shown(_ isPrivate: Bool, in catalog: Catalog) -> [Name] {
        guard let named = isPrivate ? privateTypes : types else { return catalog.types.values.map(\.row.name).sorted() }
        return named.filter { catalog.types[$0] != nil }
    }

    /// What is named, and is no type.
    func unknown(in catalog: Catalog) -> [Name] {
        ((types ?? []) + privateTypes).filter { catalog.types[$0] == nil }
    }

    private init() {}

    init(_ json: inout JSONReader) throws(WireError) {
        try json.readObject { json, key throws(WireError) in
            switch key {
            case "zone":
                let start = json.offset
                zone = String(decoding: try json.readString(), as: UTF8.self)
                guard Days(zone: zone) != nil else {
                    throw WireError("zone is one of the time zone database, such as Europe/Rome", offset: start)
                }
            case "types":
                if try json.kind == .array {
                    types = try Self.names(&json)
                } else {
                    let start = json.offset
                    guard try json.readString().elementsEqual("all".utf8) else {
                        throw WireError("types is all, or a list of types", offset: start)
                    }
                }
            case "private": privateTypes = try Self.names(&json)
            default: throw WireError("trends has zone, types and private", offset: json.offset)
            }
        }
    }

    private static func names(_ json: inout JSONReader) throws(WireError) -> [Name] {
        var names: [Name] = []
        try json.readArray { json, _ throws(WireError) in
            let start = json.offset
            let name = try json.readName().owned
            guard names.count < typesMax else {
                throw WireError("at most \(typesMax) types are named", offset: start, isLimit: true)
            }
            guard !name.bytes.isEmpty, !names.contains(name) else {
                throw WireError("a type is named once, and has a name", offset: start)
            }
            names.append(name)
        }
        return names
    }
}

extension CatalogSection<TrendSettings> {
    static let trends = CatalogSection(Trends.name, isDeployed: true) { json throws(WireError) in
        try TrendSettings(&json)
    }
}

extension Catalog {
    /// - Throws: Where the settings cannot be read.
    func trends() throws(SectionFailure) -> TrendSettings { try value(of: .trends) ?? .standard }
}
