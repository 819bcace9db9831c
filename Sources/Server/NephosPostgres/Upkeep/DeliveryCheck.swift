import CloudKitWire
import NephosStorage

/// Checks devices and what they are yet to be told. Nothing counts these rows: they come and go with every
/// change, and one that is missing costs a push, which nobody may rely on.
enum DeliveryCheck {
    static func run(_ walk: inout TableWalk) throws(StorageError) {
        let tenant = walk.tenant
        let devices = DeviceReader(tenant: tenant, isForUpdate: false)
        try walk.each(Self.devices) { row, findings throws(StorageError) in
            let checksum = DeviceReader.columnCount
            findings.judge(try devices.read(row), checksum: row.int(checksum), hasUser: row.bool(checksum + 1))
        }
        let deliveries = DeliveryReader(tenant: tenant, isForUpdate: false)
        try walk.each(Self.deliveries) { row, findings throws(StorageError) in
            let checksum = DeliveryReader.columnCount
            findings.judge(try deliveries.read(row), checksum: row.int(checksum), hasDevice: row.bool(checksum + 1))
        }
    }

    private static let devices = PagedTable(
        .devices,
        """
        db, user_id, id, channel, client, development, address, secret, session, token, created_at, used_at,
        checksum,
        (SELECT devices.db = \(DeviceReader.home) FROM users AS u
            WHERE u.tenant = devices.db >> 40 AND u.id = devices.user_id)
        """)
    private static let deliveries = PagedTable(
        .deliveries,
        """
        db, device, source_db, subscription, slot, user_id, channel, seq, changes, created_at, due_at, leased_until,
        attempts, collapse_id, payload, checksum,
        (SELECT d.channel = deliveries.channel FROM devices AS d
            WHERE d.db = deliveries.db AND d.user_id = deliveries.user_id AND d.id = deliveries.device)
        """)
}
