import CloudKitWire
import NephosQueries
import NephosStorage

/// Records of a database in the order of their numbers, for those who make index entries of them. A page is bounded by
/// the rows that are looked at, by the records of wanted types among them, and by the bytes of their fields.
struct IndexedRecords {
    struct Page {
        fileprivate let rows: Rows
        fileprivate let tenant: TenantNumber
        /// How many records of wanted types it has.
        let count: Int
        /// The last record that was looked at, of any type; nil where there was none.
        let last: RecordNumber?
        /// There are records behind ``last``.
        let hasMore: Bool

        func number(_ index: Int) -> RecordNumber { rows[index].int(RecordColumns.number) }

        /// A record, and whether its zone lives.
        func record(_ index: Int) throws(StorageError) -> (row: RecordRow, isLive: Bool) {
            let row = rows[index]
            return (try row.record(tenant), row.int(RecordColumns.count) == ZoneRow.State.live.rawValue)
        }

        /// Names a record that cannot be read.
        func label(_ index: Int) -> String { "row \(tenant.database(rows[index].int(0)))/\(number(index))" }
    }

    let tenant: TenantNumber
    let database: DatabaseNumber
    let types: [TypeNumber]

    /// - Parameters:
    ///   - limit: Most rows that are looked at.
    ///   - wantedMax: Most records of ``types``.
    func page(
        _ range: ClosedRange<RecordNumber>, limit: Int, wantedMax: Int, _ transaction: Transaction
    ) throws(StorageError) -> Page {
        let stored = try tenant.stored(database)
        let rows = try transaction.run(Self.statement) {
            $0.add(stored)
            $0.add(range.lowerBound)
            $0.add(range.upperBound)
            $0.add(numbers: types.map(Int64.init))
            $0.add(Int64(limit))
            $0.add(Int64(wantedMax))
            $0.add(pageBytes)
        }
        guard let first = rows.first else { throw .failed("a page of records has no answer") }
        let count = first.isNull(RecordColumns.number) ? 0 : rows.count
        if count > 0, count < Int(first.int(RecordColumns.count + 1)) {
            // Cut by the limits: what lies between this record and the next was looked at in vain.
            let last = rows[count - 1].int(RecordColumns.number)
            return Page(rows: rows, tenant: tenant, count: count, last: last, hasMore: true)
        }
        return Page(
            rows: rows, tenant: tenant, count: count, last: first.optionalInt(RecordColumns.count + 2),
            hasMore: first.bool(RecordColumns.count + 3))
    }

    /// Chooses by the numbers and lengths alone, and then fetches what was chosen: fields are not carried along. There is
    /// a row for the page itself where it has no record.
    private static let statement = Statement(
        """
        WITH page AS MATERIALIZED (
            SELECT record_no, type = ANY($4::bigint[]) AS is_wanted, octet_length(fields) AS bytes FROM records
            WHERE db = $1 AND record_no BETWEEN $2 AND $3 ORDER BY record_no LIMIT $5
        ), found AS (
            SELECT max(record_no) AS last, count(*) FILTER (WHERE is_wanted) AS wanted FROM page
        ), chosen AS (
            SELECT record_no FROM (
                SELECT record_no, row_number() OVER before AS place, sum(bytes) OVER before - bytes AS bytes_before
                FROM page WHERE is_wanted WINDOW before AS (ORDER BY record_no ROWS UNBOUNDED PRECEDING)
            ) AS wanted
            WHERE place <= $6 AND bytes_before < $7
        )
        SELECT \(RecordColumns.list(of: "r")),
            (SELECT z.state FROM zones AS z WHERE z.db = $1 AND z.zone_no = r.zone_no),
            found.wanted, found.last,
            (SELECT true FROM records AS m WHERE m.db = $1 AND m.record_no > found.last AND m.record_no <= $3 LIMIT 1)
        FROM found LEFT JOIN chosen ON true LEFT JOIN records AS r ON r.db = $1 AND r.record_no = chosen.record_no
        ORDER BY r.record_no
        """)
}

/// Bytes of fields in a page, plus one record.
private let pageBytes: Int64 = 512 << 10
