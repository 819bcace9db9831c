import CloudKitWire
import NephosStorage

/// Writes of the table `heads`.
enum HeadWriter {
    private static let insertion = Statement(
        """
        INSERT INTO heads (
            seq, last_record_no, last_zone_no, last_time, purged_seq, watchers, records, record_bytes, tombstones, refs,
            events, zones, live_zones, cascades, index_version, trash, assets, asset_bytes, rows_digest, checksum, db,
            kind, owner
        ) VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15,$16,$17,$18,$19,$20,$21,$22,$23)
        """)

    private static let change = Statement(
        Guard.touching(
            one: """
                UPDATE heads SET seq = $1, last_record_no = $2, last_zone_no = $3, last_time = $4, purged_seq = $5,
                    watchers = $6, records = $7, record_bytes = $8, tombstones = $9, refs = $10, events = $11,
                    zones = $12, live_zones = $13, cascades = $14, index_version = $15, trash = $16, assets = $17,
                    asset_bytes = $18, rows_digest = $19, checksum = $20
                WHERE db = $21 RETURNING 1
                """))

    static func insert(
        _ head: HeadRow, _ tenant: TenantNumber, _ transaction: Transaction
    ) throws(StorageError) {
        let stored = try tenant.stored(head.database)
        transaction.later(insertion) {
            $0.addState(of: head)
            $0.add(stored)
            $0.add(head.kind.rawValue)
            $0.add(head.owner)
        }
    }

    static func update(
        _ head: HeadRow, _ tenant: TenantNumber, _ transaction: Transaction
    ) throws(StorageError) {
        let stored = try tenant.stored(head.database)
        transaction.later(change) {
            $0.addState(of: head)
            $0.add(stored)
        }
    }
}

extension Values {
    fileprivate mutating func addState(of head: HeadRow) {
        for number in [
            head.sequence, head.recordNumber, head.zoneNumber, head.time, head.purgedSequence, head.watchers.rawValue,
            head.records, head.recordBytes, head.tombstones, head.references, head.events, head.zones, head.liveZones,
            head.cascades, head.indexVersion, head.trash, head.assets, head.assetBytes, head.rowsDigest, head.checksum,
        ] { add(number) }
    }
}
