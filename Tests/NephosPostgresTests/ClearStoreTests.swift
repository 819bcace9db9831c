import CloudKitWire
import Foundation
import NephosStorage
import NephosTesting
import TestEngines
import Testing

@testable import NephosPostgres

/// docs/running.md, "The secret key": a database from before secrets were encrypted, with an older server still running.
@Suite("A database without sealing") struct ClearStoreTests {
    private static let tenant = Tenant(container: "iCloud.org.example.notes", environment: .development)

    private let store: TestStore
    private let database: Connection

    init() throws {
        store = try TestStore(.postgres)
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "saved-store.sql").path
        try store.database?.run(file: file)
        database = try Connection(try ConnectionTarget(url: store.url ?? ""))
    }

    private func number(_ sql: String) throws -> Int64 {
        try database.run([Call(Statement(sql))]).first?.first?.int(0) ?? -1
    }

    private func open(_ engine: any StorageEngine) throws -> any TenantStore {
        try #require(try engine.open(Self.tenant))
    }

    private func session(_ id: UInt8, _ user: UserID) -> SessionRow {
        SessionRow(
            id: Array(repeating: id, count: 16), user: user, privateDatabase: 2,
            secret: Array(repeating: id, count: 32), createdAt: 1, expiresAt: 9_000_000_000_000)
    }

    /// What an older server wrote when a user signed in, or when a session was revoked.
    private func writeAsBefore(_ new: SessionRow, replacing old: SessionRow? = nil, in catalog: CatalogHead) throws {
        var head = catalog
        head.digest = head.digest &+ new.checksum &- (old?.checksum ?? 0)
        if old != nil { head.version += 1 }
        let tenant = try number(
            "SELECT tenant FROM catalog WHERE container = 'iCloud.org.example.notes' AND environment = 'development'")
        let row = Statement(
            old == nil
                ? "INSERT INTO sessions (tenant, id, user_id, private_db, secret, created_at, expires_at, revoked_at, checksum) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)"
                : "UPDATE sessions SET user_id = $3, private_db = $4, secret = $5, created_at = $6, expires_at = $7, revoked_at = $8, checksum = $9 WHERE tenant = $1 AND id = $2"
        )
        let catalogRow = Statement("UPDATE catalog SET version = $2, digest = $3, checksum = $4 WHERE tenant = $1")
        try database.run([
            Call(
                row, tenant, new.id[...], new.user, new.privateDatabase, (new.secret.bytes ?? [])[...], new.createdAt,
                new.expiresAt, new.revokedAt, new.checksum),
            Call(catalogRow, tenant, head.version, head.digest, head.checksum),
        ])
    }

    @Test(
        "Sessions created and revoked by servers of an earlier version and this one are valid at both, and the check is clean"
    )
    func sideBySide() async throws {
        let engine = try store.open()
        defer { engine.close() }
        let tenant = try open(engine)
        let user = try #require(try tenant.rows(SessionRow.newest(limit: 1)).first).user
        try writeAsBefore(session(1, user), in: try tenant.read(ReadSet()).catalog.head)
        let own = session(2, user)
        try await tenant.commit(ReadSet()) { _ in
            var writes = WriteSet()
            writes.put(own)
            return .write(writes, ())
        }
        #expect(try tenant.check { _, _ in } == [])
        #expect(
            try tenant.rows(SessionRow.keyed([session(1, user).id])).first?.secret.bytes
                == Array(repeating: 1, count: 32))
        // An older server can read it.
        #expect(
            try number("SELECT count(*) FROM sessions WHERE secret = '\\x\(String(repeating: "02", count: 32))'") == 1)
        var revoked = own
        revoked.revokedAt = 7
        try writeAsBefore(revoked, replacing: own, in: try tenant.read(ReadSet()).catalog.head)
        #expect(try tenant.check { _, _ in } == [])
        let scan = SessionRow.keyed([session(1, user).id])
        var set = ReadSet()
        set.ask(scan)
        try await tenant.commit(set) { reading in
            var (writes, session) = (WriteSet(), reading[scan][0])
            session.revokedAt = 8
            writes.put(session, replacing: reading[scan][0])
            writes.raisesCatalogVersion = true
            return .write(writes, ())
        }
        #expect(try tenant.check { _, _ in } == [])
    }

    @Test(
        "It opens without a key and stays unchanged; a rotation seals everything, and later sign-ins write no catalog row"
    )
    func sealing() async throws {
        try store.open(keys: SecretKeys([], from: "nowhere")).close()
        let nephos = try NephosCommand(store)
        #expect(try nephos("secret", "status") == "in the clear")
        let clear = "SELECT count(*) FROM sessions WHERE length(secret) = 32"
        let sessions = try number(clear)
        #expect(sessions > 0)
        let rotation = try nephos.run(["secret", "rotate"])
        #expect(rotation.status == 0 && rotation.output == "\(sessions) sealed\n", "\(rotation)")
        #expect(try number(clear) == 0)
        #expect(try number("SELECT count(*) FROM catalog WHERE length(signing_key) = 32") == 0)
        #expect(try nephos("secret", "status") == "sealed under a key of NEPHOS_SECRET_KEY")
        #expect(try nephos.run(["check"]).status == 0)
        #expect(throws: StorageError.self) { try store.open(keys: SecretKeys([], from: "nowhere")) }

        func writer() throws -> Int64 { try number("SELECT sum(xmin::text::bigint) FROM catalog") }
        let before = try writer()
        _ = try nephos("session", "create", Self.tenant.container, "mary@example.org")
        #expect(try writer() == before)
        #expect(try nephos.run(["check"]).status == 0)
    }
}
