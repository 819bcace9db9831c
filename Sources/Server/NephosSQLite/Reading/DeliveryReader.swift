import NephosStorage

/// Reads of the table `deliveries` in orders of their own. One process writes a file at a time, so that nothing need be locked.
final class DeliveryReader {
    private let waiting: Query
    private let toSend: Query
    private let ofDevice: Query

    init(_ connection: Connection) {
        let columns = TableSQL.list(DeliveryRow.table)
        waiting = Query(
            connection,
            """
            SELECT \(columns) FROM deliveries WHERE db = ? AND device = ? AND leased_until <= ?
            ORDER BY due_at, source_db, seq, subscription, slot LIMIT ?
            """)
        toSend = Query(
            connection,
            """
            SELECT \(columns) FROM deliveries INDEXED BY deliveries_to_send
            WHERE channel <> 1 AND channel = ?1 AND due_at <= ?2 AND leased_until <= ?2
            ORDER BY due_at, created_at LIMIT ?3
            """)
        ofDevice = Query(
            connection,
            """
            SELECT \(columns) FROM deliveries WHERE db = ? AND device = ?
            ORDER BY created_at DESC, source_db, subscription, slot LIMIT ?
            """)
    }

    func rows(_ scan: DeliveryScan) throws(StorageError) -> [DeliveryRow] {
        var rows: [DeliveryRow] = []
        func add(_ query: Query, _ bind: (inout Cursor) -> Void) throws(StorageError) {
            var cursor = try query.start()
            bind(&cursor)
            while try cursor.next() { rows.append(try cursor.row(DeliveryRow.self)) }
        }
        switch scan {
        case .waiting(let devices, let now, let perDevice):
            for device in devices {
                try add(waiting) { cursor in
                    cursor.bind(device.database)
                    cursor.bind(blob: device.id)
                    cursor.bind(now)
                    cursor.bind(Int64(perDevice))
                }
            }
        case .toSend(let channel, let now, let limit):
            try add(toSend) { cursor in
                cursor.bind(channel.rawValue)
                cursor.bind(now)
                cursor.bind(Int64(limit))
            }
        case .of(let device, let limit):
            try add(ofDevice) { cursor in
                cursor.bind(device.database)
                cursor.bind(blob: device.id)
                cursor.bind(Int64(limit))
            }
        }
        return rows
    }
}
