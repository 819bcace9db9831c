import CloudKit
import Foundation
import Testing

extension ClientTests {
    /// Feeds that are interrupted, and continue from tokens that were returned.
    @Suite struct ResumeTests {
        let phone: CKDatabase
        let laptop: CKDatabase

        init() throws {
            let cloud = try Cloud()
            phone = try cloud.device().privateCloudDatabase
            laptop = try cloud.device().privateCloudDatabase
        }

        /// What was returned up to a token.
        private struct Step {
            var token: CKServerChangeToken
            var records: [String: String]
        }

        /// Fetches a zone in pages of three, like a program that stores every token.
        private final class Fetch: @unchecked Sendable {
            let operation: CKFetchRecordZoneChangesOperation
            private(set) var steps: [Step] = []
            private(set) var told: [String] = []
            private(set) var outcome: CKError.Code?
            private var records: [String: String]

            /// - Parameter limit: The number of tokens after which it is interrupted.
            init(_ zone: CKRecordZone.ID, from start: Step?, interruptedAfter limit: Int = .max) {
                operation = CKFetchRecordZoneChangesOperation(
                    recordZoneIDs: [zone],
                    configurationsByRecordZoneID: [
                        zone: .init(previousServerChangeToken: start?.token, resultsLimit: 3)
                    ])
                records = start?.records ?? [:]
                operation.recordWasChangedBlock = { [unowned self] id, result in
                    told.append(id.recordName)
                    records[id.recordName] = (try? result.get())?["text"]
                }
                operation.recordWithIDWasDeletedBlock = { [unowned self] id, _ in
                    told.append(id.recordName)
                    records[id.recordName] = nil
                }
                operation.recordZoneChangeTokensUpdatedBlock = { [unowned self] _, token, _ in
                    keep(token)
                    if steps.count == limit { operation.cancel() }
                }
                operation.recordZoneFetchResultBlock = { [unowned self] _, result in
                    keep((try? result.get())?.serverChangeToken)
                }
                operation.fetchRecordZoneChangesResultBlock = { [unowned self] in outcome = code($0) }
            }

            private func keep(_ token: CKServerChangeToken?) {
                if let token { steps.append(Step(token: token, records: records)) }
            }

            var end: [String: String]? { steps.last?.records }
        }

        private func fetch(
            _ zone: CKRecordZone.ID, from start: Step? = nil, interruptedAfter limit: Int = .max
        ) async -> Fetch {
            let fetch = Fetch(zone, from: start, interruptedAfter: limit)
            await phone.finish(fetch.operation)
            return fetch
        }

        @Test("An interrupted feed continues from any token: nothing is lost, and no finished page is repeated (S1-23)")
        func anyTokenGoesOn() async throws {
            let zone = try await laptop.makeZone("Notes")
            try await laptop.modifyRecords(saving: (0..<10).map { note("n\($0)", in: zone) }, deleting: [])
            let broken = await fetch(zone, interruptedAfter: 2)
            #expect(broken.outcome == .operationCancelled && broken.steps.map(\.records.count) == [3, 6])
            #expect(broken.told == (0..<6).map { "n\($0)" })

            for (number, step) in broken.steps.enumerated() {
                let rest = await fetch(zone, from: step)
                #expect(rest.outcome == nil && rest.end?.count == 10)
                #expect(rest.told == (number * 3 + 3..<10).map { "n\($0)" }, "from token \(number)")
            }

            // In the meantime others write: to a page that is finished, and to one that is not.
            let changed = try await laptop.record(for: note("n0", in: zone).recordID)
            changed["text"] = "new"
            try await laptop.modifyRecords(
                saving: [changed, note("n10", in: zone)],
                deleting: [note("n1", in: zone).recordID, note("n8", in: zone).recordID])
            var expected = Dictionary(uniqueKeysWithValues: (0...10).map { ("n\($0)", "x") })
            expected["n0"] = "new"
            for gone in ["n1", "n8"] { expected[gone] = nil }
            for (number, step) in broken.steps.enumerated() {
                let rest = await fetch(zone, from: step)
                #expect(rest.end == expected, "from token \(number)")
                let finished = (0..<number * 3 + 3).map { "n\($0)" }.filter { !["n0", "n1"].contains($0) }
                #expect(Set(rest.told).isDisjoint(with: finished) && Set(rest.told).count == rest.told.count)
                // Every token returned by this fetch works equally well.
                for later in rest.steps { #expect(await fetch(zone, from: later).end == expected) }
            }
        }

        @Test("One operation follows several zones, each from its own token (S1-24)")
        func eachZoneFromItsToken() async throws {
            var tokens: [CKRecordZone.ID: CKServerChangeToken] = [:]
            for (name, known) in [("One", 1), ("Two", 3), ("Three", 0)] {
                let zone = try await laptop.makeZone(name)
                for number in 0..<4 {
                    if number == known, known > 0 {
                        tokens[zone] = try await phone.recordZoneChanges(inZoneWith: zone, since: nil).changeToken
                    }
                    try await laptop.save(note("\(name)\(number)", in: zone))
                }
            }
            let zones = ["One", "Two", "Three"].map { CKRecordZone.ID(zoneName: $0) }
            let operation = CKFetchRecordZoneChangesOperation(
                recordZoneIDs: zones,
                configurationsByRecordZoneID: tokens.mapValues { .init(previousServerChangeToken: $0) })
            let (told, ends) = (Calls(), Calls())
            operation.recordWasChangedBlock = { id, _ in told.add(id.recordName) }
            operation.recordZoneFetchResultBlock = { zone, result in
                ends.add("\(zone.zoneName) \((try? result.get())?.moreComing == false)")
            }
            await phone.finish(operation)
            #expect(ends.list.sorted() == ["One true", "Three true", "Two true"])
            #expect(
                told.list.sorted() == ["One1", "One2", "One3", "Three0", "Three1", "Three2", "Three3", "Two3"])
        }
    }
}
