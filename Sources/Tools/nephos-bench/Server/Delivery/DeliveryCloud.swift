import CloudKitWire
import Dispatch
import NephosDelivery
import NephosDomain
import NephosStorage
import NephosTesting
import Synchronization
import TestEngines

/// A server with many subscribed users in its public database, and access to its store.
final class DeliveryCloud {
    let cloud: BenchCloud
    let store: any TenantStore
    private(set) var crowd = Crowd()
    private let engine: any StorageEngine

    /// - Parameter url: The PostgreSQL database; nil for a folder.
    init(environment: [String: String] = [:], url: String? = nil) throws {
        let place = url.map { ["NEPHOS_STORE": $0] } ?? [:]
        cloud = try BenchCloud(environment: environment.merging(place) { $1 })
        let folder = try TemporaryFolder(prefix: "nephos-bench")
        try writeFile(folder.path + "/bench.ckdb", Array(Self.schema.utf8))
        try cloud.server.command("schema", "import", cloud.container, folder.path + "/bench.ckdb")
        engine = try openEngine(folder: cloud.server.command.data, url: url)
        guard let store = try engine.open(Tenant(container: cloud.container, environment: .development)) else {
            throw Wrk.Failure(description: "no container")
        }
        self.store = store
    }

    deinit { engine.close() }

    private static let schema = """
        DEFINE SCHEMA
            RECORD TYPE Item (
                number INT64 QUERYABLE,
                group STRING QUERYABLE,
                text STRING,
                GRANT READ TO "_world",
                GRANT CREATE TO "_icloud",
                GRANT WRITE TO "_creator"
            );
        """

    func addPeople(_ count: Int, _ subscriptions: @escaping @Sendable (Int) -> [Crowd.Subscription]) throws {
        let (store, before) = (store, crowd)
        crowd = try waiting {
            var crowd = before
            try await crowd.add(count, to: store, subscriptions)
            return crowd
        }
    }

    // MARK: Saving

    /// A `records/modify` body that creates one record in the public database.
    ///
    /// - Parameter number: The digits of its number; `fresh.lua` replaces `DIGIT`.
    static func body(name: String, number: String = "-1", group: String = "nobody") -> [UInt8] {
        Array(#"{"operations":[\#(operation(name: name, number: number, group: group))]}"#.utf8)
    }

    private static func operation(name: String, number: String, group: String) -> String {
        let text = String(repeating: "straw ", count: 60)
        return """
            {"operationType":"create","record":{"recordName":"\(name)","recordType":"Item","fields":{\
            "number":{"value":\(number),"type":"INT64"},"group":{"value":"\(group)","type":"STRING"},\
            "text":{"value":"\(text)","type":"STRING"}}}}
            """
    }

    /// Saves that continue while `wrk` runs; each record's number has one digit.
    func saves(_ wrk: Wrk, number: String = "DIGIT") throws -> Case {
        let body = Self.body(name: "NAME", number: number)
        return Case(
            name: "save in the public database", script: "fresh.lua",
            arguments: [publicTarget, try wrk.file("save-\(number)", body)], bytesIn: body.count, isFresh: true)
    }

    var publicTarget: String {
        cloud.target("records/modify").replacing("/private/", with: "/public/")
    }

    /// Saves one record from this process.
    func save(_ body: [UInt8], _ database: Database = .public) throws {
        let client = cloud.client
        let answer = try client.send("POST", client.path("records/modify", database), body: body)
        guard answer.status == 200 else { throw Wrk.Failure(description: "save: \(answer.status)") }
    }

    /// Saves records in the public database from this process, 100 per transaction, with numbers from 0 to 9.
    func saveHere(_ count: Int, label: String) throws {
        guard let device = crowd.devices.first else {
            throw Wrk.Failure(description: "there is no device to save with")
        }
        let session = SessionRow(
            id: [], user: device.user, privateDatabase: device.database, secret: [], createdAt: 1, expiresAt: .max)
        let store = store
        try waiting {
            for start in stride(from: 0, to: count, by: 100) {
                let records = (start..<min(start + 100, count)).map {
                    Self.operation(name: "\(label)\($0)", number: "\($0 % 10)", group: "nobody")
                }
                let json = Bytes(#"{"operations":[\#(records.joined(separator: ","))]}"#)
                let context = RequestContext(
                    catalog: try store.read(ReadSet()).catalog, caller: .person(session), scope: .public, now: 2)
                let save = try ModifyRecords(RecordsModifyRequest(json: json), context: context) { "unused" }
                _ = try await store.commit(save.reading, decide: save.decide)
            }
        }
    }

    // MARK: Notifying

    /// Waits until all changes have been delivered.
    func waitUntilDelivered(seconds: Double = 120) throws {
        let (store, deadline) = (store, Deadline(seconds: seconds))
        guard try deadline.waits(until: { try store.rows(ChangeEventRow.oldest(limit: 1)).isEmpty }) else {
            throw Wrk.Failure(description: "changes are not delivered within \(seconds) s")
        }
    }

    /// Path and query of the URL where each device polls for its notifications.
    func courierTargets() throws -> [String] {
        let key = try store.read(ReadSet()).catalog.head.signingKey
        return crowd.devices.map { device in
            "/device/1/\(cloud.container)/development/aps?tok=\(percentEncoded(CourierToken(device).sealed(key: key)))"
        }
    }
}

/// Blocks until asynchronous work is done; call it on a thread of its own.
func waiting<Result: Sendable>(for work: @escaping @Sendable () async throws -> Result) throws -> Result {
    let result = Mutex<Swift.Result<Result, any Error>?>(nil)
    let end = DispatchSemaphore(value: 0)
    Task.detached {
        let found: Swift.Result<Result, any Error>
        do { found = .success(try await work()) } catch { found = .failure(error) }
        result.withLock { $0 = found }
        end.signal()
    }
    end.wait()
    guard let found = result.withLock({ $0 }) else { throw Wrk.Failure(description: "the work did not end") }
    return try found.get()
}

extension ServerProcess {
    /// Waits until the server is nearly idle, for half a second twice in a row.
    func waitUntilQuiet(seconds: Double = 60) throws {
        let deadline = Deadline(seconds: seconds)
        var (quiet, before) = (0, try usage.cpuNanoseconds)
        while quiet < 2, !deadline.hasPassed {
            _ = Deadline(seconds: 0.5).waits { false }
            let now = try usage.cpuNanoseconds
            quiet = now - before < 20_000_000 ? quiet + 1 : 0
            before = now
        }
    }
}
