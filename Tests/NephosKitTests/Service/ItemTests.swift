import NephosTesting
import Testing

@testable import NephosKit

/// Responses with other items than requested: a missing item is an error of that item, and never another's result.
@Suite struct ItemTests {
    private static let zone = CKRecordZone.ID(zoneName: "Z")

    private func record(_ name: String, _ text: String? = nil) -> JSON {
        let fields: JSON = text.map { ["text": ["value": .string($0), "type": "STRING"]] } ?? [:]
        return ["recordName": .string(name), "recordType": "Note", "recordChangeTag": "7", "fields": fields]
    }

    private func failed(_ name: String, _ code: String) -> JSON {
        ["recordName": .string(name), "serverErrorCode": .string(code), "reason": "it is so"]
    }

    private func ids(_ names: String...) -> [CKRecord.ID] {
        names.map { CKRecord.ID(recordName: $0, zoneID: Self.zone) }
    }

    private func codes<ID: Hashable, Value>(_ results: [ID: Result<Value, any Error>]) -> [CKError.Code?] {
        results.values.map { ($0.failure as? CKError)?.code }
    }

    // MARK: Fetching

    @Test func whatIsMissingIsAnErrorOfThatItem() async throws {
        let database = CKDatabase.answering("records/lookup", ["records": [record("a")]])
        let results = try await database.records(for: ids("a", "b"))
        #expect(results.count == 2)
        #expect(try results[ids("a")[0]]?.get().recordID.recordName == "a")
        #expect((results[ids("b")[0]]?.failure as? CKError)?.code == .internalError)
    }

    @Test func anotherOrderIsNoMatter() async throws {
        let database = CKDatabase.answering(
            "records/lookup", ["records": [failed("c", "NOT_FOUND"), record("b", "B"), record("a", "A")]])
        let results = try await database.records(for: ids("a", "b", "c"))
        #expect(try results[ids("a")[0]]?.get()["text"] as? String == "A")
        #expect(try results[ids("b")[0]]?.get()["text"] as? String == "B")
        #expect((results[ids("c")[0]]?.failure as? CKError)?.code == .unknownItem)
    }

    @Test func whatNobodyAskedForIsNotGiven() async throws {
        let database = CKDatabase.answering(
            "records/lookup", ["records": [record("x"), record("a"), record("y"), failed("z", "?")]])
        let results = try await database.records(for: ids("a"))
        #expect(Set(results.keys) == Set(ids("a")))
    }

    @Test func whatIsThereTwiceIsGivenOnce() async throws {
        let database = CKDatabase.answering("records/lookup", ["records": [record("a", "1"), record("a", "2")]])
        let results = try await database.records(for: ids("a", "a"))
        #expect(results.count == 1)
        #expect(try results[ids("a")[0]]?.get()["text"] as? String == "2")
    }

    @Test func anErrorWithoutANameIsNobodysResult() async throws {
        let database = CKDatabase.answering(
            "records/lookup", ["records": [["serverErrorCode": "NOT_FOUND", "reason": "who?"]]])
        #expect(codes(try await database.records(for: ids("a"))) == [.internalError])
    }

    // MARK: Saving

    @Test func nobodyKnowsOfWhatIsNotAnsweredWhetherItWasSaved() async throws {
        let database = CKDatabase.answering("records/modify", ["records": [record("a")]])
        let (a, b) = (note("a"), note("b"))
        let (saved, deleted) = try await database.modifyRecords(saving: [a, b], deleting: ids("c"))
        #expect(try saved[a.recordID]?.get() === a)
        #expect(a.recordChangeTag == "7" && a.changedKeys().isEmpty)
        #expect((saved[b.recordID]?.failure as? CKError)?.code == .serverResponseLost)
        #expect(b.recordChangeTag == nil && b.changedKeys() == ["text"])
        #expect(codes(deleted) == [.serverResponseLost])
    }

    @Test func aDeletionInTheAnswerToASaveIsNoSave() async throws {
        let database = CKDatabase.answering(
            "records/modify", ["records": [["recordName": "a", "deleted": true], record("b")]])
        let (saved, deleted) = try await database.modifyRecords(saving: [note("a")], deleting: ids("b"))
        #expect(codes(saved) == [.serverResponseLost])
        #expect(codes(deleted) == [.serverResponseLost])
    }

    // docs/client.md
    @Test func aRecordOfAnotherTypeInTheAnswerToASaveIsNoSave() async throws {
        let database = CKDatabase.answering(
            "records/modify", ["records": [["recordName": "a", "recordType": "Other", "recordChangeTag": "9"]]])
        let note = note("a")
        let error = await #expect(throws: CKError.self) { try await database.save(note) }
        #expect(error?.code == .serverResponseLost)
        #expect(note.recordType == "Note" && note.recordChangeTag == nil && note["text"] as? String == "mine")
        #expect(note.changedKeys() == ["text"])
    }

    private func note(_ name: String) -> CKRecord {
        let record = CKRecord(recordType: "Note", recordID: ids(name)[0])
        record["text"] = "mine"
        return record
    }

    // MARK: Zones, changes and subscriptions

    @Test func aZoneThatIsNotAnsweredIsAnError() async throws {
        let database = CKDatabase.answering("zones/lookup", ["zones": []])
        let error = await #expect(throws: CKError.self) { try await database.recordZone(for: Self.zone) }
        #expect(error?.code == .internalError)
    }

    @Test func changesOfAnotherZoneAreNotTakenForThoseOfThisOne() async throws {
        let other: JSON = ["zoneID": ["zoneName": "Other", "ownerRecordName": "_me"], "records": [], "syncToken": "o"]
        let own: JSON = ["zoneID": ["zoneName": "Z", "ownerRecordName": "_me"], "records": [], "syncToken": "z"]
        for zones: JSON in [[other], [other, own], [own, other], []] {
            let database = CKDatabase.answering("changes/zone", ["zones": zones])
            let error = await #expect(throws: CKError.self) {
                try await database.recordZoneChanges(inZoneWith: Self.zone, since: nil)
            }
            #expect(error?.code == .internalError)
        }
        let database = CKDatabase.answering("changes/zone", ["zones": [own]])
        let changes = try await database.recordZoneChanges(inZoneWith: Self.zone, since: nil)
        #expect(changes.changeToken == CKServerChangeToken("z"))
    }

    /// Operations continue while more is coming: without this they would never end.
    @Test func moreThatIsComingFromTheSamePlaceIsAnError() async throws {
        let token = CKServerChangeToken("same")
        let zones = CKDatabase.answering("changes/database", ["zones": [], "syncToken": "same", "moreComing": true])
        let first = await #expect(throws: CKError.self) { try await zones.databaseChanges(since: token) }
        #expect(first?.code == .internalError)
        let zone: JSON = ["records": [], "syncToken": "same", "moreComing": true]
        let records = CKDatabase.answering("changes/zone", ["zones": [zone]])
        let second = await #expect(throws: CKError.self) {
            try await records.recordZoneChanges(inZoneWith: Self.zone, since: token)
        }
        #expect(second?.code == .internalError)
    }

    @Test func aSubscriptionThatIsNotAnsweredIsAnError() async throws {
        let database = CKDatabase.answering(
            "subscriptions/modify", ["subscriptions": [["subscriptionID": "other", "subscriptionType": "database"]]])
        let error = await #expect(throws: CKError.self) {
            try await database.save(CKDatabaseSubscription(subscriptionID: "s"))
        }
        #expect(error?.code == .serverResponseLost)
    }
}
