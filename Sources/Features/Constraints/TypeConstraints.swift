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
    /// Those that judge a record by a value of its own, and those that are about more than one record.
    let judged, claiming: [Placed]
    var hasClaims: Bool { !claiming.isEmpty }
    /// Whether a record may break any of them by itself.
    var judgeOneByOne: Bool { !judged.isEmpty || !stretches.isEmpty }
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
        judged = constraints.filter { !$0.isClaim && !$0.fields.isEmpty }.map { Placed($0, places) }
        claiming = constraints.filter(\.isClaim).map { Placed($0, places) }
        stretches = constraints.filter { if case .noOverlap = $0.rule { true } else { false } }
        held = constraints.filter { $0.rule == .exists }
    }

    /// A constraint with the places of its fields, and of those of its condition, among ``Values``: so no save looks for them.
    final class Placed: Sendable {
        let constraint: Constraint
        let fields, conditions: [Int]

        fileprivate init(_ constraint: Constraint, _ places: [Name: Int]) {
            self.constraint = constraint
            fields = constraint.fields.compactMap { places[$0] }
            conditions = constraint.condition.compactMap { places[$0.field] }
        }

        /// Whether it is about a record with these values.
        func concerns(_ values: Values) -> Bool {
            conditions.isEmpty || zip(constraint.condition, conditions).allSatisfy { $0.holds(of: values[$1]) }
        }
    }

    /// What a record has in the fields that matter.
    struct Values {
        fileprivate let constraints: TypeConstraints
        fileprivate var values: [StoredValue?]

        subscript(_ field: Name) -> StoredValue? { constraints.places[field].flatMap { values[$0] } }
        subscript(_ place: Int) -> StoredValue? { values[place] }

        /// Whether another record of the type has the same in all of these fields, byte by byte.
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
    /// Whether it is about a record with these values.
    func concerns(_ values: TypeConstraints.Values) -> Bool {
        condition.allSatisfy { $0.holds(of: values[$0.field]) }
    }
}
