import CLibPQ
import CloudKitWire
import NephosStorage

/// The result of a statement.
final class Rows {
    fileprivate let result: OpaquePointer
    let count: Int

    /// - Parameter result: Owned by this object from here on.
    init(_ result: OpaquePointer) {
        self.result = result
        count = Int(PQntuples(result))
    }

    deinit { PQclear(result) }

    /// The number of rows that a statement has written.
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

/// One row of a result. Columns count from 0.
struct Row: AnswerRow {
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

    /// A `boolean`.
    func bool(_ column: Int32) -> Bool { raw(column).first == 1 }

    func raw(_ column: Int32) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column)))
    }

    func database(_ column: Int32) -> DatabaseNumber { TenantNumber.database(int(column)) }

    func row<Stored: StoredRow>(_ type: Stored.Type) throws(StorageError) -> Stored {
        try stored(type, .none)
    }
}
