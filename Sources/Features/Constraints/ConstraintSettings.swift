import CloudKitWire
import NephosDomain
import NephosStorage

/// The constraints of a container by record type: section `constraints` of its settings.
struct ConstraintSettings: Sendable, Equatable {
    /// The limits per container and per type.
    static let constraintsMax = 1_000
    static let ofTypeMax = 100

    private(set) var types: [Name: TypeConstraints] = [:]

    init(_ json: inout JSONReader) throws(WireError) {
        var count = 0
        try json.readObject { json, key throws(WireError) in
            let type = key.name.owned
            guard !type.bytes.isEmpty else {
                throw WireError("the name of a record type must not be empty", offset: json.offset)
            }
            guard try json.kind == .array else {
                throw WireError("expected a list, such as - {rule: unique, fields: [title]}", offset: json.offset)
            }
            var constraints: [Constraint] = []
            try json.readArray { json, place throws(WireError) in
                count += 1
                guard count <= Self.constraintsMax, constraints.count < Self.ofTypeMax else {
                    throw WireError(
                        "a type has at most \(Self.ofTypeMax) constraints, and a container \(Self.constraintsMax)",
                        offset: json.offset, isLimit: true)
                }
                let constraint = try ConstraintReader.read(&json, type: type, place: "\(type)[\(place)]")
                guard !constraints.contains(where: { $0.id == constraint.id }) else {
                    throw WireError("this constraint appears twice", offset: json.offset)
                }
                constraints.append(constraint)
            }
            types[type] = TypeConstraints(type, constraints)
        }
    }

    /// All constraints, ordered by type.
    var all: [Constraint] { types.sorted { $0.key < $1.key }.flatMap(\.value.constraints) }

    static func == (left: Self, right: Self) -> Bool { left.all == right.all }
}

extension CatalogSection<ConstraintSettings> {
    static let constraints = Self(Constraints.name, isDeployed: true)
}

extension ConstraintSettings: SectionSettings {
    var uses: [SchemaUse] {
        types.sorted { $0.key < $1.key }.flatMap { name, constraints in
            [SchemaUse.type(name, at: name.text)]
                + constraints.constraints.flatMap { constraint in
                    constraint.names.map { constraint.use(of: $0, type: name) }
                }
        }
    }

    static func effects(from old: Self?, to new: Self?) -> [SectionEffect] {
        let (old, new) = (old?.all ?? [], new?.all ?? [])
        func others(_ all: [Constraint], than others: [Constraint]) -> [Constraint] {
            let ids = Set(others.map(\.id))
            return all.filter { !ids.contains($0.id) }
        }
        return others(old, than: new).map { constraint in
            SectionEffect(.opens, "\(constraint.words) no longer holds for records of type \(constraint.type)")
        }
            + others(new, than: old).map { constraint in
                SectionEffect(
                    .closes, "records of type \(constraint.type) are refused that violate \(constraint.words)")
            }
    }
}

extension Constraint {
    /// For people: `unique of title`.
    fileprivate var words: String {
        let fields = fields.isEmpty ? "" : " of \(fields.map(\.text).joined(separator: ", "))"
        return "\(word)\(fields)"
    }

    /// The type, which begins its place.
    fileprivate var type: String { String(place.prefix { $0 != "[" }) }

    /// How it uses a field, with the kinds that its rule can check.
    fileprivate func use(of field: Name, type: Name) -> SchemaUse {
        let kinds = kinds(of: field)
        return .field(
            field, of: type, at: place, kinds: kinds?.all, for: word, wanting: kinds?.words)
    }

    /// The suitable kinds of a field, and these for people; nil for any.
    private func kinds(of field: Name) -> (all: [FieldType], words: String)? {
        func kinds(_ words: String, _ isFit: (FieldType) -> Bool) -> (all: [FieldType], words: String) {
            (FieldType.allCases.filter(isFit), words)
        }
        func scalars(_ scalars: [FieldType]) -> (FieldType) -> Bool { { scalars.contains($0.element ?? $0) } }
        if case .noOverlap(let start, let end, _) = rule, field == start || field == end {
            return kinds("TIMESTAMP or INT64 for start and end") { $0 == .timestamp || $0 == .int64 }
        }
        guard fields.contains(field) else { return kinds("a field in where that is not a list") { !$0.isList } }
        switch rule {
        case .required: return nil
        case .notEmpty, .length:
            return kinds("STRING, BYTES or a list") { $0.isList || $0 == .string || $0 == .bytes }
        case .boolean: return kinds("INT64") { $0 == .int64 }
        case .oneOf: return kinds("STRING, INT64, DOUBLE or a list of these", scalars([.string, .int64, .double]))
        case .range:
            return kinds("INT64, DOUBLE, TIMESTAMP or a list of these", scalars([.int64, .double, .timestamp]))
        case .localized: return kinds("STRING") { $0 == .string }
        case .exists: return kinds("REFERENCE or a list of these", scalars([.reference]))
        case .atMost, .noOverlap:
            return kinds("STRING, INT64, DOUBLE, TIMESTAMP, REFERENCE or BYTES") {
                [.string, .int64, .double, .timestamp, .reference, .bytes].contains($0)
            }
        }
    }
}

extension Catalog {
    /// nil if there are none.
    ///
    /// - Throws: If the settings cannot be read.
    func constraints(of type: Name) throws(SectionFailure) -> TypeConstraints? {
        try value(of: .constraints)?.types[type]
    }
}
