import NephosQueries
import NephosStorage

/// The number of records of a database, and everything that a query can find if the database is small: such a query needs
/// only one round trip.
struct QueryStart {
    /// The number of records of the database, and the bytes of their names and fields.
    let records, bytes: Int64
    /// All records of the type by zone, possibly of more zones than needed; nil if they were not read.
    let whole: [ZoneNumber: [RecordRow]]?

    static func call(_ scan: QueryScan, _ tenant: TenantNumber) throws(StorageError) -> Call {
        let type = scan.mayReadWhole ? scan.type : nil
        return switch scan.extent {
        case .database(let database): Call(ofDatabase, try tenant.stored(database), type)
        case .zone(let key): Call(ofZone, try key.place(tenant), type)
        }
    }

    /// - Parameter rows: The result of ``call(_:_:)``.
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

    /// A row with only the count, or one for each record.
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

    /// Maximum size of names and fields that are read ahead.
    private static let wholeBytesMax = 1 << 20
}

extension QueryScan {
    /// Whether all records of a small database may be read. A query by record names only looks these up.
    fileprivate var mayReadWhole: Bool { !conditions.contains { $0.fields == [.recordName] } }
}
