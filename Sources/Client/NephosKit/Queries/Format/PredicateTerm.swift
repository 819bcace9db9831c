import Foundation

/// One side of a comparison during parsing. Some functions have a meaning only together with the other side.
enum PredicateTerm {
    case operand(PredicateOperand)
    /// `distanceToLocation:fromLocation:(field, place)`.
    case distance(field: String, place: PredicatePlace)
    /// `tokenize(text, 'Cdl')`.
    case words(String)

    enum Relation {
        case of(PredicateComparison.Relation)
        case tokenMatches
    }

    /// The term as an operand. A function that needs a counterpart on the other side is unsupported without it.
    var operand: PredicateOperand {
        switch self {
        case .operand(let operand): operand
        case .distance: .unsupported("a distance must be compared with a number of meters")
        case .words: .unsupported("tokenize: must precede IN or follow CONTAINS")
        }
    }

    static func compare(
        _ quantifier: PredicateComparison.Quantifier, _ left: PredicateTerm, _ relation: Relation,
        _ options: PredicateOptions, _ right: PredicateTerm
    ) -> PredicateTree {
        if let search = search(quantifier, left, relation, right) { return .search(search) }
        guard case .of(let relation) = relation else {
            return .unsupported("TOKENMATCHES compares allTokens or a field with a string")
        }
        if quantifier == .one, options.isEmpty, let distance = distance(left, relation, right) {
            return .distance(distance)
        }
        return .comparison(
            PredicateComparison(
                quantifier: quantifier, left: left.operand, relation: relation, options: options, right: right.operand))
    }

    // MARK: Searches

    private static func search(
        _ quantifier: PredicateComparison.Quantifier, _ left: PredicateTerm, _ relation: Relation,
        _ right: PredicateTerm
    ) -> PredicateSearch? {
        switch (quantifier, left, relation, right) {
        case (.one, .operand(let place), .tokenMatches, .operand(.constant(.string(let text)))),
            (.one, .operand(let place), .tokenMatches, .words(let text)),
            (.one, .operand(let place), .of(.contains), .words(let text)),
            (.any, .words(let text), .of(.isIn), .operand(let place)):
            return search(place, text, wantsAll: false)
        case (.all, .words(let text), .of(.isIn), .operand(let place)):
            return search(place, text, wantsAll: true)
        case (.one, .operand(let place), .of(.contains), .operand(.constant(.string(let text)))):
            // After the name of a field, CONTAINS looks for an element of a list instead.
            guard let search = search(place, text, wantsAll: false), search.field == nil else { return nil }
            return search
        default: return nil
        }
    }

    private static func search(_ place: PredicateOperand, _ text: String, wantsAll: Bool) -> PredicateSearch? {
        switch place {
        case .itself, .field(PredicateSearch.everyField): PredicateSearch(text: text, wantsAll: wantsAll)
        case .field(let name): PredicateSearch(field: name, text: text, wantsAll: wantsAll)
        case .constant, .unsupported: nil
        }
    }

    static func words(_ arguments: [PredicateTerm]) -> PredicateTerm {
        guard let first = arguments.first, arguments.count <= 2, case .constant(.string(let text)) = first.operand
        else { return .operand(.unsupported("tokenize: takes a string and options")) }
        return .words(text)
    }

    // MARK: Distances

    private static func distance(
        _ left: PredicateTerm, _ relation: PredicateComparison.Relation, _ right: PredicateTerm
    ) -> PredicateDistance? {
        if case .operand = left {
            guard case .distance = right, let flipped = relation.flipped else { return nil }
            return distance(right, flipped, left)
        }
        guard case .distance(let field, let place) = left, let metres = right.number else { return nil }
        switch relation {
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            return PredicateDistance(field: field, place: place, relation: relation, metres: metres)
        default: return nil
        }
    }

    static func distance(_ arguments: [PredicateTerm]) -> PredicateTerm {
        let operands = arguments.map(\.operand)
        if operands.count == 2 {
            switch (operands[0], operands[1]) {
            case (.field(let field), .constant(.location(let place))),
                (.constant(.location(let place)), .field(let field)):
                return .distance(field: field, place: place)
            default: break
            }
        }
        return .operand(.unsupported("distanceToLocation:fromLocation: takes a field and a location"))
    }

    private var number: Double? {
        switch operand {
        case .constant(.int64(let number)): Double(number)
        case .constant(.double(let number)): number
        default: nil
        }
    }

    // MARK: Constants

    static func now(_ arguments: [PredicateTerm]) -> PredicateTerm {
        .operand(arguments.isEmpty ? .constant(.now) : .unsupported("now() takes no arguments"))
    }

    /// Reads constants that have no literal: `CAST(value, 'TYPE')`. The type `NSDate` is Apple's own spelling.
    static func cast(_ arguments: [PredicateTerm]) -> PredicateOperand {
        guard arguments.count == 2, case .constant(.string(let type)) = arguments[1].operand else {
            return .unsupported("CAST takes a value and the name of a type")
        }
        switch (type, arguments[0].operand) {
        case ("KEY", .constant(.string(let name))): return .field(name)
        case ("UNSUPPORTED", .constant(.string(let reason))): return .unsupported(reason)
        case (_, .constant(let value)):
            if let constant = cast(value, type) { return .constant(constant) }
        default: break
        }
        return .unsupported("a value cannot be cast to '\(type)'")
    }

    private static func cast(_ value: PredicateConstant, _ type: String) -> PredicateConstant? {
        switch (type, value) {
        case ("TIMESTAMP", .int64(let milliseconds)): return .timestamp(milliseconds)
        case ("NSDate", .int64(let seconds)): return date(Double(seconds))
        case ("NSDate", .double(let seconds)): return date(seconds)
        case ("BYTES", .string(let text)): return Data(base64Encoded: text).map { .bytes(Array($0)) }
        case ("LOCATION", .list(let parts)):
            guard parts.count == 2, case .double(let latitude) = parts[0], case .double(let longitude) = parts[1]
            else { return nil }
            return PredicatePlace(latitude: latitude, longitude: longitude).map { .location($0) }
        case ("REFERENCE", .list(let parts)):
            guard parts.count == 3, case .string(let name) = parts[0], case .string(let zone) = parts[1],
                case .string(let owner) = parts[2]
            else { return nil }
            return .reference(PredicateReference(recordName: name, zoneName: zone, ownerName: owner))
        default: return nil
        }
    }

    private static func date(_ seconds: Double) -> PredicateConstant? {
        PredicateConstant(secondsSince1970: seconds + Date.timeIntervalBetween1970AndReferenceDate)
    }
}

extension PredicateSearch {
    /// The name of all searchable fields together, in predicates and in ``PredicateSubject/value(ofField:)``.
    static let everyField = "allTokens"
}
