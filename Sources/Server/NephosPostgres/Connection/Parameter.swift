import CloudKitWire
import NephosStorage

/// A value for a parameter of a statement.
protocol Parameter {
    func add(to values: inout Values)
}

/// A value in an array.
protocol ArrayMember {
    static var type: MemberType { get }
    /// Whether a member may be null.
    static var isNullable: Bool { get }
    /// Appends its length and its bytes.
    func append(to bytes: inout [UInt8])
}

extension ArrayMember {
    static var isNullable: Bool { false }
}

extension Transaction {
    /// Runs a statement before the next one whose result is needed. A failure is thrown there.
    func later<each Value: Parameter>(_ statement: Statement, _ values: repeat each Value) {
        later(Call(statement, repeat each values))
    }

    func run<each Value: Parameter>(
        _ statement: Statement, _ values: repeat each Value
    ) throws(StorageError) -> Rows {
        guard let rows = try run([Call(statement, repeat each values)]).first else {
            throw .failed("a statement has no answer")
        }
        return rows
    }
}

extension Int64: Parameter, ArrayMember {
    static var type: MemberType { .bigint }
    func add(to values: inout Values) { values.add(self) }
    func append(to bytes: inout [UInt8]) {
        bytes.append(bigEndian: Int32(8))
        bytes.append(bigEndian: self)
    }
}

extension Int32: Parameter, ArrayMember {
    static var type: MemberType { .bigint }
    func add(to values: inout Values) { values.add(Int64(self)) }
    func append(to bytes: inout [UInt8]) { Int64(self).append(to: &bytes) }
}

extension UserID: Parameter, ArrayMember {
    static var type: MemberType { .bytea }
    func add(to values: inout Values) { values.add(self) }
    func append(to bytes: inout [UInt8]) {
        bytes.append(bigEndian: Int32(16))
        bytes.append(user: self)
    }
}

extension Name: Parameter, ArrayMember {
    static var type: MemberType { .bytea }
    func add(to values: inout Values) { values.add(bytes: bytes) }
    func append(to bytes: inout [UInt8]) { self.bytes.append(to: &bytes) }
}

extension ArraySlice<UInt8>: Parameter, ArrayMember {
    static var type: MemberType { .bytea }
    func add(to values: inout Values) { values.add(bytes: self) }
    func append(to bytes: inout [UInt8]) {
        bytes.append(bigEndian: Int32(count))
        bytes.append(contentsOf: self)
    }
}

extension [UInt8]: ArrayMember {
    static var type: MemberType { .bytea }
    func append(to bytes: inout [UInt8]) { self[...].append(to: &bytes) }
}

extension String: Parameter, ArrayMember {
    static var type: MemberType { .text }
    func add(to values: inout Values) { values.add(self) }
    func append(to bytes: inout [UInt8]) {
        bytes.append(bigEndian: Int32(utf8.count))
        bytes.append(contentsOf: utf8)
    }
}

extension Optional: Parameter where Wrapped: Parameter {
    func add(to values: inout Values) {
        if let self { self.add(to: &values) } else { values.addNull() }
    }
}

extension Optional: ArrayMember where Wrapped: ArrayMember {
    static var type: MemberType { Wrapped.type }
    static var isNullable: Bool { true }
    func append(to bytes: inout [UInt8]) {
        if let self { self.append(to: &bytes) } else { bytes.append(bigEndian: Int32(-1)) }
    }
}

/// Two parameters: the lower bound, and the upper bound, which is exclusive.
extension Range<Int64>: Parameter {
    func add(to values: inout Values) {
        values.add(lowerBound)
        values.add(upperBound)
    }
}

extension Array: Parameter where Element: ArrayMember {
    func add(to values: inout Values) { values.add(members: self) }
}

extension MemberArray: Parameter {
    func add(to values: inout Values) { values.add(self) }
}
