import Foundation
import NephosTesting
import Testing

@testable import NephosKit

/// Which requests contain `clientChangeTokenData` (docs/client.md, "Operations" and "Using Apple's service").
@Suite struct ClientTokenTests {
    private static let zone = CKRecordZone.ID(zoneName: "Z")

    /// The requests of one operation in two zones, and the code of its error.
    private func modify(
        _ token: Data, _ service: NephosConfiguration.Service, in scope: CKDatabase.Scope = .private
    ) async throws -> (bodies: [JSON], code: CKError.Code?) {
        let transport = ScriptedTransport.signedIn { _ in .json(#"{"records":[]}"#) }
        var configuration = NephosConfiguration.test
        configuration.service = service
        let operation = CKModifyRecordsOperation(
            recordsToSave: ["a", "b"].map { CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: $0)) },
            recordIDsToDelete: [CKRecord.ID(recordName: "c", zoneID: Self.zone)])
        operation.clientChangeTokenData = token
        let code = LockedBox<CKError.Code?>(nil)
        operation.modifyRecordsResultBlock = { result in code.withLock { $0 = (result.failure as? CKError)?.code } }
        let database = CKContainer.test(transport, configuration).database(with: scope)
        await withCheckedContinuation { continuation in
            operation.completionBlock = { continuation.resume() }
            database.add(operation)
        }
        return (try transport.requests("records/modify").map { try JSON(reading: Array($0.bytes)) }, code.value)
    }

    @Test("Each custom zone's own request contains the token")
    func ours() async throws {
        let bodies = try await modify(Data([0, 255, 1]), .nephos).bodies
        #expect(bodies.map(\.["zoneID"]["zoneName"]) == ["_defaultZone", "Z"])
        #expect(bodies[0]["clientChangeToken"].isAbsent && bodies[1]["clientChangeToken"] == "AP8B")
    }

    @Test("Apple's service and the public database are sent no token, whatever its length")
    func others() async throws {
        for length in [1, 1_025] {
            let (bodies, code) = try await modify(Data(repeating: 1, count: length), .apple)
            #expect(code == nil && bodies.count == 2 && bodies.allSatisfy(\.["clientChangeToken"].isAbsent))
        }
        let bodies = try await modify(Data([1]), .nephos, in: .public).bodies
        #expect(bodies.count == 2 && bodies.allSatisfy(\.["clientChangeToken"].isAbsent))
    }

    @Test("A token that is too long is invalidArguments before anything is sent")
    func tooLong() async throws {
        let (bodies, code) = try await modify(Data(repeating: 1, count: 1_025), .nephos)
        #expect(bodies.isEmpty && code == .invalidArguments)
    }
}
