import CloudKit
import NephosTesting
import Testing

@testable import NephosKit

/// docs/protocol.md Z11: the zones of a request share the size of a response.
@Suite struct PutOffZoneTests {
    private static let big = CKRecordZone.ID(zoneName: "Big")
    private static let small = CKRecordZone.ID(zoneName: "Small")

    /// Three responses: Big uses all of the first two, and Small follows in the third.
    private static func answer(_ number: Int) -> JSON {
        func zone(_ id: CKRecordZone.ID, _ token: String, _ names: [String], more: Bool) -> JSON {
            [
                "zoneID": ["zoneName": .string(id.zoneName), "ownerRecordName": "_me"], "syncToken": .string(token),
                "moreComing": .bool(more),
                "records": .array(
                    names.map {
                        ["recordName": .string($0), "recordType": "Note", "fields": [:], "recordChangeTag": "1"]
                    }),
            ]
        }
        switch number {
        case 0: return ["zones": [zone(big, "b1", ["x"], more: true), zone(small, "s0", [], more: true)]]
        case 1: return ["zones": [zone(big, "b2", ["y"], more: true), zone(small, "s0", [], more: true)]]
        default: return ["zones": [zone(big, "b3", [], more: false), zone(small, "s1", ["z"], more: false)]]
        }
    }

    @Test("The changes of a zone that is postponed for another are reported in its turn")
    func putOff() async throws {
        let count = LockedBox(0)
        let container = CKContainer.test(
            ScriptedTransport.signedIn { request in
                guard request.path == "changes/zone" else { return .answer(404, []) }
                let number = count.withLock { count in
                    defer { count += 1 }
                    return count
                }
                return .json(Self.answer(number).description)
            })
        let operation = CKFetchRecordZoneChangesOperation(recordZoneIDs: [Self.big, Self.small])
        let told = LockedBox<[String]>([])
        operation.recordWasChangedBlock = { id, _ in told.withLock { $0.append(id.recordName) } }
        let failures = LockedBox(0)
        operation.recordZoneFetchResultBlock = { _, result in
            if case .failure = result { failures.withLock { $0 += 1 } }
        }
        await withCheckedContinuation { continuation in
            operation.fetchRecordZoneChangesResultBlock = { _ in continuation.resume() }
            container.privateCloudDatabase.add(operation)
        }
        #expect(told.value == ["x", "y", "z"])
        #expect(failures.value == 0)
    }
}
