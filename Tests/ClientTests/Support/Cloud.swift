import CloudKit
import Foundation
import NephosKit
import NephosTesting
import Testing

// Not in a package without the server, as the thread sanitizer's: there the server is a process.
#if canImport(ServerTesting)
    import ServerTesting
#endif

/// The client library against a real server over HTTP, in this process. All suites share one, which stops when the last test has
/// ended; each test has its own container. Suites are named by the section of Apple's semantics that they prove (docs/client.md).
@Suite(.server) enum ClientTests {}

struct ServerTrait: SuiteTrait, TestScoping {
    @TaskLocal static var cloud: TestCloud?

    func provideScope(
        for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(OwnThreads.ofTests) {
            #if canImport(ServerTesting)
                let cloud = TestCloud(try ListeningServer())
            #else
                let cloud = try TestCloud()
            #endif
            try await ServerTrait.$cloud.withValue(cloud) { try await body() }
            try end(cloud)
        }
    }

    private func end(_ cloud: TestCloud) throws {
        let end = try cloud.server.stop()
        #expect(end == .exited(0), "the server did not finish well: \(cloud.server.logText.suffix(2_000))")
    }
}

extension Trait where Self == ServerTrait {
    static var server: Self { Self() }
}

/// A container on a real server, and users' devices that access it through the library.
struct Cloud {
    let container: TestContainer
    let folder: TemporaryFolder

    init(schema: String? = nil) throws {
        container = try #require(ServerTrait.cloud).container()
        folder = try TemporaryFolder(prefix: "nephos-client")
        if let schema { try container.importSchema(schema) }
    }

    /// The settings of a program that accesses it. - Parameter email: Nil for nobody.
    func configuration(_ email: String?) throws -> NephosConfiguration {
        NephosConfiguration(
            serverURL: URL(string: "http://127.0.0.1:\(container.cloud.server.port)"), environment: .development,
            apiToken: container.apiToken, webAuthToken: try email.map { try container.signIn($0) },
            cacheFolder: URL(fileURLWithPath: folder.path))
    }

    /// A separate container object for each device: only the server is shared.
    func device(_ email: String? = "ada@example.org") throws -> CKContainer {
        CKContainer(identifier: container.id, configuration: try configuration(email))
    }
}

/// The code of the error that `body` throws; nil if it throws none.
func code(_ body: () async throws -> Void) async -> CKError.Code? {
    do {
        try await body()
        return nil
    } catch {
        return (error as? CKError)?.code
    }
}

/// Zone and record helpers shared by many tests.
extension CKDatabase {
    @discardableResult
    func save(_ record: CKRecord, _ policy: CKModifyRecordsOperation.RecordSavePolicy) async throws -> CKRecord? {
        try await modifyRecords(saving: [record], deleting: [], savePolicy: policy).saveResults[record.recordID]?.get()
    }

    @discardableResult
    func makeZone(_ name: String) async throws -> CKRecordZone.ID {
        try await save(CKRecordZone(zoneName: name)).zoneID
    }
}

func note(_ name: String = UUID().uuidString, in zone: CKRecordZone.ID = .default, text: String = "x") -> CKRecord {
    let record = CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: name, zoneID: zone))
    record["text"] = text
    return record
}

/// The code of an item's error; nil if it has none.
func code<Value>(_ result: Result<Value, any Error>?) -> CKError.Code? {
    guard case .failure(let error) = result else { return nil }
    return (error as? CKError)?.code
}

extension Result {
    var isSuccess: Bool { if case .success = self { true } else { false } }
}

/// The recorded calls of blocks, in order.
final class Calls: @unchecked Sendable {
    private let lock = NSLock()
    private var calls: [String] = []

    func add(_ call: String) { lock.withLock { calls.append(call) } }
    var list: [String] { lock.withLock { calls } }
}

extension CKDatabase {
    /// Adds an operation and waits until it is finished.
    func finish(_ operation: CKDatabaseOperation) async {
        await withCheckedContinuation { continuation in
            operation.completionBlock = { continuation.resume() }
            add(operation)
        }
    }
}
