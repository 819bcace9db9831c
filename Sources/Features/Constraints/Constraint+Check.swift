import Audience
import CloudKitWire
import NephosStorage

extension TypeConstraints {
    /// The constraint that a record breaks by itself, and the message; nil if it breaks none.
    func violation(in fields: Bytes) -> (constraint: Constraint, reason: String)? {
        let values = values(in: fields)
        return violation(in: values) ?? backwards(in: values)
    }

    /// The first value that breaks its constraint.
    func violation(in values: Values) -> (constraint: Constraint, reason: String)? {
        for checked in checked where checked.concerns(values) {
            let constraint = checked.constraint
            if let reason = constraint.violation(values[checked.fields[0]], type) {
                return (constraint, constraint.message ?? reason)
            }
        }
        return nil
    }
}

extension Constraint {
    /// What is wrong; nil for nothing, and for claims.
    fileprivate func violation(_ value: StoredValue?, _ type: Name) -> String? {
        guard let field = fields.first else { return nil }
        guard let value else {
            switch rule {
            case .required, .notEmpty: return "\(field) of \(type) must have a value"
            default: return nil
            }
        }
        switch rule {
        case .required, .exists, .atMost, .noOverlap: return nil
        case .notEmpty: return value.isEmpty ? "\(field) of \(type) must not be empty" : nil
        case .boolean:
            return value.integer == 0 || value.integer == 1 ? nil : "\(field) of \(type) must be 0 or 1"
        case .oneOf(let scalars):
            guard !value.allSatisfy({ $0.isAny(of: scalars) }) else { return nil }
            return
                "\(field) of \(type) must be one of: \(scalars.prefix(20).map(\.description).joined(separator: ", "))"
        case .range(let range):
            guard !value.allSatisfy({ $0.number.map(range.contains) ?? false }) else { return nil }
            return "\(field) of \(type) must be \(range.description)"
        case .length(let lengths):
            guard !lengths.contains(value.length) else { return nil }
            let most =
                lengths.upperBound == Int(Int32.max)
                ? "at least \(lengths.lowerBound)" : "\(lengths.lowerBound) to \(lengths.upperBound)"
            return "\(field) of \(type) must have \(most) \(value.unit), not \(value.length)"
        case .localized(let languages, let form):
            let texts = form.texts(in: value)
            let missing = languages.filter { texts[$0, default: ""].allSatisfy(\.isWhitespace) }
            guard !missing.isEmpty else { return nil }
            return
                "\(field) of \(type) must have a text in \(missing.joined(separator: ", ")), in the form \(form.example)"
        }
    }
}

extension StoredValue {
    /// Whether a condition is true for all elements of a list, or for a single value.
    fileprivate func allSatisfy(_ holds: (StoredValue) -> Bool) -> Bool {
        type.isList ? elements.allSatisfy(holds) : holds(self)
    }

    fileprivate func isAny(of scalars: [Scalar]) -> Bool {
        guard type == .string else { return scalars.contains { isSame(as: $0) } }
        // The bytes are extracted only once.
        guard let bytes else { return false }
        return scalars.contains { scalar in
            guard case .string(let text) = scalar, text.utf8.count == bytes.count else { return false }
            return bytes.elementsEqual(text.utf8)
        }
    }

    /// The elements of a list.
    private var elements: [StoredValue] {
        var elements: [StoredValue] = []
        forEachElement { elements.append($0) }
        return elements
    }

    /// The number of characters of a text (Unicode scalars), of bytes, or of elements.
    fileprivate var length: Int {
        if type.isList { return elements.count }
        guard let bytes else { return 0 }
        // Counts all bytes of UTF-8 except continuation bytes.
        return type == .string ? bytes.count { $0 & 0xC0 != 0x80 } : bytes.count
    }

    fileprivate var unit: String { type.isList ? "elements" : type == .bytes ? "bytes" : "characters" }

    /// A text that consists of white space is empty.
    fileprivate var isEmpty: Bool {
        switch type {
        case .string: bytes.map { String(decoding: $0, as: UTF8.self).allSatisfy(\.isWhitespace) } ?? true
        case .bytes: bytes?.isEmpty ?? true
        default: type.isList && elements.isEmpty
        }
    }
}

extension LocalizedForm {
    fileprivate var example: String {
        switch self {
        case .packed: "en=…|es=…"
        case .json: #"{"en":"…","es":"…"}"#
        }
    }

    /// By language.
    fileprivate func texts(in value: StoredValue) -> [String: String] {
        guard value.type == .string, let bytes = value.bytes else { return [:] }
        switch self {
        case .packed:
            let pairs = bytes.split(separator: UInt8(ascii: "|")).compactMap { part -> (String, String)? in
                guard let sign = part.firstIndex(of: UInt8(ascii: "=")) else { return nil }
                return (
                    String(decoding: part[..<sign], as: UTF8.self),
                    String(decoding: part[part.index(after: sign)...], as: UTF8.self)
                )
            }
            return Dictionary(pairs) { first, _ in first }
        case .json:
            var texts: [String: String] = [:]
            do throws(WireError) {
                var json = try JSONReader(bytes)
                try json.readObject { json, key throws(WireError) in
                    texts[key.name.text] = String(decoding: try json.readString(), as: UTF8.self)
                }
                try json.finish()
            } catch {
                return [:]
            }
            return texts
        }
    }
}
