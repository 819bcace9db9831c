import CloudKitWire
import NephosDomain
import NephosStorage

/// The constraints of one type, prepared so that a single pass over the fields of a record finds everything they depend on.
final class TypeConstraints: Sendable {
    let type: Name
    let constraints: [Constraint]
    /// Fields that any constraint depends on, in byte order.
    private let names: [Name]
    private let places: [Name: Int]
    /// Constraints on a record's own value, and those that concern several records.
    let checked, claiming: [Placed]
    var hasClaims: Bool { !claiming.isEmpty }
    /// Whether a record may break any of them by itself.
    var checkOneByOne: Bool { !checked.isEmpty || !stretches.isEmpty }
    /// Constraints on intervals of time or numbers.
    let stretches: [Constraint]
    /// Constraints on references whose target must exist when they are saved.
    let held: [Constraint]

    init(_ type: Name, _ constraints: [Constraint]) {
        self.type = type
        self.constraints = constraints
        names = Set(constraints.flatMap(\.names)).sorted()
        let places = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
        self.places = places
        checked = constraints.filter { !$0.isClaim && !$0.fields.isEmpty }.map { Placed($0, places) }
        claiming = constraints.filter(\.isClaim).map { Placed($0, places) }
        stretches = constraints.filter { if case .noOverlap = $0.rule { true } else { false } }
        held = constraints.filter { $0.rule == .exists }
    }

    /// A constraint with the positions of its fields, and of those of its condition, in ``Values``, so that saves need not look
    /// them up.
    final class Placed: Sendable {
        let constraint: Constraint
        let fields, conditions: [Int]

        fileprivate init(_ constraint: Constraint, _ places: [Name: Int]) {
            self.constraint = constraint
            fields = constraint.fields.compactMap { places[$0] }
            conditions = constraint.condition.compactMap { places[$0.field] }
        }

        /// Whether it applies to a record with these values.
        func concerns(_ values: Values) -> Bool {
            conditions.isEmpty || zip(constraint.condition, conditions).allSatisfy { $0.holds(of: values[$1]) }
        }
    }

    /// The values of a record in the relevant fields.
    struct Values {
        fileprivate let constraints: TypeConstraints
        fileprivate var values: [StoredValue?]

        subscript(_ field: Name) -> StoredValue? { constraints.places[field].flatMap { values[$0] } }
        subscript(_ place: Int) -> StoredValue? { values[place] }

        /// Whether another record of the type has the same values in all of these fields, byte by byte.
        func areSame(as others: Values) -> Bool {
            zip(values, others.values).allSatisfy { $0?.type == $1?.type && $0?.json == $1?.json }
        }
    }

    func values(in fields: Bytes) -> Values {
        var values = Values(constraints: self, values: names.map { _ in nil })
        CanonicalFields.read(names, in: fields) { place, value in values.values[place] = value }
        return values
    }
}

extension Constraint {
    /// Whether it applies to a record with these values.
    func concerns(_ values: TypeConstraints.Values) -> Bool {
        condition.allSatisfy { $0.holds(of: values[$0.field]) }
    }
}
