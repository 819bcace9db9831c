import Foundation
import NephosTesting
import Testing

@testable import NephosKit

/// An operation with several requests belongs to one user: a user who signs in meanwhile is not involved (docs/client.md, "Signing
/// in").
@Suite struct OnePersonTests {
    /// A server's responses, during the first of which to `path` another user signs in, or the user signs out.
    private func scene(
        _ path: String, _ answers: [String: JSON], signedIn: Bool = true, next: String? = "new"
    ) -> (CKContainer, ScriptedTransport) {
        let box = LockedBox<CKContainer?>(nil)
        let texts = answers.mapValues(\.description)
        let transport = ScriptedTransport.signedIn { request in
            if request.path == path, let container = box.withLock({ $0.take() }) {
                container.service.signIn(webAuthToken: next)
            }
            return texts[request.path].map { .json($0) } ?? .answer(404, [])
        }
        var configuration = NephosConfiguration.test
        if !signedIn { configuration.webAuthToken = nil }
        let container = CKContainer.test(transport, configuration)
        box.withLock { $0 = container }
        return (container, transport)
    }

    private func tokens(_ transport: ScriptedTransport, _ path: String) -> [String?] {
        transport.requests(path).map { $0.parameter("ckWebAuthToken") }
    }

    private func code(_ body: () async throws -> Void) async -> CKError.Code? {
        await #expect(throws: CKError.self) { try await body() }?.code
    }

    private func note(_ zone: String) -> CKRecord {
        CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: "a", zoneID: CKRecordZone.ID(zoneName: zone)))
    }

    private let saved: JSON = ["records": [["recordName": "a", "recordType": "Note", "recordChangeTag": "7"]]]

    @Test(arguments: ["new", nil]) func theRestOfASaveIsNotSentForAnother(next: String?) async throws {
        let (container, transport) = scene("records/modify", ["records/modify": saved], next: next)
        let records = [note("A"), note("B")]
        let code = await code {
            _ = try await container.privateCloudDatabase.modifyRecords(saving: records, deleting: [])
        }
        #expect(code == .notAuthenticated)
        #expect(tokens(transport, "records/modify") == ["first"])
        #expect(records.map(\.recordChangeTag) == ["7", nil])
    }

    @Test func theRestOfAFeedIsNotFetchedForAnother() async throws {
        let page: JSON = ["zones": [], "syncToken": "t", "moreComing": true]
        let (container, transport) = scene("changes/database", ["changes/database": page])
        let operation = CKFetchDatabaseChangesOperation(previousServerChangeToken: nil)
        let error: CKError? = await withCheckedContinuation { continuation in
            operation.fetchDatabaseChangesResultBlock = { result in
                if case .failure(let error) = result { continuation.resume(returning: error as? CKError) }
            }
            container.privateCloudDatabase.add(operation)
        }
        #expect(error?.code == .notAuthenticated)
        #expect(tokens(transport, "changes/database") == ["first"])
    }

    @Test func aFileOfOneIsNotSavedForAnother() async throws {
        let folder = try TemporaryFolder()
        let url = URL(fileURLWithPath: folder.path).appendingPathComponent("file")
        try Data("x".utf8).write(to: url)
        let (container, transport) = scene(
            "upload/here",
            [
                "assets/upload": ["tokens": [["url": "http://cloud.test/upload/here"]]],
                "upload/here": ["singleFile": ["fileChecksum": "c", "size": 1, "receipt": "r"]],
                "records/modify": saved,
            ])
        let record = note("A")
        record["file"] = CKAsset(fileURL: url)
        #expect(await code { try await container.privateCloudDatabase.save(record) } == .notAuthenticated)
        #expect(transport.requests("upload/here").count == 1)
        #expect(tokens(transport, "assets/upload") == ["first"] && transport.requests("records/modify").isEmpty)
    }

    @Test func whatNobodyBeganIsNotEndedBySomebody() async throws {
        let (container, transport) = scene("records/modify", ["records/modify": saved], signedIn: false)
        let code = await code {
            _ = try await container.publicCloudDatabase.modifyRecords(saving: [note("A"), note("B")], deleting: [])
        }
        #expect(code == .notAuthenticated)
        #expect(tokens(transport, "records/modify") == [nil])
    }

    @Test func aTokenOfOneIsNotGivenToAnother() async throws {
        let box = LockedBox<CKContainer?>(nil)
        let container = CKContainer.test(
            ScriptedTransport { _ in
                box.withLock { $0 }?.service.signIn(webAuthToken: "new")
                return .json(#"{"userRecordName":"_me"}"#)
            })
        box.withLock { $0 = container }
        defer { box.withLock { $0 = nil } }
        let operation = CKFetchWebAuthTokenOperation(apiToken: "api")
        let result: Result<String, any Error> = await withCheckedContinuation { continuation in
            operation.fetchWebAuthTokenResultBlock = { continuation.resume(returning: $0) }
            container.privateCloudDatabase.add(operation)
        }
        #expect((result.failure as? CKError)?.code == .notAuthenticated)
    }

    @Test func theNextOperationIsOfWhoIsSignedInThen() async throws {
        let (container, transport) = scene("records/modify", ["records/modify": saved])
        _ = try await container.privateCloudDatabase.save(note("A"))
        _ = try await container.privateCloudDatabase.save(note("B"))
        #expect(tokens(transport, "records/modify") == ["first", "new"])
    }
}
