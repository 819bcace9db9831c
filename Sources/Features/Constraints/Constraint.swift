import Audience
import CloudKitWire
import NephosStorage

/// A condition for the records of one type (docs/constraints.md). It is a class because every save passes on those of its types.
final class Constraint: Sendable, Equatable {
    enum Rule: Sendable, Equatable {
        case required
        /// Present and not empty.
        case notEmpty
        case boolean
        case oneOf([Scalar])
        case range(ValueRange)
        case length(ClosedRange<Int>)
        case localized([String], LocalizedForm)
        /// The target of a reference exists when the reference is saved.
        case exists
        /// At most this many records with the same values in the fields.
        case atMost(Int)
        /// Records with the same values in the fields do not overlap in the interval between two other fields, times or numbers.
        /// With drafts, records without a start hold nothing; otherwise their start is unlimited.
        case noOverlap(start: Name, end: Name, hasDrafts: Bool)
    }

    /// The word in the settings: `unique` and `atMost` are one rule.
    let word: String
    let rule: Rule
    /// The constrained field; for claims, the fields whose values make records rivals: empty for all records of the type.
    let fields: [Name]
    /// The constraint applies only to records whose fields have these values.
    let condition: [FieldCondition]
    /// The error message for a breach; nil for a default message.
    let message: String?
    /// The place in the settings, such as `Commun[0]`.
    let place: String
    /// Identifies its meaning: differs from all other constraints, including those in other versions of the settings.
    let id: Int64
    /// All fields that it depends on.
    let names: [Name]

    init(
        word: String, rule: Rule, fields: [Name], condition: [FieldCondition], message: String?, place: String,
        id: Int64
    ) {
        (self.word, self.rule, self.fields, self.condition) = (word, rule, fields, condition)
        (self.message, self.place, self.id) = (message, place, id)
        var names = fields + condition.map(\.field)
        if case .noOverlap(let start, let end, _) = rule { names += [start, end] }
        self.names = names
    }

    /// Whether it concerns several records, and is therefore kept in claim rows.
    var isClaim: Bool {
        switch rule {
        case .atMost, .noOverlap: true
        case .required, .notEmpty, .boolean, .oneOf, .range, .length, .localized, .exists: false
        }
    }

    static func == (left: Constraint, right: Constraint) -> Bool {
        left.id == right.id && left.message == right.message
    }
}

/// A field has a given value.
struct FieldCondition: Sendable, Equatable {
    let field: Name
    let value: Scalar

    func holds(of stored: StoredValue?) -> Bool { stored?.isSame(as: value) ?? false }
}

/// A range of numbers or times; both ends are inclusive.
struct ValueRange: Sendable, Equatable {
    /// Numbers, or milliseconds since 1970.
    let min, max: Double?
    /// As written in the settings.
    let description: String

    func contains(_ value: Double) -> Bool { (min.map { $0 <= value } ?? true) && (max.map { value <= $0 } ?? true) }
}

/// The format of a STRING with a text in several languages.
enum LocalizedForm: String, Sendable, CaseIterable {
    /// `en=No thanks|es=No, gracias`
    case packed
    /// `{"en":"No thanks","es":"No, gracias"}`
    case json
}

extension StoredValue {
    /// A number, or the milliseconds of a TIMESTAMP.
    var number: Double? { integer.map { Double($0) } ?? double }

    func isSame(as scalar: Scalar) -> Bool {
        switch scalar {
        case .bool(let value): integer == (value ? 1 : 0)
        case .number(let value): number == value
        case .string(let text): bytes.map { $0.elementsEqual(text.utf8) } ?? false
        }
    }
}
