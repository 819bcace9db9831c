import CloudKitWire
import NephosStorage
import StorageConformance
import Testing

@testable import NephosPostgres

/// docs/decisions/0016: tables from before sessions could be revoked.
@Suite("Devices of an earlier version") struct OldDeviceTests {
    @Test("keep their checksums, and their page names the session that registered them")
    func old() throws {
        let cloud = try Cloud()
        let number = try cloud.store().number.value
        cloud.engine.close()
        let (session, secret) = (Self.sql(0x51, 16), Self.sql(0x52, 32))
        let (user, home) = (#"'\x00000000000000010000000000000002'"#, "\(number << 40 | 2)")
        try cloud.meddle(
            "ALTER TABLE devices DROP COLUMN session, DROP COLUMN token", "ALTER TABLE server_keys DROP COLUMN name",
            "DROP INDEX sessions_by_user", "DROP INDEX sessions_by_end", "DROP TABLE credential_uses",
            "DELETE FROM migrations WHERE identifier = '5 credentials'",
            """
            INSERT INTO sessions (tenant, id, user_id, private_db, secret, created_at, expires_at, revoked_at, checksum)
            VALUES (\(number), \(session), \(user), 2, \(secret), 1, 9000000000000, 0, -4905454177707747307)
            """,
            """
            INSERT INTO devices (
                db, user_id, id, channel, client, development, address, secret, created_at, used_at, checksum
            ) VALUES
                (\(home), \(user), \(Self.sql(0x61, 16)), 1, 'web', 0, '', \(session), 1, 5, -4656014773791579238),
                (\(home), \(user), \(Self.sql(0x62, 16)), 2, 'web', 0, 'ab12', '', 1, 5, -195138689112246584)
            """)
        let engine = try cloud.schema.open()
        defer { engine.close() }
        let devices = [UInt8(0x61), 0x62].map {
            DeviceKey(database: 2, user: UserID(high: 1, low: 2), id: Array(repeating: $0, count: 16))
        }
        var set = ReadSet()
        set.ask(DeviceRow.keyed(devices))
        let newest = SessionRow.newest(limit: 9)
        set.ask(newest)
        set.sessionsOfDevices = devices
        let reading = try cloud.store(engine).read(set)
        let found = reading[DeviceRow.keyed(devices)].sorted { $0.key < $1.key }
        #expect(found.map(\.checksum) == [-4656014773791579238, -195138689112246584])
        #expect(found.map(\.sessionID) == [Array(repeating: 0x51, count: 16), []])
        #expect(reading.sessionsOfDevices.map(\.checksum) == [-4905454177707747307])
        #expect(reading[newest].map(\.checksum) == [-4905454177707747307])
    }

    private static func sql(_ byte: Int, _ count: Int) -> String {
        "'\\x\(String(repeating: String(byte, radix: 16), count: count))'"
    }
}
