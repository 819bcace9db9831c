import NephosStorage

extension Connection {
    /// Implements ``TenantStore/sweepDeadZones(rows:)``: sweeps the first dead zone, with the lock of its head.
    func sweepDeadZones(rows: Int) throws(StorageError) -> Bool {
        let pick = "SELECT db, zone_no FROM zones WHERE state = 1 ORDER BY db, zone_no LIMIT 1"
        guard var found = try run([Statement(pick)])[0].first else { return false }
        let (database, zone) = (Value.int(try found.int()), Value.int(try found.int()))
        let answers = try run([
            Statement("BEGIN"), Statement("SELECT 1 FROM heads WHERE db = $1 FOR UPDATE", database),
            Statement(
                """
                WITH doomed AS (SELECT record_no FROM records WHERE db = $1 AND zone_no = $2 LIMIT $3),
                gone AS (
                    DELETE FROM records r USING doomed d WHERE r.db = $1 AND r.record_no = d.record_no
                    RETURNING r.record_no, size, ref_count),
                named AS (DELETE FROM refs f USING gone g WHERE f.db = $1 AND f.record_no = g.record_no)
                UPDATE heads SET records = records - (SELECT count(*) FROM gone),
                    record_bytes = record_bytes - (SELECT coalesce(sum(size), 0) FROM gone),
                    refs = refs - (SELECT coalesce(sum(ref_count), 0) FROM gone)
                WHERE db = $1 AND EXISTS (SELECT 1 FROM doomed)
                """, database, zone, .int(Int64(rows))),
            Statement(
                """
                WITH doomed AS (SELECT seq FROM tombstones WHERE db = $1 AND zone_no = $2 LIMIT $3),
                gone AS (
                    DELETE FROM tombstones t USING doomed d WHERE t.db = $1 AND t.zone_no = $2 AND t.seq = d.seq
                    RETURNING 1)
                UPDATE heads SET tombstones = tombstones - (SELECT count(*) FROM gone)
                WHERE db = $1 AND EXISTS (SELECT 1 FROM doomed)
                """, database, zone, .int(Int64(rows))),
        ])
        let wasEmpty = answers[2].touched == 0 && answers[3].touched == 0
        let swept = Statement("UPDATE zones SET state = 2 WHERE db = $1 AND zone_no = $2", database, zone)
        try run((wasEmpty ? [swept] : []) + [Statement("COMMIT")])
        return try run([Statement(pick)])[0].first != nil
    }
}
