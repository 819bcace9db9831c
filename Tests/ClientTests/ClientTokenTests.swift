import CloudKit
import Foundation
import Testing

extension ClientTests {
    /// `clientChangeTokenData`: docs/client.md, "Operations"; docs/protocol.md, X5 to X7.
    @Suite("7.3 clientChangeTokenData") struct ClientTokenTests {
        let cloud: Cloud
        let database: CKDatabase

        init() throws {
            cloud = try Cloud()
            database = try cloud.device().privateCloudDatabase
        }

        @discardableResult
        private func modify(
            _ database: CKDatabase, _ token: Data?, saving records: [CKRecord] = [], deleting ids: [CKRecord.ID] = []
        ) async -> CKError.Code? {
            let operation = CKModifyRecordsOperation(recordsToSave: records, recordIDsToDelete: ids)
            operation.clientChangeTokenData = token
            let ended = Ended()
            operation.modifyRecordsResultBlock = { ended.code = code($0) }
            await database.finish(operation)
            return ended.code
        }

        private final class Ended: @unchecked Sendable { var code: CKError.Code? }

        /// The results of a fetch for each zone, by name, and between pages.
        private final class FetchResults: @unchecked Sendable {
            var ends: [String: Data] = [:]
            var between: [Data?] = []
        }

        private func fetch(_ database: CKDatabase, _ zones: CKRecordZone.ID..., limit: Int = 0) async -> FetchResults {
            let wanted = CKFetchRecordZoneChangesOperation.ZoneConfiguration(resultsLimit: limit)
            let operation = CKFetchRecordZoneChangesOperation(
                recordZoneIDs: zones,
                configurationsByRecordZoneID: Dictionary(uniqueKeysWithValues: zones.map { ($0, wanted) }))
            let told = FetchResults()
            operation.recordZoneChangeTokensUpdatedBlock = { _, _, token in told.between.append(token) }
            operation.recordZoneFetchResultBlock = { zone, result in
                told.ends[zone.zoneName] = (try? result.get())?.clientChangeTokenData
            }
            await database.finish(operation)
            return told
        }

        @Test("Another device sees the client token of the latest operation in each zone that it changed")
        func latest() async throws {
            let (one, other) = (try await database.makeZone("One"), try await database.makeZone("Other"))
            let device = try cloud.device().privateCloudDatabase
            #expect(await fetch(device, one, other).ends.isEmpty)
            await modify(database, Data([0, 255]), saving: [note("a", in: one), note("b", in: other)])
            #expect(await fetch(device, one, other).ends == ["One": Data([0, 255]), "Other": Data([0, 255])])
            await modify(database, Data(), saving: [note("c", in: one)])
            await modify(database, nil, saving: [note("d", in: one)])
            #expect(await fetch(device, one, other).ends == ["One": Data(), "Other": Data([0, 255])])
        }

        @Test("The client token is reported between pages too, and with a single page")
        func pages() async throws {
            let zone = try await database.makeZone("Notes")
            await modify(database, Data([7]), saving: (0..<5).map { note("n\($0)", in: zone) })
            let told = await fetch(database, zone, limit: 2)
            #expect(told.between == [Data([7]), Data([7])] && told.ends == ["Notes": Data([7])])
        }

        @Test("A program finds out whether an operation whose response was lost has arrived")
        func lostAnswer() async throws {
            let zone = try await database.makeZone("Notes")
            let mine = note("a", in: zone)
            await modify(database, Data([1]), saving: [mine])
            // Another device saves first.
            let device = try cloud.device().privateCloudDatabase
            let theirs = try await device.record(for: mine.recordID)
            theirs["text"] = "theirs"
            await modify(device, Data([2]), saving: [theirs])
            // This request fails as a whole, so it does not count as arrived.
            mine["text"] = "mine"
            await modify(database, Data([3]), saving: [mine, note("b", in: zone)])
            #expect(await fetch(database, zone).ends == ["Notes": Data([2])])
            // A missing record already counts as deleted.
            await modify(database, Data([4]), deleting: [note("gone", in: zone).recordID])
            #expect(await fetch(database, zone).ends == ["Notes": Data([4])])
        }

        @Test("A client token has at most 1,024 bytes; a longer one is invalidArguments, and nothing is saved")
        func length() async throws {
            let zone = try await database.makeZone("Notes")
            let longest = Data(repeating: 9, count: 1_024)
            #expect(await modify(database, longest, saving: [note("a", in: zone)]) == nil)
            #expect(await modify(database, longest + [9], saving: [note("b", in: zone)]) == .invalidArguments)
            #expect(await fetch(database, zone).ends == ["Notes": longest])
            #expect(await code { _ = try await database.record(for: note("b", in: zone).recordID) } == .unknownItem)
        }

        @Test(
            "Default zones and the public database accept a client token but do not keep it; another person sees none")
        func elsewhere() async throws {
            let zone = try await database.makeZone("Notes")
            await modify(database, Data([1]), saving: [note("a", in: zone), note("b")])
            #expect(await modify(try cloud.device().publicCloudDatabase, Data([1]), saving: [note("c")]) == nil)
            let eve = try cloud.device("eve@example.org").privateCloudDatabase
            #expect(await fetch(eve, try await eve.makeZone("Notes")).ends.isEmpty)
        }

        @available(*, deprecated, message: "The operation is old.")
        @Test("The older operation for changes reports it too")
        func recordChanges() async throws {
            let zone = try await database.makeZone("Notes")
            await modify(database, Data([5]), saving: [note("a", in: zone)])
            let operation = CKFetchRecordChangesOperation(recordZoneID: zone, previousServerChangeToken: nil)
            let calls = Calls()
            operation.fetchRecordChangesCompletionBlock = { _, token, _ in calls.add("\(token.map(Array.init) ?? [])") }
            await database.finish(operation)
            #expect(calls.list == ["[5]"])
        }
    }
}
