#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A JSON document as seen by tests: members in the order received, numbers as the digits received.
///
/// Deliberately independent of the server's own reader, whose faults must not hide themselves. Equality is exact: texts by their
/// bytes ("é" composed and decomposed differ), numbers by their digits (`1` and `1.0` differ), objects by their members in any
/// order.
package enum JSON: Sendable {
    /// The result of a subscript for a missing value. Never part of a document.
    case absent
    case null
    case bool(Bool)
    /// The digits of a number, as in the document.
    case number(String)
    case string(String)
    case array([JSON])
    case object([Member])

    package struct Member: Sendable {
        package var name: String
        package var value: JSON

        package init(_ name: String, _ value: JSON) {
            self.name = name
            self.value = value
        }
    }
}

extension JSON {
    /// The member with a name; ``absent`` if there is none, and for anything except an object. The last one wins.
    package subscript(name: String) -> JSON {
        get {
            guard case .object(let members) = self else { return .absent }
            return members.last { sameBytes($0.name, name) }?.value ?? .absent
        }
        set {
            var members = self.members
            members.removeAll { sameBytes($0.name, name) }
            if newValue != .absent { members.append(Member(name, newValue)) }
            self = .object(members)
        }
    }

    /// The element at an index; ``absent`` outside the bounds, and for anything except an array.
    package subscript(index: Int) -> JSON {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return .absent }
        return elements[index]
    }

    /// Members of an object; empty for anything else.
    package var members: [Member] {
        if case .object(let members) = self { members } else { [] }
    }

    /// Names of an object's members, in byte order.
    package var names: [String] { members.map(\.name).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }

    /// Elements of an array; empty for anything else.
    package var elements: [JSON] {
        if case .array(let elements) = self { elements } else { [] }
    }

    package var isAbsent: Bool { if case .absent = self { true } else { false } }
    package var isArray: Bool { if case .array = self { true } else { false } }
    package var isObject: Bool { if case .object = self { true } else { false } }

    package var string: String? { if case .string(let text) = self { text } else { nil } }
    package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The number, if it is a whole number of 64 bits in integer notation.
    package var int64: Int64? { if case .number(let digits) = self { Int64(digits) } else { nil } }

    /// The number as the nearest double.
    package var double: Double? { if case .number(let digits) = self { Double(digits) } else { nil } }

    /// A whole number.
    package static func int(_ value: Int64) -> JSON { .number(String(value)) }

    /// A finite number, with the fewest digits that read back as the same value.
    package static func double(_ value: Double) -> JSON { .number("\(value)") }
}

extension JSON: Equatable {
    package static func == (left: JSON, right: JSON) -> Bool {
        switch (left, right) {
        case (.absent, .absent), (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.number(let a), .number(let b)), (.string(let a), .string(let b)): sameBytes(a, b)
        case (.array(let a), .array(let b)): a == b
        case (.object(let a), .object(let b)):
            a.count == b.count && left.names.elementsEqual(right.names, by: sameBytes)
                && a.allSatisfy { right[$0.name] == left[$0.name] }
        default: false
        }
    }
}

/// Byte by byte, because `==` treats canonically equivalent texts as equal.
private func sameBytes(_ left: String, _ right: String) -> Bool {
    var (left, right) = (left, right)
    return left.withUTF8 { left in
        right.withUTF8 { right in
            guard left.count == right.count, let a = left.baseAddress, let b = right.baseAddress else {
                return left.isEmpty && right.isEmpty
            }
            return memcmp(a, b, left.count) == 0
        }
    }
}

extension JSON: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    package init(nilLiteral: ()) { self = .null }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int64) { self = .int(value) }
    package init(floatLiteral value: Double) { self = .double(value) }
    package init(stringLiteral value: String) { self = .string(value) }
    package init(arrayLiteral elements: JSON...) { self = .array(elements) }

    /// Members whose value is ``absent`` are omitted, so that an optional part can be written in place.
    package init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(elements.filter { !$0.1.isAbsent }.map { Member($0.0, $0.1) })
    }
}
