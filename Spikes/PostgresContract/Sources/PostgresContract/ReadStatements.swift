import CloudKitWire
import NephosStorage

/// Columns in the order in which the rows below read them.
enum Columns {
    static let head = """
        db, kind, owner, seq, last_record_no, last_zone_no, last_time, purged_seq, watchers, records, record_bytes, \
        tombstones, refs, events, zones, live_zones
        """
    static let zone = "db, zone_no, name, state, created_seq, changed_seq, purged_seq, created_at, deleted_at"
    static let record = """
        db, record_no, zone_no, name, seq, tag_seq, type, created_at, created_by, modified_at, modified_by, parent, \
        share_root, flags, fields_epoch, ref_count, fields
        """
    static let stub = "r.db, r.zone_no, r.record_no, r.name, r.tag_seq, r.type, r.created_by, r.size, r.ref_count"
}

extension ReadSet {
    /// The statements for this set. ``Reading/take(_:from:)`` reads their results in the same order.
    var statements: [Statement] {
        var all = databases.map { Statement("SELECT \(Columns.head) FROM heads WHERE db = $1", .int($0)) }
        all += users.map(\.statement)
        all += zones.map { Statement("SELECT \(Columns.zone) FROM zones WHERE db = $1 AND \($0.filter)", $0) }
        all += zoneLists.map {
            Statement("SELECT \(Columns.zone) FROM zones WHERE db = $1 AND state = 0 ORDER BY name", .int($0))
        }
        all += records.map {
            Statement("SELECT \(Columns.record) FROM records WHERE db = $1 AND \($0.zone.place) AND name = $3", $0)
        }
        all += stubs.map {
            Statement("SELECT \(Columns.stub) FROM records r WHERE db = $1 AND \($0.zone.place) AND name = $3", $0)
        }
        all += referrers.map(\.statement)
        all += cascades.map(\.statement)
        all += feeds.flatMap(\.statements)
        all += zoneFeeds.map {
            Statement(
                """
                SELECT \(Columns.zone) FROM zones WHERE db = $1 AND changed_seq > $2
                    AND NOT (state <> 0 AND changed_seq <= $3) AND name <> $4 ORDER BY changed_seq LIMIT $5
                """, .int($0.database), .int($0.after), .int($0.deletedAfter), .name(defaultZoneName),
                .int($0.limit == .max ? .max : Int64($0.limit + 1)))
        }
        return all
    }
}

extension Statement {
    fileprivate init(_ sql: String, _ key: ZoneKey) { self.init(sql, .int(key.database), key.value) }
    fileprivate init(_ sql: String, _ key: RecordKey) {
        self.init(sql, .int(key.zone.database), key.zone.value, .name(key.name))
    }
}

extension ZoneKey {
    /// The name or the number of the zone: always `$2`.
    fileprivate var value: Value {
        switch self {
        case .name(_, let name): .name(name)
        case .number(_, let number): .int(number)
        }
    }

    /// The condition in the table of zones itself.
    fileprivate var filter: String {
        switch self {
        case .name: "name = $2 AND state = 0"
        case .number: "zone_no = $2"
        }
    }

    /// The condition in every other table: the statement itself resolves the name, which saves a round trip.
    fileprivate var place: String { "zone_no = \(number)" }
    fileprivate var number: String {
        switch self {
        case .name: "(SELECT zone_no FROM zones WHERE db = $1 AND name = $2 AND state = 0)"
        case .number: "$2::bigint"
        }
    }
}

extension UserKey {
    fileprivate var statement: Statement {
        let columns = "SELECT id, source, source_id, private_db, created_at FROM users"
        return switch self {
        case .id(let user): Statement("\(columns) WHERE id = $1", .user(user))
        case .source(let source, let id):
            Statement("\(columns) WHERE source = $1 AND source_id = $2", .int(source.rawValue), .text(id))
        }
    }
}

extension ReferrerScan {
    fileprivate var statement: Statement {
        Statement(
            """
            SELECT \(Columns.stub) FROM refs f JOIN records r ON r.db = f.db AND r.record_no = f.record_no
            WHERE f.db = $1 AND f.zone_no = \(zone.number) AND f.target = $3 AND f.kind = $4
            ORDER BY f.record_no LIMIT $5
            """, .int(zone.database), zone.value, .name(target), .int(kind.rawValue), .int(Int64(limit)))
    }
}

extension CascadeScan {
    /// `UNION` drops edges that were found before, which ends cycles. The limit applies to the recursion itself, so
    /// that the server stops when it has found enough edges.
    fileprivate var statement: Statement {
        Statement(
            """
            WITH RECURSIVE edge AS (
                SELECT f.target, \(Columns.stub) FROM refs f JOIN records r ON r.db = f.db AND r.record_no = f.record_no
                WHERE f.db = $1 AND f.zone_no = \(zone.number) AND f.kind = 1 AND f.target = ANY($3::bytea[])
                UNION
                SELECT f.target, \(Columns.stub)
                FROM edge e JOIN refs f ON f.db = e.db AND f.zone_no = e.zone_no AND f.kind = 1 AND f.target = e.name
                    JOIN records r ON r.db = f.db AND r.record_no = f.record_no)
            SELECT * FROM edge LIMIT $4
            """, .int(zone.database), zone.value, .manyBytes(roots.map(\.bytes)), .int(Int64(limit)))
    }
}

extension FeedScan {
    /// Records, then tombstones; one row more than the page of each, to determine whether there are more.
    fileprivate var statements: [Statement] {
        let side = reverse ? "seq < $3" : "seq > $3"
        let order = "ORDER BY seq \(reverse ? "DESC" : "ASC") LIMIT $4"
        let rows = Value.int(limit == .max || types != nil ? .max : Int64(limit + 1))
        return [
            Statement(
                "SELECT \(Columns.record) FROM records WHERE db = $1 AND \(zone.place) AND \(side) \(order)",
                .int(zone.database), zone.value, .int(bound), rows),
            Statement(
                """
                SELECT db, zone_no, name, seq, type, deleted_at FROM tombstones
                WHERE db = $1 AND \(zone.place) AND \(side) AND seq > $5 \(order)
                """, .int(zone.database), zone.value, .int(bound), rows, .int(tombstonesAfter)),
        ]
    }
}
