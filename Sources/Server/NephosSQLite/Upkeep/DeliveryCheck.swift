import CloudKitWire
import NephosStorage

/// Checks devices and what they are yet to be told. Nothing counts these rows: they come and go with every
/// change, and one that is missing costs a push, which nobody may rely on.
enum DeliveryCheck {
    static func run(_ walk: inout TableWalk) throws(StorageError) {
        try walk.each(
            "devices",
            """
            SELECT \(DeviceReader.columns), checksum, EXISTS (SELECT 1 FROM users u WHERE u.id = d.user_id
                AND d.db = CASE u.private_db WHEN 0 THEN 1 ELSE u.private_db END)
            FROM devices d
            """
        ) { cursor, findings throws(StorageError) in
            let checksum = DeviceReader.columnCount
            findings.judge(
                try DeviceReader.row(cursor), checksum: cursor.int(checksum), hasUser: cursor.int(checksum + 1) == 1)
        }
        try walk.each(
            "deliveries",
            """
            SELECT \(DeliveryReader.columns), checksum, (SELECT d.channel = deliveries.channel FROM devices d
                WHERE d.db = deliveries.db AND d.user_id = deliveries.user_id AND d.id = deliveries.device)
            FROM deliveries
            """
        ) { cursor, findings throws(StorageError) in
            let checksum = DeliveryReader.columnCount
            findings.judge(
                try DeliveryReader.row(cursor), checksum: cursor.int(checksum),
                hasDevice: cursor.int(checksum + 1) == 1)
        }
    }
}
