import Audience
import CloudKitWire
import NephosStorage

/// What must hold of the records of one type (docs/constraints.md). A class, since every save hands on those of its types.
final class Constraint: Sendable, Equatable {
    enum Rule: Sendable, Equatable {
        case required
        /// There, and with something in it.
        case notEmpty
        case boolean
        case oneOf([Scalar])
        case range(ValueRange)
        case length(ClosedRange<Int>)
        case localized([String], LocalizedForm)
        /// The record that a reference names is there when the reference is saved.
        case exists
        /// At most so many records, of those whose fields are the same.
        case atMost(Int)
        /// Records whose fields are the same do not overlap in the times, or numbers, of two others. With drafts, those without a start hold
        /// nothing; else they are from always on.
        case noOverlap(start: Name, end: Name, hasDrafts: Bool)
    }

    /// The word in the settings: `unique` and `atMost` are one rule.
    let word: String
    let rule: Rule
    /// The field that it is about; of claims, those whose values make records rivals: none for all records of the type.
    let fields: [Name]
    /// It is about records whose fields have these values only.
    let condition: [FieldCondition]
    /// What is told to whoever breaks it; nil for words of ours.
    let message: String?
    /// Where it stands in the settings, such as `Commun[0]`.
    let place: String
    /// Tells it from all that mean something else, also in other versions of the settings.
    let id: Int64
    /// All fields that it looks at.
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

    /// Kept in rows of its own, since it is about more than one record.
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

/// That a field has a value.
struct FieldCondition: Sendable, Equatable {
    let field: Name
    let value: Scalar

    func holds(of stored: StoredValue?) -> Bool { stored?.isSame(as: value) ?? false }
}

/// From a number or a moment to another, both of which belong to it.
struct ValueRange: Sendable, Equatable {
    /// Numbers, or milliseconds since 1970.
    let min, max: Double?
    /// As they were written.
    let description: String

    func contains(_ value: Double) -> Bool { (min.map { $0 <= value } ?? true) && (max.map { value <= $0 } ?? true) }
}

/// How a STRING holds a text in several languages.
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
