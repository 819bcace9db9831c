import CLibPQ
import NephosStorage
import Synchronization

/// One connection over libpq. It belongs to one thread at a time.
final class Connection: @unchecked Sendable {
    private let raw: OpaquePointer
    /// How often it waited for the server.
    private(set) var roundTrips = 0
    private(set) var statements = 0

    /// - Parameter place: The schema of the tables that statements name.
    init(_ conninfo: String, place: String) throws(StorageError) {
        guard let raw = PQconnectdb(conninfo), PQstatus(raw) == CONNECTION_OK else {
            throw .failed("no connection to PostgreSQL: \(conninfo)")
        }
        self.raw = raw
        try run([Statement("SET client_min_messages = warning")])
        try run([Statement("SET search_path = \(place)")])
    }

    deinit { PQfinish(raw) }

    /// libpq's PG_DIAG_SQLSTATE, a macro that Swift cannot import.
    private static let stateField = Int32(UInt8(ascii: "C"))

    /// Sends all statements together and reads all results: one round trip, in libpq's pipeline mode. The server
    /// runs them one after the other, and with READ COMMITTED each sees what was committed before it began.
    ///
    /// If one fails, those after it are not run.
    @discardableResult
    func run(_ statements: [Statement]) throws(StorageError) -> [Rows] {
        roundTrips += 1
        self.statements += statements.count
        guard PQenterPipelineMode(raw) == 1 else { throw failure() }
        for statement in statements { try send(statement) }
        guard PQpipelineSync(raw) == 1 else { throw failure() }
        var answers: [Rows] = []
        var failed: StorageError?
        for _ in statements {
            guard let result = PQgetResult(raw) else { throw failure() }
            answers.append(read(result, &failed))
            PQclear(result)
            // The results of each statement end with a null.
            _ = PQgetResult(raw)
        }
        PQclear(PQgetResult(raw))
        guard PQexitPipelineMode(raw) == 1 else { throw failure() }
        if let failed { throw failed }
        return answers
    }

    private func send(_ statement: Statement) throws(StorageError) {
        let texts: [[CChar]?] = statement.values.map { $0.encoded.map { Array($0.utf8CString) } }
        let bytes = texts.map { $0 ?? [0] }
        var flat: [CChar] = []
        var offsets: [Int?] = []
        for (text, kept) in zip(texts, bytes) {
            offsets.append(text == nil ? nil : flat.count)
            flat += kept
        }
        let sent = flat.withUnsafeBufferPointer { buffer in
            let pointers = offsets.map { offset in offset.flatMap { buffer.baseAddress?.advanced(by: $0) } }
            return PQsendQueryParams(raw, statement.sql, Int32(pointers.count), nil, pointers, nil, nil, 0)
        }
        guard sent == 1 else { throw failure() }
    }

    private func read(_ result: OpaquePointer, _ failed: inout StorageError?) -> Rows {
        var rows = Rows()
        switch PQresultStatus(result) {
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK:
            rows.touched = Int(String(cString: PQcmdTuples(result))) ?? 0
            for row in 0..<PQntuples(result) {
                rows.cells.append(
                    (0..<PQnfields(result)).map { column in
                        PQgetisnull(result, row, column) == 1 ? nil : String(cString: PQgetvalue(result, row, column))
                    })
            }
        case PGRES_PIPELINE_ABORTED: break
        default:
            let state = PQresultErrorField(result, Self.stateField).map { String(cString: $0) }
            if state == "40P01" { Measures.now.withLock { $0.deadlocks += 1 } }
            failed = failed ?? .failed("\(state ?? ""): \(String(cString: PQresultErrorMessage(result)))")
        }
        return rows
    }

    private func failure() -> StorageError { .failed(String(cString: PQerrorMessage(raw))) }
}
