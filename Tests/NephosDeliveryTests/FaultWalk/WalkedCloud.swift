import CloudKitWire
import DeliveryTesting
import NIOPosix
import NephosAdmin
import NephosDelivery
import NephosDomain
import NephosPost
import NephosRunner
import NephosStorage
import NephosTesting
import TestEngines
import Testing

/// A container whose devices are notified of changes by one process after another, each of which may die.
///
/// Ada has a courier device and a phone, a server has a webhook, and they are subscribed to the changed records; Grace is
/// subscribed to others.
final class WalkedCloud: Sendable {
    enum Channel: String, Sendable, CaseIterable { case courier, apns, webhook }

    static let tenant = Tenant(container: "iCloud.test", environment: .development)
    private static let note = """
        DEFINE SCHEMA RECORD TYPE Note ("___recordID" REFERENCE QUERYABLE, n INT64 QUERYABLE, \
        GRANT READ TO "_world", GRANT CREATE, WRITE TO "_icloud");
        """

    let clock = ManualClock()
    let told = ReceivedNotifications()
    /// The store of another process, which never dies.
    let store: any TenantStore
    private let place: TestStore
    private let engine: any StorageEngine
    private let admin: Administration
    private let apns: APNsStandIn
    private let hook: WebhookStandIn
    private let post: PostOffice

    init() async throws {
        place = try TestStore.withTables()
        engine = try place.open()
        let (clock, told) = (clock, told)
        admin = Administration(
            engine: engine,
            inputs: Inputs(
                now: clock.read, randomBytes: { (0..<$0).map { _ in UInt8.random(in: .min ... .max) } }))
        apns = try await APNsStandIn.start { request in
            told.append("phone", request.body)
            return .status(200)
        }
        hook = try await WebhookStandIn.start { request in
            told.append("webhook", request.body)
            return .status(200)
        }
        post = try PostOffice(
            apnsHost: APNsHost(baseURL: apns.url), roots: Array(apns.rootPEM.utf8), webhookHosts: ["127.0.0.1"],
            timeout: .seconds(2 * Patience.seconds))
        try admin.createContainer(Self.tenant.container)
        guard let store = try engine.open(Self.tenant) else { throw StorageError.noSuchTenant }
        self.store = store
        _ = try await admin.importSchema(Array(Self.note.utf8), into: Self.tenant)
    }

    func close() async {
        await post.close()
        await apns.stop()
        await hook.stop()
        engine.close()
    }

    // MARK: Users

