import Crypto
import NephosAdmin
import NephosDomain
import NephosRunner
import NephosStorage
import NephosTesting
import Synchronization
import TestEngines

/// A store whose keys a test sets, extends, and loses.
final class KeyedStore {
    let place: TestStore
    private let file: KeyList
    private(set) var keys: SecretKeys
    private(set) var engine: any StorageEngine
    /// Tokens of the created sessions.
    var tokens: [String] = []

    init() throws {
        // A database without sealed secrets.
        place = try TestStore(TestEngine.chosen)
        file = KeyList([.random()])
        keys = file.read()
        engine = try place.open(keys: keys)
    }

    deinit { engine.close() }

    var allKeys: [SecretKey] { file.keys }
    var admin: Administration { Administration(engine: engine, inputs: .live) }

    func tenant(_ tenant: Tenant = Cloud.development) throws -> any TenantStore {
        guard let store = try engine.open(tenant) else { throw StorageError.noSuchTenant }
        return store
    }

    /// Another engine with the same keys, like that of another server.
    func anotherEngine() throws -> any StorageEngine { try place.open(keys: keys) }

    /// Adds a key above the others, visible to all servers.
    func addKey() throws -> SecretKey {
        let next = SecretKey.random()
        file.keys = [next] + file.keys
        return next
    }

    /// Opens the store again, with only these keys.
    func reopen(with some: [SecretKey]) throws {
        engine.close()
        file.keys = some
        keys = file.read()
        engine = try place.open(keys: keys)
    }

    /// Replaces the key under which the store was sealed, and opens it nevertheless.
    func loseKeys() throws -> SecretKey {
        engine.close()
        let next = SecretKey.random()
        file.keys = [next]
        keys = file.read()
        engine = try place.open(keys: keys, acceptsLostKey: true)
        return next
    }

    /// Whether a request with this token is authenticated.
    func lets(in token: String) throws -> Bool {
        let scan = SessionRow.keyed([WebAuthToken.sessionID(of: token) ?? []])
        guard let session = try tenant().rows(scan).first else { return false }
        return WebAuthToken.isValid(token, for: session)
    }

    /// All secrets that a tenant can open.
    func secrets() throws -> Set<[UInt8]> {
        var set = ReadSet()
        let (sessions, webhooks) = (SessionRow.newest(limit: 100), DeviceRow.all(.webhook, limit: 100))
        set.ask(sessions)
        set.ask(webhooks)
        let reading = try tenant().read(set)
        let found =
            reading[sessions].map(\.secret.bytes) + reading[webhooks].map(\.secret.bytes)
            + reading.catalog.pushKeys.map(\.pem.bytes) + [reading.catalog.head.signingKey]
            + (try engine.directory.rows(MailSetupRow.only).map(\.password.bytes))
            + (try engine.directory.rows(MailRow.due(by: .max, limit: 10)).map(\.content.bytes))
        return Set(found.compactMap { $0 })
    }

    func findings() throws -> [CheckFinding] { try admin.check(container: Cloud.container).flatMap(\.findings) }
}

extension Inputs {
    /// The system's clock and randomness.
    static var live: Inputs {
        Inputs(
            now: { 1_700_000_000_000 },
            randomBytes: { count in (0..<count).map { _ in UInt8.random(in: .min ... .max) } })
    }
}

/// A list of keys that can be changed, like a file.
private final class KeyList: Sendable {
    private let list: Mutex<[SecretKey]>

    init(_ keys: [SecretKey]) { list = Mutex(keys) }

    var keys: [SecretKey] {
        get { list.withLock { $0 } }
        set { list.withLock { $0 = newValue } }
    }

    func read() -> SecretKeys { SecretKeys(keys, from: "a test") { self.keys } }
}
