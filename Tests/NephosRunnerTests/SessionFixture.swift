import CloudKitWire
import NephosAdmin
import NephosDomain
import NephosRunner
import NephosStorage
import NephosTesting
import Synchronization
import TestEngines
import Testing

/// A container in which one user has as many sessions as a test needs, a process that caches callers, and another that ends
/// sessions.
final class SessionFixture {
    static let tenant = Tenant(container: "iCloud.org.nephos.sessions", environment: .development)
    static let now: Milliseconds = 1_700_000_000_000

    let here: any StorageEngine
    let elsewhere: any StorageEngine
    let runner: Runner
    let store: CountingStore
    let person: SessionRow
    private let apiToken: String
    private let folder: TestStore

    init() async throws {
        folder = try TestStore.withTables()
        here = try folder.open()
        let inputs = Inputs(now: { Self.now }, randomBytes: { (0..<$0).map { _ in .random(in: .min ... .max) } })
        let administration = Administration(engine: here, inputs: inputs)
        try administration.createContainer(Self.tenant.container)
        apiToken = try await administration.createAPIToken(in: Self.tenant)
        elsewhere = try folder.open()
        runner = Runner(engine: here)
        let opened = try runner.open(Self.tenant)
        store = CountingStore(opened)
        let enrolment = Enrolment.person(
            account: "A", newID: UserID(high: 1, low: 2), sessionID: Self.id(0), secret: Self.secret(0), kind: .short,
            now: Self.now)
        person = try #require(try await opened.commit(enrolment.reading, decide: enrolment.decide))
    }

    deinit {
        here.close()
        elsewhere.close()
    }

    var memory: TenantCache { runner.memory(of: Self.tenant) }

    static func id(_ number: Int) -> [UInt8] { (0..<16).map { UInt8(truncatingIfNeeded: number >> (8 * ($0 % 4))) } }
    private static func secret(_ number: Int) -> [UInt8] { id(number) + id(number) }

    /// Creates sessions of the user, in addition to the first.
    func add(_ numbers: Range<Int>) async throws {
        for chunk in Array(numbers).chunks(of: 2_000) {
            let rows = chunk.map {
                SessionRow(
                    id: Self.id($0), user: person.user, privateDatabase: person.privateDatabase,
                    secret: Self.secret($0), createdAt: Self.now, expiresAt: Self.now + 1_000_000)
            }
            try await store.commit(ReadSet()) { _ in
                var set = WriteSet()
                for row in rows { set.put(row) }
                return .write(set, ())
            }
        }
    }

    /// In the other process, in one transaction.
    func end(_ numbers: some Collection<Int>) async throws {
        let sessions = SessionRow.keyed(numbers.map(Self.id))
        var set = ReadSet()
        set.databases = [person.privateDatabase]
        set.ask(sessions)
        let store = try #require(try elsewhere.open(Self.tenant))
        let now = Self.now
        let count = try await store.commit(set) { reading in
            var writes = WriteSet()
            for session in reading[sessions] { writes.end(session, at: now, seeing: reading.catalog) }
            return .write(writes, reading[sessions].count)
        }
        #expect(count == numbers.count)
    }

    func tokens(_ number: Int) throws -> (pair: TokenPair, web: String) {
        let session = SessionRow(
            id: Self.id(number), user: person.user, privateDatabase: person.privateDatabase,
            secret: Self.secret(number), createdAt: 0, expiresAt: 0)
        let web = try #require(WebAuthToken.issue(for: session, nonce: 7))
        return (TokenPair(api: apiToken[...], web: web[...]), web)
    }

    /// Authenticates the caller by the stored rows, and caches it.
    func prove(_ number: Int) throws -> Result<Caller, Refusal> {
        let tokens = try tokens(number)
        // The first step of each request.
        if let (known, _) = memory.caller(tokens.pair, now: Self.now) { return .success(known.caller) }
        let credentials = Credentials(apiToken: apiToken, webAuthToken: tokens.web, signed: nil)
        let authentication = try runner.authenticate(credentials, in: store, notBefore: .now, now: Self.now)
        if case .success(let caller) = authentication.verdict {
            memory.remember(ProvedCaller(caller, credentials.admission), tokens.pair, of: authentication.catalog)
        }
        return authentication.verdict
    }

    /// A request by what this process has cached; nil where it has cached nothing of the session.
    func request(_ number: Int) throws -> RequestContext? {
        memory.caller(try tokens(number).pair, now: Self.now).map { known, catalog in
            RequestContext(
                catalog: catalog, caller: known.caller, admission: known.admission, scope: .private, now: Self.now)
        }
    }
}

/// A store that counts reads outside of transactions.
final class CountingStore: StandInStore {
    let store: any TenantStore
    private let count = Atomic<Int>(0)

    init(_ store: any TenantStore) { self.store = store }

    var reads: Int { count.load(ordering: .relaxed) }

    func read(_ set: ReadSet) throws(StorageError) -> Reading {
        count.add(1, ordering: .relaxed)
        return try store.read(set)
    }
}
