import CloudKitWire
import NephosStorage

/// A value to send, in PostgreSQL's text format.
enum Value {
    case int(Int64)
    case ints([Int64])
    case bytes(Bytes)
    case manyBytes([Bytes])
    case text(String)
    case null

    static func name(_ name: Name) -> Value { .bytes(name.bytes) }
    static func name(_ name: Name?) -> Value { name.map { .bytes($0.bytes) } ?? .null }
    static func user(_ user: UserID) -> Value { .text(user.recordName) }

    /// Nil stands for NULL.
    var encoded: String? {
        switch self {
        case .int(let number): String(number)
        case .ints(let numbers): "{\(numbers.map(String.init).joined(separator: ","))}"
        case .bytes(let bytes): hexadecimal(bytes)
        case .manyBytes(let list): "{\(list.map { "\"\\\(hexadecimal($0))\"" }.joined(separator: ","))}"
        case .text(let text): text
        case .null: nil
        }
    }
}

/// One statement with its values; the first is `$1`.
struct Statement {
    var sql: String
    var values: [Value]

    init(_ sql: String, _ values: Value...) {
        self.sql = sql
        self.values = values
    }
}

private func hexadecimal(_ bytes: Bytes) -> String {
    var text: [UInt8] = Array("\\x".utf8)
    let digits = Array("0123456789abcdef".utf8)
    for byte in bytes {
        text.append(digits[Int(byte >> 4)])
        text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
}

/// The rows that a statement returned.
struct Rows {
    var cells: [[String?]] = []
    /// How many rows the statement touched.
    var touched = 0

    var first: Row? { cells.first.map(Row.init) }
    func map<Answer>(_ body: (Row) throws(StorageError) -> Answer) throws(StorageError) -> [Answer] {
        var answers: [Answer] = []
        for cell in cells { answers.append(try body(Row(cells: cell))) }
        return answers
    }
}

/// One row, read column by column from the left.
struct Row {
    private var rest: ArraySlice<String?>

    init(cells: [String?]) { rest = cells[...] }

    private mutating func text() throws(StorageError) -> String {
        guard let cell = rest.popFirst(), let cell else { throw .corrupt("a column is missing") }
        return cell
    }

    mutating func int() throws(StorageError) -> Int64 {
        guard let number = Int64(try text()) else { throw .corrupt("a column is no number") }
        return number
    }

    mutating func intOrNil() throws(StorageError) -> Int64? {
        if rest.first == .some(nil) {
            rest.removeFirst()
            return nil
        }
        return try int()
    }

    mutating func type() throws(StorageError) -> TypeNumber {
        guard let number = TypeNumber(exactly: try int()) else { throw .corrupt("a column is no type number") }
        return number
    }

    mutating func string() throws(StorageError) -> String { try text() }

    mutating func bytes() throws(StorageError) -> Bytes {
        let digits = Array(try text().utf8.dropFirst(2))
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        func value(_ digit: UInt8) -> UInt8 { digit < 58 ? digit - 48 : digit - 87 }
        for index in stride(from: 0, to: digits.count, by: 2) {
            bytes.append(value(digits[index]) << 4 | value(digits[index + 1]))
        }
        return bytes[...]
    }

    mutating func name() throws(StorageError) -> Name { Name(bytes: try bytes()) }

    mutating func nameOrNil() throws(StorageError) -> Name? {
        if rest.first == .some(nil) {
            rest.removeFirst()
            return nil
        }
        return try name()
    }

    mutating func user() throws(StorageError) -> UserID {
        guard let user = UserID(recordName: try text()) else { throw .corrupt("a column is no user") }
        return user
    }

    mutating func userOrNil() throws(StorageError) -> UserID? {
        if rest.first == .some(nil) {
            rest.removeFirst()
            return nil
        }
        return try user()
    }

    mutating func kind<Kind: RawRepresentable>(_: Kind.Type) throws(StorageError) -> Kind
    where Kind.RawValue == Int64 {
        guard let kind = Kind(rawValue: try int()) else { throw .corrupt("a column holds an unknown kind") }
        return kind
    }
}
