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
    static let constraints = CatalogSection(Constraints.name, isDeployed: true) { json throws(WireError) in
        try ConstraintSettings(&json)
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
