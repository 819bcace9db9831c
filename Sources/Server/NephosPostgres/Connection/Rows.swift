import CLibPQ
import CloudKitWire
import NephosStorage

/// What a statement answered.
final class Rows {
    fileprivate let result: OpaquePointer
    let count: Int

    /// - Parameter result: Owned from here on.
    init(_ result: OpaquePointer) {
        self.result = result
        count = Int(PQntuples(result))
    }

    deinit { PQclear(result) }

    /// How many rows a statement that writes has touched.
    var touched: Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }

    subscript(_ index: Int) -> Row { Row(self, Int32(index)) }

    var first: Row? { count > 0 ? self[0] : nil }

    func forEach(_ body: (Row) throws(StorageError) -> Void) throws(StorageError) {
        for index in 0..<count { try body(self[index]) }
    }

    func map<Answer>(_ body: (Row) throws(StorageError) -> Answer) throws(StorageError) -> [Answer] {
        var answers: [Answer] = []
        answers.reserveCapacity(count)
        for index in 0..<count { answers.append(try body(self[index])) }
        return answers
    }
}

/// One row of an answer. Columns count from 0.
struct Row {
    private let rows: Rows
    private let row: Int32

    fileprivate init(_ rows: Rows, _ row: Int32) {
        self.rows = rows
        self.row = row
    }

    private var result: OpaquePointer { rows.result }

    func isNull(_ column: Int32) -> Bool { PQgetisnull(result, row, column) == 1 }

    /// A `bigint`; 0 for null.
    func int(_ column: Int32) -> Int64 {
        let raw = raw(column)
        return raw.count == 8 ? Int64(bigEndian: raw.loadUnaligned(as: Int64.self)) : 0
    }

    func optionalInt(_ column: Int32) -> Int64? { isNull(column) ? nil : int(column) }

    /// A `boolean`.
    func bool(_ column: Int32) -> Bool { raw(column).first == 1 }

    /// The value's bytes; none for null. Valid as long as the row is.
    func raw(_ column: Int32) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column)))
    }

    func bytes(_ column: Int32) -> [UInt8] { [UInt8](raw(column)) }

    func optionalBytes(_ column: Int32) -> [UInt8]? { isNull(column) ? nil : bytes(column) }

    func name(_ column: Int32) -> Name { Name(bytes: bytes(column)[...]) }

    func optionalName(_ column: Int32) -> Name? { isNull(column) ? nil : name(column) }

    func string(_ column: Int32) -> String { String(decoding: raw(column), as: UTF8.self) }

    /// - Throws: ``StorageError/corrupt(_:)`` for anything but 16 bytes.
    func user(_ column: Int32) throws(StorageError) -> UserID {
        try UserID(stored: raw(column))
    }

    func optionalUser(_ column: Int32) throws(StorageError) -> UserID? {
        isNull(column) ? nil : try user(column)
    }

    /// A number that stands for a case of `Kind`. - Throws: ``StorageError/corrupt(_:)`` for any other.
    func kind<Kind: RawRepresentable<Int64>>(_ column: Int32, of type: Kind.Type) throws(StorageError) -> Kind {
        let number = int(column)
        guard let kind = Kind(rawValue: number) else { throw .corrupt("\(number) is no \(type)") }
        return kind
    }

    /// A `bigint` that is 0 or 1. - Throws: ``StorageError/corrupt(_:)`` for any other.
    func flag(_ column: Int32) throws(StorageError) -> Bool {
        guard let flag = Bool(stored: int(column)) else { throw .corrupt("\(int(column)) is neither 0 nor 1") }
        return flag
    }

    /// - Throws: ``StorageError/corrupt(_:)`` for a number that no type can have.
    func type(_ column: Int32) throws(StorageError) -> TypeNumber {
        let number = int(column)
        guard let type = TypeNumber(exactly: number) else { throw .corrupt("\(number) is no type number") }
        return type
    }
}
