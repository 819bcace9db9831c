import Foundation
import NephosTesting
import Testing

@testable import NephosKit

/// Errors name calls of the library where the server's reasons name endpoints (docs/client.md, "Errors").
@Suite struct CallNameTests {
    private func error(_ reason: String) async -> CKError? {
        let body: JSON = ["serverErrorCode": "BAD_REQUEST", "reason": .string(reason)]
        let container = CKContainer.test(ScriptedTransport { _ in .json(body.description, status: 400) })
        return await #expect(throws: CKError.self) { try await container.userRecordID() }
    }

    @Test func everyEndpointThatTheLibraryAsksHasACall() async {
        for path in Set(Question.all.map(\.path) + ["assets/upload", "tokens/create"]) {
            let text = await error("of \(path), ask again")?.localizedDescription ?? path
            #expect(!text.contains("/") && text.hasPrefix("of ") && text.hasSuffix(", ask again"), "\(path): \(text)")
        }
    }

    @Test(
        arguments: [
            (
                "No zone 'Z'; create it with zones/modify",
                "No zone 'Z'; create it with CKDatabase.modifyRecordZones(saving:deleting:)"
            ),
            ("zones/list, records/query.", "CKDatabase.allRecordZones(), CKDatabase.records(matching:)."),
            ("see https://cloud.test/records/modify", "see https://cloud.test/records/modify"),
            ("image/png, or 1/2 of records/modify/x", "image/png, or 1/2 of records/modify/x"),
            ("no path at all", "no path at all"), ("/", "/"),
        ])
    func onlyEndpointsAreRenamed(_ reason: String, _ expected: String) async {
        let error = await error(reason)
        #expect(error?.localizedDescription == expected)
        #expect(error?.userInfo["ServerErrorDescription"] as? String == "BAD_REQUEST: \(reason)")
    }

    @Test("Each phrase that is replaced is one that the server sends")
    func phrases() throws {
        let folder = URL(filePath: #filePath).appending(path: "../../../RequestTests/Recorded").standardized
        let recorded = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .map { try String(contentsOf: $0, encoding: .utf8) }
        for (sent, shown) in CallNames.phrases {
            #expect(recorded.contains { $0.contains(sent) }, "\(sent)")
            #expect(CallNames.named(in: "a; \(sent), b") == "a; \(shown), b")
        }
    }

    @Test func errorsOfItemsNameCallsToo() async throws {
        let reason = "Zone 'Z' does not exist; create it with zones/modify"
        let failed: JSON = ["recordName": "a", "serverErrorCode": "CONFLICT", "reason": .string(reason)]
        let record = CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: "a"))
        let database = CKDatabase.answering("records/modify", ["records": [failed]])
        let error = await #expect(throws: CKError.self) { try await database.save(record) }
        #expect(
            error?.localizedDescription
                == "Zone 'Z' does not exist; create it with CKDatabase.modifyRecordZones(saving:deleting:)")
    }
}
