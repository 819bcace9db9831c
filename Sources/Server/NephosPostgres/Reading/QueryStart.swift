import NephosQueries
import NephosStorage

/// How many records a database has, and all that a query can be about where that is little: such a query is answered in
/// one round trip.
struct QueryStart {
    /// Records of the database, and the bytes of their names and fields.
    let records, bytes: Int64
    /// The records of the type by zone, or more; nil where they were not read.
    let whole: [ZoneNumber: [RecordRow]]?

    static func call(_ scan: QueryScan, _ tenant: TenantNumber) throws(StorageError) -> Call {
        let type = scan.mayReadWhole ? scan.type : nil
        return switch scan.extent {
        case .database(let database): Call(ofDatabase, try tenant.stored(database), type)
        case .zone(let key): Call(ofZone, try key.place(tenant), type)
        }
    }

    /// - Parameter rows: The answer of ``call(_:_:)``.
    init(_ rows: Rows, _ scan: QueryScan, _ tenant: TenantNumber) throws(StorageError) {
        records = rows.first?.int(RecordColumns.count) ?? 0
        bytes = rows.first?.int(RecordColumns.count + 2) ?? 0
        guard scan.mayReadWhole, rows.first?.bool(RecordColumns.count + 1) == true else {
            whole = nil
            return
        }
        let page = RecordPage(rows, tenant)
        var whole: [ZoneNumber: [RecordRow]] = [:]
        for index in 0..<rows.count where !rows[index].isNull(RecordColumns.number) {
            let record = try page.record(index)
            whole[record.zone, default: []].append(record)
        }
        self.whole = whole
    }

    private static let ofDatabase = Statement(statement("type = $2"))
    private static let ofZone = Statement(statement("type = $4 AND zone_no = \(ZonePlace.number)"))

    /// A row with the count alone, or one for each record.
    private static func statement(_ condition: String) -> String {
        """
        SELECT \(RecordColumns.list(of: "r")), h.records, h.is_small, h.record_bytes
        FROM (
            SELECT records, record_bytes, records <= \(QueryWalk.smallDatabase) AND record_bytes <= \(wholeBytesMax) AS is_small
            FROM heads WHERE db = $1
        ) AS h
        LEFT JOIN LATERAL (
            SELECT * FROM records WHERE h.is_small AND db = $1 AND \(condition) LIMIT \(QueryWalk.smallDatabase)
        ) AS r ON true
        """
    }

    /// Names and fields that are read in case they are asked for.
    private static let wholeBytesMax = 1 << 20
}

extension QueryScan {
    /// Whether a small database is looked through. A query for some names only looks them up.
    fileprivate var mayReadWhole: Bool { !conditions.contains { $0.fields == [.recordName] } }
}
