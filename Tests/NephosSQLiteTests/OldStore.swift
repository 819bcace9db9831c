import NephosStorage

@testable import NephosSQLite

/// The rows of a tenant as written by a server with only the first tables: two types, two databases, two records, one of which
/// references the other, and a deleted one. Numbers and checksums are as they were stored then.
enum OldStore {
    /// Replaces the tenant's file by the old one.
    static func write(to path: String) throws {
        let steps = Migrations.released.filter { $0.identifier.hasPrefix("1 ") }
        try StoreFile.create(path, Migrations(name: "tenant", steps: steps)) { connection throws(StorageError) in
            try connection.execute(rows)
        }
    }

    /// The same store some versions later, before sessions could be revoked: a session, a page that was registered with it, a
    /// phone, and a key.
    static func writeWithDevices(to path: String, in directory: DataDirectory) throws {
        try write(to: path)
        let steps = Migrations.released.prefix { $0.identifier != "7 credentials" }
        let connection = try StoreFile.open(path, Migrations(name: "tenant", steps: Array(steps)), in: directory)
        try connection.execute(devices)
    }

    static let session = [UInt8](repeating: 0x51, count: 16)
    static let page = [UInt8](repeating: 0x61, count: 16)
    static let phone = [UInt8](repeating: 0x62, count: 16)
    static let key = String(repeating: "4b", count: 32)

    private static let devices = """
        INSERT INTO sessions VALUES (
            X'51515151515151515151515151515151', X'00000000000000010000000000000002', 2,
            X'5252525252525252525252525252525252525252525252525252525252525252', 1, 9000000000000, 0,
            -4905454177707747307);
        INSERT INTO server_keys VALUES (
            '4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b',
            X'0404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404',
            X'00000000000000030000000000000004', 1, 0, 600319289550353052);
        INSERT INTO users VALUES (
            X'00000000000000030000000000000004', 1, '4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b',
            0, 1, -2052884956832562430);
        INSERT INTO devices VALUES
            (2, X'00000000000000010000000000000002', X'61616161616161616161616161616161', 1, 'web', 0, '',
             X'51515151515151515151515151515151', 1, 5, -4656014773791579238),
            (2, X'00000000000000010000000000000002', X'62626262626262626262626262626262', 2, 'web', 0, 'ab12', X'',
             1, 5, -195138689112246584);
        UPDATE catalog SET digest = -3923273470656640945, checksum = 888437808197157917;
        """

    private static let rows = """
        INSERT INTO catalog VALUES (
            1, 1, 'iCloud.org.example.notes', 'development', 1, 2,
            X'0707070707070707070707070707070707070707070707070707070707070707', 1, 0, 381861417500753310,
            2536981215616010795);
        INSERT INTO types VALUES (1, 'Note', 0, -6347484847799906939), (4, 'Old', 0, 2921554843201382138);
        INSERT INTO fields VALUES (1, 'text', 1, 0, 1, 2405871387829912901);
        INSERT INTO roles VALUES
            (1, '_world', 6379349984233484890), (2, '_icloud', -6863190986367640190),
            (3, '_creator', -7781070958848137607);
        INSERT INTO grants VALUES (1, 1, 1, -8779912078457893499);
        INSERT INTO users VALUES (X'00000000000000010000000000000002', 0, 'ACCOUNT', 2, 1, 2288766454788896612);
        INSERT INTO heads VALUES
            (1, 0, NULL, 5, 3, 1, 5, 0, 0, 2, 88, 1, 1, 0, 1, 1, 0, -5066006591521570185),
            (2, 1, X'00000000000000010000000000000002', 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 6611939734181556801);
        INSERT INTO zones VALUES
            (1, 1, '_defaultZone', 0, 1, 5, 0, 1, 0, -6763362343372643307),
            (2, 1, '_defaultZone', 0, 1, 1, 0, 1, 0, -1345755406518934522);
        INSERT INTO records VALUES
            (1, 1, 1, 'a', 2, 2, 1, 5, X'00000000000000010000000000000002', 5, X'00000000000000010000000000000002',
             NULL, NULL, 0, 0, 0, 44, 162386610697367136, '{"text":{"type":"STRING","value":"milk a"}}'),
            (1, 2, 1, 'b', 3, 3, 1, 5, X'00000000000000010000000000000002', 5, X'00000000000000010000000000000002',
             'a', NULL, 0, 0, 1, 44, -6899355617770782069, '{"text":{"type":"STRING","value":"milk b"}}');
        INSERT INTO tombstones VALUES (1, 1, 5, 'c', 1, 6, -215933421234132333);
        INSERT INTO refs VALUES (1, 1, 'a', 3, 2, 587676076598093321);
        """
}
