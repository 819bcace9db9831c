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
    /// Where the values that judge a record by itself stand, for each constraint that does.
    let judged: [Judged]
    /// Whether any is about more than one record.
    let hasClaims: Bool
    /// Those about stretches of time, or of numbers.
    let stretches: [Constraint]
    /// Fields whose references must lead somewhere when they are saved.
    let held: [Constraint]

    init(_ type: Name, _ constraints: [Constraint]) {
        self.type = type
        self.constraints = constraints
        names = Set(constraints.flatMap(\.names)).sorted()
        let places = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
        self.places = places
        judged = constraints.filter { !$0.isClaim }.compactMap { constraint in
            constraint.fields.first.flatMap { places[$0] }.map { place in
                Judged(constraint, place, conditions: constraint.condition.compactMap { places[$0.field] })
            }
        }
        hasClaims = constraints.contains(where: \.isClaim)
        stretches = constraints.filter { if case .noOverlap = $0.rule { true } else { false } }
        held = constraints.filter { $0.rule == .exists }
    }

    /// A constraint that looks at one field, with the places of that and of the fields of its condition among ``Values``. A class, so that
    /// no save copies them.
    final class Judged: Sendable {
        let constraint: Constraint
        let place: Int
        let conditions: [Int]

        init(_ constraint: Constraint, _ place: Int, conditions: [Int]) {
            (self.constraint, self.place, self.conditions) = (constraint, place, conditions)
        }
    }

    /// What a record has in the fields that matter.
    struct Values {
        fileprivate let constraints: TypeConstraints
        fileprivate var values: [StoredValue?]

        subscript(_ field: Name) -> StoredValue? { constraints.places[field].flatMap { values[$0] } }
        subscript(_ place: Int) -> StoredValue? { values[place] }
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
