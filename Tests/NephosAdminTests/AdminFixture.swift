import CloudKitWire
import NephosAdmin
import NephosDomain
import NephosRunner
import NephosStorage
import NephosTesting
import Synchronization
import TestEngines

/// The domain's type, not the test client's.
typealias Credentials = NephosDomain.Credentials

/// Administration of an empty store, with a scripted clock and scripted randomness.
final class AdminFixture: Sendable {
    let place: TestStore
    let engine: any StorageEngine
    let admin: Administration
    let clock = Clock(1_700_000_000_000)
    let dice = Dice()

    static let container = "iCloud.com.example.app"
    static let development = Tenant(container: container, environment: .development)
    static let production = Tenant(container: container, environment: .production)

    init() throws {
        place = try TestStore.withTables()
        engine = try place.open()
        admin = Administration(engine: engine, inputs: Inputs(now: clock.read, randomBytes: dice.roll))
    }

    deinit { engine.close() }

    /// A fixture with the container `iCloud.com.example.app`.
    static func withContainer(isListable: Bool = false) throws -> AdminFixture {
        let fixture = try AdminFixture()
        try fixture.admin.createContainer(container, isListable: isListable)
        return fixture
    }

    /// The caller that a server would derive from these credentials now.
    func caller(_ credentials: Credentials, in tenant: Tenant = development) throws -> Caller {
        var set = ReadSet()
        let session = SessionRow.keyed(credentials.sessionID.map { [$0] } ?? [])
        set.ask(session)
        guard let store = try engine.open(tenant) else { throw StorageError.noSuchTenant }
        let reading = try store.read(set)
        return try credentials.authenticate(
            catalog: reading.catalog, session: reading[session].first, now: clock.read())
    }
}

/// A clock that stands still until it is advanced.
final class Clock: Sendable {
    private let time: Mutex<Milliseconds>

    init(_ time: Milliseconds) { self.time = Mutex(time) }

    @Sendable func read() -> Milliseconds { time.withLock(\.self) }
    func advance(by span: Milliseconds) { time.withLock { $0 += span } }
}

/// Pseudo-random bytes that are the same in every run.
final class Dice: Sendable {
    private let generator = Mutex(SeededGenerator(seed: 1))

    @Sendable func roll(_ count: Int) -> [UInt8] {
        generator.withLock { generator in (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) } }
    }
}
