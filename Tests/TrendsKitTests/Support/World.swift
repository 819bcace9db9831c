import CloudKit
import Foundation
import NephosTesting
import NephosTransport
import ServerTesting
import Synchronization
import Testing

@testable import NephosKit
@testable import Trends

/// The kit against a server inside this process, whose clock tests set; each test has its own server (docs/trends-kit.md).
@Suite(.ownThreads) enum TrendsKitTests {}

struct OwnThreadsTrait: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
    ) async throws {
        // Commands block the threads on which they run.
        try await withTaskExecutorPreference(OwnThreads.ofTests) { try await body() }
    }
}

extension Trait where Self == OwnThreadsTrait {
    static var ownThreads: Self { Self() }
}

/// A time that tests set.
final class SetClock: Sendable {
    private let milliseconds: Mutex<Int64>

    init(_ text: String) { milliseconds = Mutex(Self.time(text)) }

    @Sendable func read() -> Int64 { milliseconds.withLock(\.self) }
    var date: Date { Date(timeIntervalSince1970: Double(read()) / 1_000) }

    /// - Parameter text: For example `2027-03-28T12:00:00Z`.
    func set(_ text: String) { milliseconds.withLock { $0 = Self.time(text) } }
    func advance(hours: Int64 = 0, seconds: Int64 = 0) {
        milliseconds.withLock { $0 += (hours * 3_600 + seconds) * 1_000 }
    }

    private static func time(_ text: String) -> Int64 {
        let date = try? Date(text, strategy: .iso8601)
        return Int64((date?.timeIntervalSince1970 ?? 0) * 1_000)
    }
}

/// A container on a server, and the devices of users.
struct World {
    static let indexed = [#""___createTime" TIMESTAMP QUERYABLE SORTABLE"#, "text STRING", "names LIST<STRING>"]

    let clock: SetClock
    let cloud: TestCloud
    let container: TestContainer

    /// - Parameter schema: The text after `DEFINE SCHEMA`; nil for `Post` and `Novenas`.
    init(at time: String = "2027-03-20T12:00:00Z", schema: String? = nil, environment: String = "development") throws {
        let clock = SetClock(time)
        self.clock = clock
        cloud = TestCloud(try InProcessServer(clock: clock.read))
        container = try cloud.container(environment: environment)
        try container.importSchema(
            schema
                ?? ["Post", "Novenas"].map { TestContainer.recordType($0, Self.indexed) }.joined(separator: "\n"))
    }

    func device(_ email: String? = "ada@example.org") throws -> Device {
        let transport = LocalTransport(port: cloud.server.port)
        let session = try email.map { try container.signIn($0) }
        let configuration = NephosConfiguration(
            serverURL: URL(string: "http://127.0.0.1"),
            environment: container.environment == "production" ? .production : .development,
            apiToken: container.apiToken, webAuthToken: session)
        let service = Service(container: container.id, configuration: .success(configuration), transport: transport)
        return Device(
            transport: transport, clock: clock,
            container: CKContainer(ContainerCore(service), OperationDefaults()))
    }

    /// Stops the server, and checks that its store is consistent.
    func end() throws {
        let end = try cloud.server.stop()
        #expect(end == .exited(0), "\(cloud.server.logText.suffix(2_000))")
    }
}

struct Device: Sendable {
    let transport: LocalTransport
    let clock: SetClock
    let container: CKContainer

    /// The kit with a test's settings.
    func trends(
        _ types: [String] = ["Post"], lists: [TrendsList] = [], zone: String? = "UTC",
        _ change: (inout TrendsTuning) -> Void = { _ in }
    ) -> CKTrends {
        var tuning = TrendsTuning()
        (tuning.pageSize, tuning.requestTimeout, tuning.now) = (5, 0.5, { [clock] in clock.date })
        change(&tuning)
        return CKTrends(
            recordTypes: types, lists: lists, container: container,
            timeZone: zone.flatMap { TimeZone(identifier: $0) }, tuning: tuning)
    }

    /// Creates this many records now.
    @discardableResult
    func make(_ count: Int, _ type: String = "Post", _ fill: (CKRecord) -> Void = { _ in }) async throws -> [CKRecord] {
        let records = (0..<count).map { _ in CKRecord(recordType: type) }
        records.forEach(fill)
        let results = try await container.publicCloudDatabase.modifyRecords(saving: records, deleting: []).saveResults
        return try results.values.map { try $0.get() }
    }

    /// The number of records in responses to queries since the last `forget()`.
    var recordsRead: Int {
        transport.exchanges("records/query").reduce(0) {
            $0 + $1.answer.components(separatedBy: #""recordName":"#).count - 1
        }
    }
}

extension TrendsRefresh {
    func days(_ name: String) -> [String: Int]? { figures?.series.first { $0.tracker.name == name }?.days }
    func problem(_ name: String) -> TrendsProblem? { states.first { $0.tracker.name == name }?.problem }
}

/// The error of requests to a server that is gone.
let unreachable = TransportFault(kind: .unreachable, message: "the server is gone")
