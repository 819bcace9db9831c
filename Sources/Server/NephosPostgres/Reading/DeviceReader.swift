import CloudKitWire
import NephosStorage

/// Reads of the table `devices`.
struct DeviceReader {
    let tenant: TenantNumber
    /// A commit reads. Devices of people stay where they are until it ends, so that none is removed under a delivery that
    /// is written for it; those that are named will be written and are locked; of silent ones, others pass over them.
    let isForUpdate: Bool

    /// In the order of ``read(_:)``, of a table with the alias `d`.
    static let columns = """
        d.db, d.user_id, d.id, d.channel, d.client, d.development, d.address, d.secret, d.session, d.token, d.created_at, \
        d.used_at
        """
    /// How many there are; others may follow.
    static let columnCount: Int32 = 12

    func rows(_ scan: DeviceScan) throws(StorageError) -> Call {
        switch scan {
        case .of(let users):
            return Call(isForUpdate ? Self.ofUsersForShare : Self.ofUsers) {
                $0.add(tenant.value)
                $0.add(users: users)
            }
        case .keyed(let keys):
            let keys = keys.sorted()
            let stored = try keys.map { key throws(StorageError) in try tenant.stored(key.database) }
            return Call(isForUpdate ? Self.keyedForUpdate : Self.keyed) {
                $0.add(numbers: stored)
                $0.add(users: keys.map(\.user))
                $0.add(pieces: keys.map { $0.id[...] })
            }
        case .withID(let id):
            return Call(isForUpdate ? Self.withIDForUpdate : Self.withID) {
                $0.add(tenant.value)
                $0.add(bytes: id)
            }
        case .all(let channel, let limit):
            return Call(Self.all) {
                $0.add(tenant.value)
                $0.add(channel.rawValue)
                $0.add(Int64(limit))
            }
        case .silent(let channel, let since, let limit):
            return Call(isForUpdate ? Self.silentForUpdate : Self.silent) {
                $0.add(tenant.value)
                $0.add(channel.rawValue)
                $0.add(since)
                $0.add(Int64(limit))
            }
        }
    }

    func read(_ row: Row) throws(StorageError) -> DeviceRow {
        DeviceRow(
            key: DeviceKey(database: tenant.database(row.int(0)), user: try row.user(1), id: row.bytes(2)),
            channel: try row.kind(3, of: DeviceRow.Channel.self), client: row.string(4), isDevelopment: try row.flag(5),
            address: row.string(6), secret: row.bytes(7), session: row.bytes(8), token: row.bytes(9),
            createdAt: row.int(10), usedAt: row.int(11))
    }

    /// A key has no database of its own: its devices are at home in the public one.
    static let home = "(u.tenant << 40 | CASE u.private_db WHEN 0 THEN 1 ELSE u.private_db END)"

    private static let ofUsersSQL = """
        SELECT \(columns) FROM unnest($2::bytea[]) AS k (id)
        JOIN users AS u ON u.tenant = $1 AND u.id = k.id
        JOIN devices AS d ON d.db = \(home) AND d.user_id = u.id
        """
    private static let ofUsers = Statement(ofUsersSQL)
    private static let ofUsersForShare = Statement("\(ofUsersSQL) FOR KEY SHARE OF d")
    private static let keyedSQL = """
        SELECT \(columns) FROM unnest($1::bigint[], $2::bytea[], $3::bytea[]) AS k (db, user_id, id)
        JOIN devices AS d ON d.db = k.db AND d.user_id = k.user_id AND d.id = k.id
        """
    private static let keyed = Statement(keyedSQL)
    private static let keyedForUpdate = Statement("\(keyedSQL) FOR UPDATE OF d")
    private static let withIDSQL =
        "SELECT \(columns) FROM devices AS d WHERE d.db >> 40 = $1 AND d.id = $2 ORDER BY d.db, d.user_id"
    private static let withID = Statement(withIDSQL)
    private static let withIDForUpdate = Statement("\(withIDSQL) FOR UPDATE")
    private static let all = Statement(
        """
        SELECT \(columns) FROM devices AS d WHERE d.db >> 40 = $1 AND d.channel = $2
        ORDER BY d.created_at, d.id LIMIT $3
        """)
    private static let silentSQL = """
        SELECT \(columns) FROM devices AS d WHERE d.db >> 40 = $1 AND d.channel = $2 AND d.used_at < $3
        ORDER BY d.used_at LIMIT $4
        """
    private static let silent = Statement(silentSQL)
    private static let silentForUpdate = Statement("\(silentSQL) FOR UPDATE SKIP LOCKED")
}
