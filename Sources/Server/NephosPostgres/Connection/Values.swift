import CloudKitWire
import NephosStorage

/// The values of a statement, `$1` the first, in PostgreSQL's binary format.
///
/// Whole numbers are `bigint` (8 big-endian bytes), names, fields and users `bytea`, everything else `text`. Arrays
/// carry the type of their members, so that a statement casts none of its parameters but those of `unnest`.
struct Values {
    /// All values, one behind the other, and a byte before them, so that a value without bytes has an address too.
    private(set) var bytes: [UInt8] = [0]
    /// Where each value ends; it begins where the last one ended, the first at 1.
    private(set) var ends: [Int] = []
    private(set) var nulls: Set<Int> = []

    var count: Int { ends.count }

    mutating func add(_ number: Int64) {
        bytes.append(bigEndian: number)
        end()
    }

    mutating func add(_ number: Int64?) {
        if let number { add(number) } else { addNull() }
    }

    /// Its bounds, as two values.
    mutating func add(_ range: Range<Int64>) {
        add(range.lowerBound)
        add(range.upperBound)
    }

    mutating func addNull() {
        nulls.insert(ends.count)
        end()
    }

    mutating func add(_ text: String) {
        bytes.append(contentsOf: text.utf8)
        end()
    }

    mutating func add(bytes value: some Collection<UInt8>) {
        bytes.append(contentsOf: value)
        end()
    }

    mutating func add(bytes value: Bytes?) {
        if let value { add(bytes: value) } else { addNull() }
    }

    mutating func add(_ name: Name) { add(bytes: name.bytes) }

    /// 16 bytes, the high word first.
    mutating func add(_ user: UserID) {
        bytes.append(user: user)
        end()
    }

    mutating func add(_ user: UserID?) {
        if let user { add(user) } else { addNull() }
    }

    // MARK: Arrays

    mutating func add(numbers: some Collection<Int64>) {
        header(count: numbers.count, hasNulls: false, type: .bigint)
        for number in numbers {
            bytes.append(bigEndian: Int32(8))
            bytes.append(bigEndian: number)
        }
        end()
    }

    mutating func add(optionalNumbers numbers: some Collection<Int64?>) {
        header(count: numbers.count, hasNulls: true, type: .bigint)
        for number in numbers {
            bytes.append(bigEndian: number == nil ? Int32(-1) : 8)
            if let number { bytes.append(bigEndian: number) }
        }
        end()
    }

    mutating func add(names: some Collection<Name>) {
        header(count: names.count, hasNulls: false, type: .bytea)
        for name in names { append(member: name.bytes) }
        end()
    }

    mutating func add(optionalNames names: some Collection<Name?>) {
        header(count: names.count, hasNulls: true, type: .bytea)
        for name in names {
            if let name { append(member: name.bytes) } else { bytes.append(bigEndian: Int32(-1)) }
        }
        end()
    }

    mutating func add(pieces: some Collection<Bytes>) {
        header(count: pieces.count, hasNulls: false, type: .bytea)
        for piece in pieces { append(member: piece) }
        end()
    }

    mutating func add(users: some Collection<UserID>) {
        header(count: users.count, hasNulls: false, type: .bytea)
        for user in users {
            bytes.append(bigEndian: Int32(16))
            bytes.append(user: user)
        }
        end()
    }

    mutating func add(texts: some Collection<String>) {
        header(count: texts.count, hasNulls: false, type: .text)
        for text in texts {
            bytes.append(bigEndian: Int32(text.utf8.count))
            bytes.append(contentsOf: text.utf8)
        }
        end()
    }

    mutating func add<Member: ArrayMember>(members: [Member]) {
        header(count: members.count, hasNulls: Member.isNullable, type: Member.type)
        for member in members { member.append(to: &bytes) }
        end()
    }

    private mutating func header(count: Int, hasNulls: Bool, type: MemberType) {
        // An array without members has no dimension.
        bytes.append(bigEndian: Int32(count == 0 ? 0 : 1))
        bytes.append(bigEndian: Int32(hasNulls ? 1 : 0))
        bytes.append(bigEndian: type.rawValue)
        guard count > 0 else { return }
        bytes.append(bigEndian: Int32(count))
        bytes.append(bigEndian: Int32(1))
    }

    mutating func add(_ array: MemberArray) {
        header(count: array.count, hasNulls: array.hasNulls, type: array.type)
        bytes.append(contentsOf: array.bytes)
        end()
    }

    private mutating func append(member: Bytes) {
        bytes.append(bigEndian: Int32(member.count))
        bytes.append(contentsOf: member)
    }

    private mutating func end() { ends.append(bytes.count) }
}

/// PostgreSQL's numbers of types (`pg_type`), which never change.
enum MemberType: Int32 {
    case bytea = 17
    case bigint = 20
    case text = 25
}

/// An array that grows member by member.
struct MemberArray {
    let type: MemberType
    private(set) var count = 0
    private(set) var hasNulls = false
    fileprivate private(set) var bytes: [UInt8] = []

    init(_ type: MemberType) { self.type = type }

    mutating func append(_ number: Int64) {
        bytes.append(bigEndian: Int32(8))
        bytes.append(bigEndian: number)
        count += 1
    }

    mutating func append(_ user: UserID) {
        bytes.append(bigEndian: Int32(16))
        bytes.append(user: user)
        count += 1
    }

    mutating func appendNull() {
        bytes.append(bigEndian: Int32(-1))
        hasNulls = true
        count += 1
    }

    mutating func append(bytes member: some Collection<UInt8>) {
        bytes.append(bigEndian: Int32(member.count))
        bytes.append(contentsOf: member)
        count += 1
    }
}

extension [UInt8] {
    mutating func append(bigEndian number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }

    mutating func append(user: UserID) {
        append(bigEndian: user.high)
        append(bigEndian: user.low)
    }
}
