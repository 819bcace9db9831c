import NephosStorage

/// Writes of the table `heads`.
final class HeadWriter {
    private let insertion: Query
    private let change: Query

    init(_ connection: Connection) {
        insertion = Query(
            connection,
            "INSERT INTO heads (\(HeadColumns.list), checksum) VALUES (\(HeadColumns.parameters), ?)")
        change = Query(
            connection,
            """
            UPDATE heads SET seq = ?, last_record_no = ?, last_zone_no = ?, last_time = ?, purged_seq = ?,
                watchers = ?, records = ?, record_bytes = ?, tombstones = ?, refs = ?, events = ?, zones = ?,
                live_zones = ?, cascades = ?, index_version = ?, trash = ?, assets = ?, asset_bytes = ?,
                rows_digest = ?, checksum = ?
            WHERE db = ?
            """)
    }

    func insert(_ head: HeadRow) throws(StorageError) {
        var cursor = try insertion.start()
        cursor.bind(head.database)
        cursor.bind(head.kind.rawValue)
        cursor.bind(head.owner)
        bindState(of: head, to: &cursor)
        try cursor.finish()
    }

    func update(_ head: HeadRow) throws(StorageError) {
        var cursor = try change.start()
        bindState(of: head, to: &cursor)
        cursor.bind(head.database)
        try cursor.finish()
    }

    private func bindState(of head: HeadRow, to cursor: inout Cursor) {
        cursor.bind(head.sequence)
        cursor.bind(head.recordNumber)
        cursor.bind(head.zoneNumber)
        cursor.bind(head.time)
        cursor.bind(head.purgedSequence)
        cursor.bind(head.watchers.rawValue)
        cursor.bind(head.records)
        cursor.bind(head.recordBytes)
        cursor.bind(head.tombstones)
        cursor.bind(head.references)
        cursor.bind(head.events)
        cursor.bind(head.zones)
        cursor.bind(head.liveZones)
        cursor.bind(head.cascades)
        cursor.bind(head.indexVersion)
        cursor.bind(head.trash)
        cursor.bind(head.assets)
        cursor.bind(head.assetBytes)
        cursor.bind(head.rowsDigest)
        cursor.bind(head.checksum)
    }
}
