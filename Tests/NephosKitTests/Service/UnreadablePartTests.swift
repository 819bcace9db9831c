import NephosTesting
import Testing

@testable import NephosKit

/// A zone's changes or a subscription that is unreadable fails alone, and the others in the response are returned (docs/client.md,
/// "Requests and responses").
@Suite struct UnreadablePartTests {
    // MARK: Zones

    private static func zone(_ name: String) -> JSON {
        ["zoneID": ["zoneName": .string(name), "ownerRecordName": "_me"], "records": [], "syncToken": "t"]
    }

    /// Faults of the zone B in a response, with the zones A and C around it.
    private static let faults: [JSON] = [
        ["syncToken": 5], ["records": "none"], ["records": nil], ["moreComing": "no"], ["zoneID": 5],
        ["zoneID": ["zoneName": "A", "ownerRecordName": "_me"]], ["records": [["recordType": "Note"]]],
        ["clientChangeToken": "?"], ["serverErrorCode": 5],
    ]

    @Test func otherZonesOfTheirRequestAreFetched() async throws {
        let ids = ["A", "B", "C"].map { CKRecordZone.ID(zoneName: $0) }
        for fault in Self.faults {
            let names = fault.members.map(\.name)
            let rest = Self.zone("B").members.filter { !names.contains($0.name) }
            let answer: JSON = ["zones": [Self.zone("A"), .object(rest + fault.members), Self.zone("C")]]
            let operation = CKFetchRecordZoneChangesOperation(recordZoneIDs: ids, configurationsByRecordZoneID: nil)
            let told = LockedBox<[String: String]>([:])
            operation.recordZoneFetchResultBlock = { zone, result in
                let word = (result.failure as? CKError).map { "\($0.code.rawValue) \($0.localizedDescription)" }
                told.withLock { $0[zone.zoneName] = word ?? "ok" }
            }
            await withCheckedContinuation { continuation in
                operation.fetchRecordZoneChangesResultBlock = { _ in continuation.resume() }
                CKDatabase.answering("changes/zone", answer).add(operation)
            }
            #expect(told.value["A"] == "ok" && told.value["C"] == "ok", "\(fault)")
            let error = told.value["B"] ?? ""
            #expect(error.hasPrefix("1 changes of the zone B cannot be read: "), "\(fault): \(error)")
        }
    }

    // MARK: Subscriptions

    private static func subscriptions(_ strange: JSON) -> JSON {
        let database: (String) -> JSON = { ["subscriptionID": .string($0), "subscriptionType": "database"] }
        return ["subscriptions": [database("a"), strange, database("b")]]
    }

    private static let strangers: [JSON] = [
        ["subscriptionID": "new", "subscriptionType": "weather"], ["subscriptionID": "new"],
        ["subscriptionType": 5, "subscriptionID": "new"],
        ["subscriptionID": "new", "subscriptionType": "zone", "zoneID": 5],
        ["firesOn": [5], "subscriptionID": "new", "subscriptionType": "query"],
    ]

    @Test func otherSubscriptionsOfAListAreThere() async throws {
        for stranger in Self.strangers {
            let operation = CKFetchSubscriptionsOperation.fetchAllSubscriptionsOperation()
            let told = LockedBox<[String: String]>([:])
            operation.perSubscriptionResultBlock = { id, result in
                told.withLock { $0[id] = (result.failure as? CKError)?.localizedDescription ?? "ok" }
            }
            let ended = await withCheckedContinuation { continuation in
                operation.fetchSubscriptionsResultBlock = { continuation.resume(returning: $0.failure == nil) }
                CKDatabase.answering("subscriptions/list", Self.subscriptions(stranger)).add(operation)
            }
            #expect(ended && told.value["a"] == "ok" && told.value["b"] == "ok", "\(stranger)")
            #expect(told.value["new"]?.hasPrefix("the subscription new cannot be read: ") == true, "\(stranger)")
        }
    }

    /// It may have been saved or not: the response would have told.
    @Test func ofASavedSubscriptionThatCannotBeReadNobodyKnows() async throws {
        let saved = ["a", "new", "b"].map { CKDatabaseSubscription(subscriptionID: $0) }
        for stranger in Self.strangers {
            let results = try await CKDatabase.answering("subscriptions/modify", Self.subscriptions(stranger))
                .modifySubscriptions(saving: saved, deleting: []).saveResults
            #expect(results.compactMapValues { try? $0.get() }.keys.sorted() == ["a", "b"], "\(stranger)")
            #expect((results["new"]?.failure as? CKError)?.code == .serverResponseLost, "\(stranger)")
        }
    }

    @Test func whatDoesNotSayWhichItIsFailsTheAnswer() async throws {
        for stranger: JSON in [["subscriptionType": "database"], ["subscriptionID": 5], [], 5, nil] {
            let database = CKDatabase.answering("subscriptions/list", Self.subscriptions(stranger))
            let error = await #expect(throws: CKError.self) { try await database.allSubscriptions() }
            #expect(error?.code == .internalError, "\(stranger)")
        }
    }
}
