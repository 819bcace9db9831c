import Foundation
import NephosTesting
import Testing

@testable import NephosKit

/// docs/client.md, "Operations": a request has at most 16 MB.
@Suite struct RequestSizeTests {
    private func save(
        _ records: [CKRecord], to configuration: NephosConfiguration = .test
    ) async throws -> (code: CKError.Code?, sent: Int) {
        let transport = ScriptedTransport.signedIn { _ in .json(#"{"records":[]}"#) }
        let database = CKContainer.test(transport, configuration).privateCloudDatabase
        var code: CKError.Code?
        do { _ = try await database.modifyRecords(saving: records, deleting: []) } catch {
            code = (error as? CKError)?.code
        }
        return (code, transport.requests("records/modify").count)
    }

    private func record(_ name: String, bytes: Int) -> CKRecord {
        let record = CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: name))
        record["text"] = String(repeating: "x", count: bytes)
        return record
    }

    @Test("A longer request is limitExceeded, and is not sent")
    func tooLong() async throws {
        let records = (0..<17).map { record("r\($0)", bytes: 1 << 20) }
        let (code, sent) = try await save(records)
        #expect(code == .limitExceeded && sent == 0)
    }

    @Test(
        "A server gets 400 changes in one request, Apple's service 200; more are limitExceeded, and nothing is sent",
        arguments: [(NephosConfiguration.Service.nephos, 400), (.apple, 200)])
    func changes(service: NephosConfiguration.Service, limit: Int) async throws {
        var configuration = NephosConfiguration.test
        configuration.service = service
        let records = (0...limit).map { record("r\($0)", bytes: 1) }
        let (code, sent) = try await save(records, to: configuration)
        #expect(code == .limitExceeded && sent == 0)
        #expect(try await save(Array(records.dropLast()), to: configuration).sent == 1)
    }

    @Test("The limit is 16 MB, to the byte")
    func limit() throws {
        try RequestLimits.check(bytes: 16 << 20)
        #expect(throws: CKError.self) { try RequestLimits.check(bytes: (16 << 20) + 1) }
    }
}
