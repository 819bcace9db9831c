import Foundation

extension PredicateTree {
    /// A format without arguments that is parsed as an equal tree. Archives of queries and subscriptions contain it.
    var predicateText: String {
        switch self {
        case .always: "TRUEPREDICATE"
        case .never: "FALSEPREDICATE"
        case .comparison(let comparison): comparison.predicateText
        case .distance(let distance): distance.predicateText
        case .search(let search): search.predicateText
        case .not(let tree): "NOT (\(tree.predicateText))"
        case .and(let parts): parts.map(\.bracketedText).joined(separator: " AND ")
        case .or(let parts): parts.map(\.bracketedText).joined(separator: " OR ")
        case .unsupported(let reason): "UNSUPPORTEDPREDICATE(\(quoted(reason)))"
        case .malformed(let reason): "MALFORMEDPREDICATE(\(quoted(reason)))"
        }
    }

    private var bracketedText: String {
        switch self {
        case .and, .or: "(\(predicateText))"
        default: predicateText
        }
    }
}

extension PredicateComparison {
    fileprivate var predicateText: String {
        let letters = String(PredicateOptions.letters.filter { options.contains($0.1) }.map(\.0))
        let relation = letters.isEmpty ? relation.rawValue : "\(relation.rawValue)[\(letters)]"
        let words = [quantifier.rawValue, left.predicateText, relation, right.predicateText]
        return words.filter { !$0.isEmpty }.joined(separator: " ")
    }
}

extension PredicateDistance {
    fileprivate var predicateText: String {
        let arguments = "\(fieldText(field)), \(PredicateConstant.location(place).predicateText)"
        return "distanceToLocation:fromLocation:(\(arguments)) \(relation.rawValue) \(metres)"
    }
}

extension PredicateSearch {
    fileprivate var predicateText: String {
        let place = field.map(fieldText) ?? Self.everyField
        return wantsAll
            ? "ALL tokenize(\(quoted(text)), 'Cdl') IN \(place)" : "\(place) TOKENMATCHES[cdl] \(quoted(text))"
    }
}

extension PredicateOperand {
    fileprivate var predicateText: String {
        switch self {
        case .field(let name): fieldText(name)
        case .itself: "SELF"
        case .constant(let constant): constant.predicateText
        case .unsupported(let reason): cast(quoted(reason), "UNSUPPORTED")
        }
    }
}

extension PredicateConstant {
    var predicateText: String {
        switch self {
        case .string(let text): quoted(text)
        case .int64(let number): "\(number)"
        case .double(let number): "\(number)"
        case .timestamp(let milliseconds): cast("\(milliseconds)", "TIMESTAMP")
        case .bytes(let bytes): cast(quoted(Data(bytes).base64EncodedString()), "BYTES")
        case .reference(let reference):
            cast(
                "{\(quoted(reference.recordName)), \(quoted(reference.zoneName)), \(quoted(reference.ownerName))}",
                "REFERENCE")
        case .location(let place): cast("{\(place.latitude), \(place.longitude)}", "LOCATION")
        case .list(let elements): "{\(elements.map(\.predicateText).joined(separator: ", "))}"
        case .now: "now()"
        case .null: "NULL"
        }
    }
}

private func cast(_ value: String, _ type: String) -> String { "CAST(\(value), '\(type)')" }

private func quoted(_ text: String) -> String {
    var quoted = "'".unicodeScalars
    for scalar in text.unicodeScalars {
        if scalar == "'" || scalar == "\\" { quoted.append("\\") }
        quoted.append(scalar)
    }
    quoted.append("'")
    return String(quoted)
}

/// Returns the text of a field's name. A name that could be parsed as something else is written as
/// `CAST('name', 'KEY')`.
private func fieldText(_ name: String) -> String {
    let isPlain = name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
        guard let first = part.utf8.first, !("0"..."9").contains(Unicode.Scalar(first)) else { return false }
        return part.utf8.allSatisfy {
            $0 == UInt8(ascii: "_") || $0 < 0x80 && Unicode.Scalar($0).properties.isAlphabetic
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        }
    }
    let beginsWithSelf = name.uppercased().hasPrefix("SELF.")
    return isPlain && !beginsWithSelf && !PredicateKeyword.isReserved(name) ? name : cast(quoted(name), "KEY")
}
