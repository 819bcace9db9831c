import Foundation
import NephosTesting
import Testing

@testable import NephosKit

/// Zones and subscriptions in responses are matched by their IDs: each requested one is reported once, and no others
/// (docs/client.md, "Operations").
@Suite struct MatchingTests {
    private func zones(_ names: String..., owner: String = CKCurrentUserDefaultName) -> [CKRecordZone.ID] {
        names.map { CKRecordZone.ID(zoneName: $0, ownerName: owner) }
    }

    private static func zone(_ name: String, _ more: JSON = [:]) -> JSON {
        .object([JSON.Member("zoneID", ["zoneName": .string(name), "ownerRecordName": "_me"])] + more.members)
    }

    private static func subscription(_ id: String, _ more: JSON = ["subscriptionType": "database"]) -> JSON {
        .object([JSON.Member("subscriptionID", .string(id))] + more.members)
    }

    private static let gone: JSON = ["deleted": true]
    private static let refused: JSON = ["serverErrorCode": "ACCESS_DENIED", "reason": "it is so"]

    /// Runs an operation, and returns the values passed to its item blocks.
    private func told<Work: CKDatabaseOperation>(
        _ operation: Work, _ database: CKDatabase, _ listen: (Work, @escaping @Sendable (String) -> Void) -> Void
    ) async -> [String] {
        let calls = LockedBox<[String]>([])
        listen(operation) { call in calls.withLock { $0.append(call) } }
        await withCheckedContinuation { continuation in
            operation.completionBlock = { continuation.resume() }
            database.add(operation)
        }
        return calls.value
    }

    private func told(
        saving saved: [CKRecordZone.ID], deleting deleted: [CKRecordZone.ID], _ answer: JSON
    ) async -> [String] {
        let operation = CKModifyRecordZonesOperation(
            recordZonesToSave: saved.map { CKRecordZone(zoneID: $0) }, recordZoneIDsToDelete: deleted)
        return await told(operation, CKDatabase.answering("zones/modify", ["zones": answer])) { operation, tell in
            operation.perRecordZoneSaveBlock = { tell("saved \($0.zoneName) \(word($1))") }
            operation.perRecordZoneDeleteBlock = { tell("deleted \($0.zoneName) \(word($1))") }
        }
    }

    private func told(saving saved: [String], deleting deleted: [String], _ answer: JSON) async -> [String] {
        let operation = CKModifySubscriptionsOperation(
            subscriptionsToSave: saved.map { CKDatabaseSubscription(subscriptionID: $0) },
            subscriptionIDsToDelete: deleted)
        let database = CKDatabase.answering("subscriptions/modify", ["subscriptions": answer])
        return await told(operation, database) { operation, tell in
            operation.perSubscriptionSaveBlock = { tell("saved \($0) \(word($1))") }
            operation.perSubscriptionDeleteBlock = { tell("deleted \($0) \(word($1))") }
        }
    }

    /// Responses in another order, with unrequested items, without the last and with one twice; for zones and for subscriptions.
    private func changes(_ item: (String, JSON) -> JSON, _ there: JSON) -> JSON {
        [
            item("b", Self.refused), item("stranger", there), item("d", Self.gone), Self.refused,
            item("a", there), item("stranger", Self.gone), item("a", there),
        ]
    }

    private let expected = [
        "saved a ok", "saved b permissionFailure", "saved c serverResponseLost", "deleted d ok",
        "deleted e serverResponseLost",
    ]

    @Test func changedZonesAreFoundByTheirIDs() async {
        let answer = changes(Self.zone, [:])
        #expect(await told(saving: zones("a", "b", "c"), deleting: zones("d", "e"), answer) == expected)
        // However they are named: a user's own zones have two names.
        let named = (zones("a", "b", "c", owner: "_me"), zones("d", "e", owner: "_me"))
        #expect(await told(saving: named.0, deleting: named.1, answer) == expected)
    }

    @Test func changedSubscriptionsAreFoundByTheirIDs() async {
        let answer = changes(Self.subscription, ["subscriptionType": "database"])
        #expect(await told(saving: ["a", "b", "c"], deleting: ["d", "e"], answer) == expected)
    }

