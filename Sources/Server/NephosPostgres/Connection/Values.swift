import CloudKitWire
import NephosStorage

/// The values of a statement, `$1` first, in PostgreSQL's binary format.
///
/// Integers are `bigint` (8 big-endian bytes), names, fields and users `bytea`, everything else `text`. Arrays contain the
/// type of their members, so that a statement casts none of its parameters except those of `unnest`.
struct Values {
    /// All values, one after the other, and a byte before them, so that a value without bytes has an address, too.
    private(set) var bytes: [UInt8] = [0]
    /// Where each value ends; it begins where the previous one ends, the first at 1.
    private(set) var ends: [Int] = []
    private(set) var nulls: Set<Int> = []

    var count: Int { ends.count }

    mutating func add(_ number: Int64) {
        bytes.append(bigEndian: number)
        end()
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

    mutating func add(_ name: Name) { add(bytes: name.bytes) }

    /// 16 bytes, the high word first.
    mutating func add(_ user: UserID) {
        bytes.append(user: user)
        end()
    }

    // MARK: Arrays

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

    private mutating func end() { ends.append(bytes.count) }
}

/// PostgreSQL's type numbers (`pg_type`), which never change.
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

    mutating func append(_ member: some ArrayMember) {
        member.append(to: &bytes)
        count += 1
    }

    mutating func appendNull() {
        bytes.append(bigEndian: Int32(-1))
        hasNulls = true
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
