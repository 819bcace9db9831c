import CloudKitWire
import NephosStorage

/// Reads of the table `push_log`.
struct PushLogReader {
    let tenant: TenantNumber
    /// What is read will be removed: others that want the same pass over it.
    let isForUpdate: Bool

    /// In the order of ``read(_:)``.
    static let columns =
        "db, at, nonce, user_id, device, channel, source_db, subscription, outcome, changes, attempt, milliseconds, answer"
    /// How many there are; others may follow.
    static let columnCount: Int32 = 13

    func rows(_ scan: PushLogScan) -> Call {
        switch scan {
        case .newest(of: nil, let limit):
            Call(Self.newest) {
                $0.add(tenant.value)
                $0.add(Int64(limit))
            }
        case .newest(of: let user?, let limit):
            Call(Self.newestOfUser) {
                $0.add(tenant.value)
                $0.add(user)
                $0.add(Int64(limit))
            }
        case .after(let position, let limit):
            Call(Self.after) {
                $0.add(tenant.value)
                $0.add(position.at)
                $0.add(position.nonce)
                $0.add(Int64(limit))
            }
        case .before(let time, let limit):
            Call(isForUpdate ? Self.beforeForUpdate : Self.before) {
                $0.add(tenant.value)
                $0.add(time)
                $0.add(Int64(limit))
            }
        }
    }

    func read(_ row: Row) throws(StorageError) -> PushLogRow {
        PushLogRow(
            database: tenant.database(row.int(0)), at: row.int(1), nonce: row.int(2), user: try row.user(3),
            device: row.bytes(4), channel: try row.kind(5, of: DeviceRow.Channel.self), source: row.int(6),
            subscription: row.name(7), outcome: try row.kind(8, of: PushLogRow.Outcome.self), changes: row.int(9),
            attempt: row.int(10), milliseconds: row.int(11), answer: row.string(12))
    }

    private static let ofTenant = "SELECT \(columns) FROM push_log WHERE db >> 40 = $1"
    private static let newest = Statement("\(ofTenant) ORDER BY at DESC, nonce DESC LIMIT $2")
    private static let newestOfUser = Statement("\(ofTenant) AND user_id = $2 ORDER BY at DESC, nonce DESC LIMIT $3")
    private static let after = Statement("\(ofTenant) AND (at, nonce) > ($2, $3) ORDER BY at, nonce LIMIT $4")
    private static let beforeSQL = "\(ofTenant) AND at < $2 ORDER BY at, nonce LIMIT $3"
    private static let before = Statement(beforeSQL)
    private static let beforeForUpdate = Statement("\(beforeSQL) FOR UPDATE SKIP LOCKED")
}