    @Test func whatIsSavedAndDeletedInOneOperationHasAResultOfEach() async {
        let (made, gone) = (Self.zone("a"), Self.zone("a", Self.gone))
        for (answer, expected) in [
            ([made, gone] as JSON, ["saved a ok", "deleted a ok"]),
            ([gone, made], ["saved a ok", "deleted a ok"]),
            ([gone], ["saved a serverResponseLost", "deleted a ok"]),
            ([made, Self.zone("a", Self.refused)], ["saved a ok", "deleted a permissionFailure"]),
            ([], ["saved a serverResponseLost", "deleted a serverResponseLost"]),
        ] {
            #expect(await told(saving: zones("a", "a"), deleting: zones("a", "a"), answer) == expected)
        }
        let answer: JSON = [Self.subscription("a"), Self.subscription("a", Self.gone)]
        #expect(await told(saving: ["a", "a"], deleting: ["a"], answer) == ["saved a ok", "deleted a ok"])
    }

    // MARK: Fetching

    private func told(_ operation: CKFetchRecordZonesOperation, _ path: String, _ answer: JSON) async -> [String] {
        await told(operation, CKDatabase.answering(path, ["zones": answer])) { operation, tell in
            operation.perRecordZoneResultBlock = { tell("\($0.zoneName) \(word($1))") }
        }
    }

    private func told(_ operation: CKFetchSubscriptionsOperation, _ path: String, _ answer: JSON) async -> [String] {
        await told(operation, CKDatabase.answering(path, ["subscriptions": answer])) { operation, tell in
            operation.perSubscriptionResultBlock = { tell("\($0) \(word($1))") }
        }
    }

    /// The results of looking up a, b, c and d (and a again).
    private let found = ["a ok", "b permissionFailure", "c internalError"]

    @Test func eachZoneThatWasAskedForIsToldOnce() async throws {
        let answer: JSON = [
            Self.zone("stranger"), Self.zone("d", Self.gone), Self.zone("b", Self.refused), Self.zone("a"),
            Self.refused, Self.zone("a"), Self.zone("stranger", Self.refused),
        ]
        for owner in [CKCurrentUserDefaultName, "_me"] {
            let ids = zones("a", "b", "c", "d", "a", owner: owner)
            let lookup = CKFetchRecordZonesOperation(recordZoneIDs: ids)
            #expect(await told(lookup, "zones/lookup", answer) == found + ["d zoneNotFound"])
            #expect(Set(lookup.results.keys) == Set(ids))
        }
    }

    @Test func eachSubscriptionThatWasAskedForIsToldOnce() async {
        let answer: JSON = [
            Self.subscription("stranger"), Self.subscription("d", Self.gone), Self.subscription("b", Self.refused),
            Self.subscription("a"), Self.refused, Self.subscription("a"), Self.subscription("stranger", Self.refused),
        ]
        let lookup = CKFetchSubscriptionsOperation(subscriptionIDs: ["a", "b", "c", "d", "a"])
        #expect(await told(lookup, "subscriptions/lookup", answer) == found + ["d unknownItem"])
    }

    @Test func whoFetchesAllIsToldOfAllOnce() async {
        let zones: JSON = [Self.zone("b"), Self.zone("a"), Self.zone("b"), Self.zone("c", Self.refused)]
        let all = CKFetchRecordZonesOperation.fetchAllRecordZonesOperation()
        all.recordZoneIDs = self.zones("nobody asks for these")
        #expect(await told(all, "zones/list", zones) == ["b ok", "a ok", "c permissionFailure"])
        let subscriptions: JSON = [
            Self.subscription("b"), Self.subscription("a"), Self.subscription("b"),
            Self.subscription("c", Self.refused),
        ]
        let others = CKFetchSubscriptionsOperation.fetchAllSubscriptionsOperation()
        #expect(
            await told(others, "subscriptions/list", subscriptions) == ["b ok", "a ok", "c permissionFailure"])
    }
}

/// The value passed to a block, in a word.
private func word<Value>(_ result: Result<Value, any Error>) -> String {
    switch result {
    case .success: "ok"
    case .failure(let error): (error as? CKError).map { "\($0.code)" } ?? "\(error)"
    }
}
