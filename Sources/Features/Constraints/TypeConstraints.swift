import CloudKitWire
import NephosDomain
import NephosStorage

/// The constraints of one type, made ready: one walk over the fields of a record finds all that they look at.
final class TypeConstraints: Sendable {
    let type: Name
    let constraints: [Constraint]
    /// Fields that any of them looks at, in byte order.
    private let names: [Name]
    private let places: [Name: Int]
    /// Whether any is about more than one record.
    let hasClaims: Bool
    /// Fields whose references must lead somewhere when they are saved.
    let held: [Constraint]

    init(_ type: Name, _ constraints: [Constraint]) {
        self.type = type
        self.constraints = constraints
        names = Set(constraints.flatMap(\.names)).sorted()
        places = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
        hasClaims = constraints.contains(where: \.isClaim)
        held = constraints.filter { $0.rule == .exists }
    }

    /// What a record has in the fields that matter.
    struct Values {
        fileprivate let constraints: TypeConstraints
        fileprivate var values: [StoredValue?]

        subscript(_ field: Name) -> StoredValue? { constraints.places[field].flatMap { values[$0] } }
    }

    func values(in fields: Bytes) -> Values {
        var values = Values(constraints: self, values: Array(repeating: nil, count: names.count))
        CanonicalFields.read(names, in: fields) { place, value in values.values[place] = value }
        return values
    }
}

extension Constraint {
    /// Whether it is about a record with these values.
    func concerns(_ values: TypeConstraints.Values) -> Bool {
        condition.allSatisfy { $0.holds(of: values[$0.field]) }
    }
}