    /// A user who signs in.
    func person(_ name: String) async throws -> Caller {
        _ = try admin.createAccount(email: "\(name)@example.org")
        let token = try await admin.createSession(in: Self.tenant, email: "\(name)@example.org")
        return .person(try #require(try store.rows(SessionRow.keyed([WebAuthToken.sessionID(of: token) ?? []])).first))
    }

    func context(_ caller: Caller, client: String = "") throws -> RequestContext {
        RequestContext(
            catalog: try store.read(ReadSet()).catalog, caller: caller, scope: .public, now: clock.read(),
            client: client)
    }

    /// Subscribes to notes with this `n`.
    func subscribe(_ caller: Caller, _ id: String, n: Int, once: Bool = false) async throws {
        let json = """
            {"operations":[{"operationType":"create","subscription":{"subscriptionID":"\(id)",\
            "subscriptionType":"query","firesOn":["create"],"firesOnce":\(once),"query":{"recordType":"Note",\
            "filterBy":[{"comparator":"EQUALS","fieldName":"n","fieldValue":{"value":\(n)}}]}}}]}
            """
        let operation = try ModifySubscriptions(
            SubscriptionsModifyRequest(json: Bytes(json)), context: try context(caller)
        ) { "made up" }
        let items = try await store.commit(operation.reading, decide: operation.decide)
        guard case .saved? = items.first else { throw StorageError.failed("\(items)") }
    }

    /// Saves a note.
    func save(_ caller: Caller, _ name: String, n: Int) async throws {
        let json = """
            {"operations":[{"operationType":"create","record":{"recordName":"\(name)","recordType":"Note",\
            "fields":{"n":{"value":\(n)}}}}]}
            """
        let operation = try ModifyRecords(RecordsModifyRequest(json: Bytes(json)), context: try context(caller)) { "" }
        let answer = try await store.commit(operation.reading, decide: operation.decide)
        guard case .saved? = answer.items.first?.outcome else { throw StorageError.failed("\(answer.items)") }
    }

    // MARK: Devices

    func courier(_ caller: Caller) async throws -> DeviceKey {
        let operation = try RegisterDevice(
            creating: PushTokenRequest(json: Bytes(#"{"apnsEnvironment":"development"}"#)),
            context: try context(caller), newID: (0..<16).map { _ in UInt8.random(in: .min ... .max) })
        return try await store.commit(operation.reading, decide: operation.decide).key
    }

    private static let key = TestKey()

    func phone(_ caller: Caller) async throws -> DeviceKey {
        let key = Self.key
        try await admin.configurePush(
            in: Self.tenant, team: key.teamID, keyID: key.keyID, pem: key.pem, topic: "com.example.notes",
            isSandbox: true)
        let json = #"{"apnsEnvironment":"development","apnsToken":"\#(String(repeating: "0a", count: 32))"}"#
        let operation = try RegisterDevice(
            registering: PushTokenRequest(json: Bytes(json)), context: try context(caller))
        return try await store.commit(operation.reading, decide: operation.decide).key
    }

    /// Creates a webhook for notes whose `n` is 1.
    func webhook() async throws -> DeviceKey {
        let filter = #"[{"comparator":"EQUALS","fieldName":"n","fieldValue":{"value":1}}]"#
        let made = try await admin.createWebhook(
            in: Self.tenant, url: hook.url,
            for: WebhookScope(recordType: "Note", firesOn: ["create"], filters: Array(filter.utf8)))
        let devices = try admin.webhooks(of: Self.tenant)
        return try #require(devices.first { $0.key.user.recordName == made.user }).key
    }

    // MARK: Processes

    /// Runs a process until it dies, or until its work is complete.
    ///
    /// - Parameters:
    ///   - pollers: Devices that wait at its desk, by name.
    ///   - comparisonsMax: ``DeliveryOptions/comparisonsMax``.
    func live(
        _ fuse: Fuse, pollers: [String: DeviceKey], comparisonsMax: Int = 1_000_000,
        until isOver: @escaping @Sendable () throws -> Bool
    ) async throws {
        let engine = CrashingEngine(try place.open(), fuse)
        var options = DeliveryOptions()
        // Only what a process is woken for, and what it finds when it starts.
        options.pollEvery = .seconds(3_600)
        options.comparisonsMax = comparisonsMax
        let worker = Worker(Runner(engine: engine), clock: clock.read)
        let service = DeliveryService(worker: worker, options: options, post: Lent(post: post))
        let jobs = Jobs([service.job], worker: worker)
        service.listen()
        let life = Task {
            async let looking: Void = jobs.run()
            await service.run()
            await looking
        }
        for (name, device) in pollers { Poller(name, device, of: Self.tenant, service.hub, told).wait() }
        let isDone = try await Deadline().awaits { try fuse.isBlown || isOver() }
        life.cancel()
        await life.value
        engine.close()
        let rest = try left()
        try #require(isDone, "something is left to tell: \(rest)")
    }

    /// Events that are not processed, and deliveries that are not sent, of all devices.
    func left() throws -> [String] {
        var set = ReadSet()
        let events = ChangeEventRow.oldest(limit: 100)
        set.ask(events)
        let devices = DeviceRow.Channel.allCases.map { DeviceRow.all($0, limit: 100) }
        for scan in devices { set.ask(scan) }
        let reading = try store.read(set)
        let deliveries = try devices.flatMap { reading[$0] }
            .flatMap { try store.rows(DeliveryRow.of($0.key, limit: 1_000)) }.filter {
                $0.dueAt != DeliveryRow.completed
            }
        return reading[events].map { "event of \($0.name)" }
            + deliveries.map { "delivery for \($0.channel), leased until \($0.leasedUntil)" }
    }
}

/// A post office that outlives the process that uses it: the system's list of certificates is read once for a cloud.
private struct Lent: Post {
    let post: PostOffice

    func send(_ delivery: DeliveryRow, to device: DeviceRow, _ catalog: Catalog) async -> SendOutcome {
        await post.send(delivery, to: device, catalog)
    }

    func close() async {}
}
