import NephosTesting
import Testing

@testable import NephosKit

/// Endless feeds (docs/client.md, "Operations"): without a limit the operation would not end either.
@Suite struct EndlessFeedTests {
    /// Returns page after page with new tokens, of which more is always coming; every n-th of them contains something.
    private func transport(_ path: String, every: Int?, until end: Int = .max) -> ScriptedTransport {
        let count = LockedBox(0)
        return ScriptedTransport.signedIn { request in
            guard request.path == path else { return .answer(404, []) }
            let page = count.withLock {
                $0 += 1; return $0
            }
            let isFull = every.map { page % $0 == 0 } ?? false
            let rest = #""syncToken":"\#(page)","moreComing":\#(page < end)"#
            if path == "changes/database" {
                return .json(#"{"zones":[\#(isFull ? #"{"zoneID":{"zoneName":"Z"}}"# : "")],\#(rest)}"#)
            }
            let item = #"{"recordName":"a","recordType":"Note","deleted":true}"#
            return .json(#"{"zones":[{"records":[\#(isFull ? item : "")],\#(rest)}]}"#)
        }
    }

    private func databaseError(_ transport: ScriptedTransport) async -> CKError? {
        let operation = CKFetchDatabaseChangesOperation(previousServerChangeToken: nil)
        return await withCheckedContinuation { continuation in
            operation.fetchDatabaseChangesResultBlock = { continuation.resume(returning: $0.failure as? CKError) }
            CKContainer.test(transport).privateCloudDatabase.add(operation)
        }
    }

    /// The zone's error, and the last token before it.
    private func zoneError(_ transport: ScriptedTransport) async -> (CKError?, String?) {
        let operation = CKFetchRecordZoneChangesOperation(recordZoneIDs: [CKRecordZone.ID(zoneName: "Z")])
        let (zone, token) = (LockedBox<CKError?>(nil), LockedBox<String?>(nil))
        operation.recordZoneChangeTokensUpdatedBlock = { _, next, _ in token.withLock { $0 = next?.text } }
        operation.recordZoneFetchResultBlock = { _, result in zone.withLock { $0 = result.failure as? CKError } }
        await withCheckedContinuation { continuation in
            operation.fetchRecordZoneChangesResultBlock = { result in
                #expect(result.isSuccess)
                continuation.resume()
            }
            CKContainer.test(transport).privateCloudDatabase.add(operation)
        }
        return (zone.value, token.value)
    }

    @Test func aHundredPagesInARowWithoutAnythingAreAnError() async {
        let database = transport("changes/database", every: nil)
        #expect(await databaseError(database)?.code == .internalError)
        #expect(database.requests("changes/database").count == 100)
        let zone = transport("changes/zone", every: nil)
        let (error, token) = await zoneError(zone)
        #expect(error?.code == .internalError && token == "100")
        #expect(zone.requests("changes/zone").count == 100)
    }

    @Test(arguments: [1, 2, 100]) func aFeedThatBringsSomethingNowAndThenGoesOn(every: Int) async {
        let database = transport("changes/database", every: every, until: 350)
        #expect(await databaseError(database) == nil)
        #expect(database.requests("changes/database").count == 350)
        let (error, token) = await zoneError(transport("changes/zone", every: every, until: 350))
        #expect(error == nil && token == "349")
    }
}
