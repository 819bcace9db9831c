import Foundation
import NephosTesting
import Testing

@testable import NephosKit

/// One unreadable record of many fails alone, as far as it can be identified; the others are returned, and a feed continues
/// (docs/client.md, "Requests and responses").
@Suite("One unreadable record hides no other (S0-64)") struct UnreadableItemTests {
    private static let zone = CKRecordZone.ID(zoneName: "Z")
    private static let zoneJSON: JSON = ["zoneName": "Z", "ownerRecordName": "_me"]
    private static func id(_ name: String) -> CKRecord.ID { CKRecord.ID(recordName: name, zoneID: zone) }

    private static func record(_ name: String) -> JSON {
        [
            "recordName": .string(name), "recordType": "Note", "recordChangeTag": "7", "zoneID": zoneJSON,
            "fields": ["text": ["value": .string(name), "type": "STRING"]],
        ]
    }

    /// Faults of the record "bad", before its name and after it.
    private static let faults: [JSON] = [
        ["recordType": 5], ["recordType": nil], ["recordChangeTag": [:]], ["deleted": "yes"], ["created": 7],
        ["modified": ["timestamp": "now"]], ["fields": []], ["fields": ["x": 5]], ["parent": ["action": "NONE"]],
        ["fields": ["x": ["value": "?", "type": "BYTES"]]], ["fields": ["x": ["value": 1, "type": "NEW"]]],
        ["fields": ["deep": ["value": [[["x"]]], "type": "LOCATION"]]], ["serverErrorCode": 5],
    ]

    private static func bad(_ fault: JSON, first: Bool) -> JSON {
        let names = fault.members.map(\.name)
        let rest = record("bad").members.filter { !names.contains($0.name) }
        let members = first ? fault.members + rest : rest + fault.members
        return .object(members.filter { !$0.value.isAbsent })
    }

    private static func page(_ fault: JSON, first: Bool) -> JSON {
        ["records": [record("a"), bad(fault, first: first), record("b")], "syncToken": "t", "moreComing": false]
    }

    private func expect(
        _ results: [CKRecord.ID: Result<CKRecord, any Error>], _ fault: JSON, _ code: CKError.Code = .internalError
    ) throws {
        #expect(results.count == 3, "\(fault)")
        for name in ["a", "b"] {
            #expect(try results[Self.id(name)]?.get()["text"] as? String == name, "\(fault)")
        }
        let error = results[Self.id("bad")]?.failure as? CKError
        #expect(error?.code == code, "\(fault)")
        #expect(error?.localizedDescription.contains("the record bad cannot be read: ") == true, "\(fault)")
    }

    @Test(arguments: [false, true]) func othersOfALookupAreThere(first: Bool) async throws {
        for fault in Self.faults {
            let database = CKDatabase.answering("records/lookup", Self.page(fault, first: first))
            try expect(try await database.records(for: [Self.id("a"), Self.id("bad"), Self.id("b")]), fault)
        }
    }

    @Test(arguments: [false, true]) func othersOfAQueryAreThere(first: Bool) async throws {
        let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
        for fault in Self.faults {
            let database = CKDatabase.answering("records/query", Self.page(fault, first: first))
            let results = try await database.records(matching: query).matchResults
            #expect(results.map(\.0.recordName) == ["a", "bad", "b"])
            try expect(Dictionary(uniqueKeysWithValues: results), fault)
        }
    }

    @Test(arguments: [false, true]) func aFeedTellsOfItAndGoesOn(first: Bool) async throws {
        for fault in Self.faults {
            let answer: JSON = ["zones": [Self.page(fault, first: first)]]
            let database = CKDatabase.answering("changes/zone", answer)
            let changes = try await database.recordZoneChanges(inZoneWith: Self.zone, since: nil)
            #expect(changes.changeToken.text == "t" && !changes.moreComing)
            try expect(changes.modificationResultsByID.mapValues { $0.map(\.record) }, fault)
        }
    }

    @available(*, deprecated, message: "It is about an old operation.")
    @Test func theOlderFeedEndsWithAnErrorOfThatRecord() async throws {
        let container = CKContainer.answering("changes/zone", ["zones": [Self.page(["recordType": 5], first: true)]])
        let operation = CKFetchRecordChangesOperation(recordZoneID: Self.zone, previousServerChangeToken: nil)
        let names = LockedBox<[String]>([])
        operation.recordChangedBlock = { record in names.withLock { $0.append(record.recordID.recordName) } }
        let failed: [AnyHashable] = await withCheckedContinuation { continuation in
            operation.fetchRecordChangesCompletionBlock = { token, _, error in
                #expect(token?.text == "t")
                continuation.resume(returning: (error as? CKError)?.partialErrorsByItemID.map { Array($0.keys) } ?? [])
            }
            container.privateCloudDatabase.add(operation)
        }
        #expect(names.value == ["a", "b"] && failed == [Self.id("bad")])
    }

    /// It may have been saved or not: the response would have told.
    @Test func ofASavedRecordNobodyKnows() async throws {
        for fault in Self.faults {
            let database = CKDatabase.answering("records/modify", Self.page(fault, first: true))
            let records = ["a", "bad", "b"].map { name in
                let record = CKRecord(recordType: "Note", recordID: Self.id(name))
                record["text"] = name
                return record
            }
            try expect(
                try await database.modifyRecords(saving: records, deleting: []).saveResults, fault,
                .serverResponseLost)
        }
    }

    /// Not the program's fault: what it wanted to save was sent.
    @Test func ofASavedRecordThatCannotBeDecryptedNobodyKnows() async throws {
        let sealed: JSON = [
            "x": ["value": .string(FieldCipher.prefix + "AAAA"), "type": "STRING", "isEncrypted": true]
        ]
        let text = (["records": [Self.bad(["fields": sealed], first: false)]] as JSON).description
        var configuration = NephosConfiguration.test
        configuration.passphrase = "correct horse battery staple"
        let database = CKContainer.test(ScriptedTransport.signedIn { _ in .json(text) }, configuration)
            .privateCloudDatabase
        let record = CKRecord(recordType: "Note", recordID: Self.id("bad"))
        let results = try await database.modifyRecords(saving: [record], deleting: [], savePolicy: .changedKeys)
        #expect((results.saveResults[record.recordID]?.failure as? CKError)?.code == .serverResponseLost)
        let error = await #expect(throws: CKError.self) { try await database.record(for: record.recordID) }
        #expect(error?.code == .invalidArguments)
    }

    @Test func whatDoesNotSayWhichItIsFailsThePage() async throws {
        let strange: [JSON] = [
            ["recordType": "Note"], ["recordName": 5, "recordType": "Note"], [], 5, nil,
            ["recordName": "bad", "recordType": 5, "zoneID": 5],
        ]
        for item in strange {
            let database = CKDatabase.answering("records/lookup", ["records": [Self.record("a"), item]])
            let error = await #expect(throws: CKError.self) { try await database.records(for: [Self.id("a")]) }
            #expect(error?.code == .internalError, "\(item)")
        }
    }

    // MARK: Null

    @Test(arguments: Question.all) func nullMeansAbsentEverywhere(_ question: Question) async {
        for place in question.good.places {
            guard case .member = place.last else { continue }
            let outcomes = await [JSON.absent, nil].asyncMap { value in
                var answer = question.good
                answer[at: place] = value
                return await question.outcome(answer.bytes)
            }
            #expect(outcomes[0] == outcomes[1], "\(place)")
        }
    }

    // MARK: Delays

    @Test(arguments: [(1e300, 86_400.0), (-5, 0), (7.5, 7.5), (86_401, 86_400)])
    func noItemAsksForMoreThanADay(asked: Double, told: Double) async throws {
        let refused: JSON = [
            "recordName": "a", "serverErrorCode": "THROTTLED", "reason": "slowly", "retryAfter": .number("\(asked)"),
        ]
        let database = CKDatabase.answering("records/lookup", ["records": [refused]])
        let error = await #expect(throws: CKError.self) { try await database.record(for: Self.id("a")) }
        #expect(error?.code == .requestRateLimited && error?.retryAfterSeconds == told)
    }
}

extension Array {
    fileprivate func asyncMap<Value>(_ body: (Element) async -> Value) async -> [Value] {
        var values: [Value] = []
        for element in self { values.append(await body(element)) }
        return values
    }
}
