import CloudKit
import Foundation
import Testing

extension ClientTests {
    /// What is deleted together, and what prevents deletion.
    @Suite("13.3 Deletion and references") struct DeletionTests {
        let database: CKDatabase
        let zone: CKRecordZone.ID

        init() async throws {
            database = try Cloud().device().privateCloudDatabase
            zone = try await database.makeZone("Notes")
        }

        private func exists(_ id: CKRecord.ID) async -> Bool {
            await code { _ = try await database.record(for: id) } == nil
        }

        @Test(
            "M14: deleting a missing record alone is unknownItem, in a batch it succeeds; in a missing zone it is zoneNotFound"
        )
        func missing() async throws {
            let id = CKRecord.ID(recordName: "none", zoneID: zone)
            #expect(await code { try await database.deleteRecord(withID: id) } == .unknownItem)
            let other = note("other", in: zone)
            let (saved, deleted) = try await database.modifyRecords(saving: [other], deleting: [id])
            #expect(code(deleted[id]) == nil && deleted.count == 1, "a batch that is sent again succeeds")
            #expect(code(saved[other.recordID]) == nil, "and is not undone")
            #expect(try await database.deleteRecord(withID: other.recordID) == other.recordID)
            #expect(await code { try await database.deleteRecord(withID: other.recordID) } == .unknownItem)
            #expect(await code { _ = try await database.record(for: id) } == .unknownItem)
            let nowhere = CKRecord.ID(recordName: "none", zoneID: CKRecordZone.ID(zoneName: "Nowhere"))
            #expect(await code { try await database.deleteRecord(withID: nowhere) } == .zoneNotFound)
            let many = try await database.modifyRecords(saving: [], deleting: [nowhere]).deleteResults
            #expect(code(many[nowhere]) == .zoneNotFound)
            #expect(await code { try await database.deleteRecordZone(withID: nowhere.zoneID) } == .zoneNotFound)
            let zones = try await database.modifyRecordZones(saving: [], deleting: [nowhere.zoneID]).deleteResults
            #expect(code(zones[nowhere.zoneID]) == .zoneNotFound)
            #expect(await code { try await database.deleteSubscription(withID: "none") } == .unknownItem)
            #expect(await code { _ = try await database.record(for: nowhere) } == .zoneNotFound)
            #expect(await code { try await database.save(note("a", in: nowhere.zoneID)) } == .zoneNotFound)
        }

        @Test("A reference with action none stays when its target is deleted, and needs no target")
        func dangling() async throws {
            let (target, holder) = (note("target", in: zone), note("holder", in: zone))
            holder["to"] = CKRecord.Reference(record: target, action: .none)
            try await database.save(holder)
            try await database.save(target)
            try await database.deleteRecord(withID: target.recordID)
            let reference = try await database.record(for: holder.recordID)["to"] as? CKRecord.Reference
            #expect(reference?.recordID == target.recordID && reference?.action == CKRecord.ReferenceAction.none)
        }

        @Test(
            "deleteSelf: a record is deleted with any of its targets, at any distance; the feed reports it, the operation does not"
        )
        func cascades() async throws {
            let (target, holder, far) = (note("t", in: zone), note("h", in: zone), note("f", in: zone))
            holder["to"] = CKRecord.Reference(record: target, action: .deleteSelf)
            far["tos"] = [CKRecord.Reference(record: holder, action: .deleteSelf)]
            let saved = try await database.modifyRecords(saving: [far, holder, target], deleting: []).saveResults
            #expect(saved.values.allSatisfy { $0.isSuccess }, "\(saved)")
            let token = try await database.recordZoneChanges(inZoneWith: zone, since: nil).changeToken
            let deleted = try await database.modifyRecords(saving: [], deleting: [target.recordID]).deleteResults
            #expect(Set(deleted.keys) == [target.recordID])
            let gone = try await database.recordZoneChanges(inZoneWith: zone, since: token).deletions
            #expect(Set(gone.map(\.recordID)) == [target.recordID, holder.recordID, far.recordID])
            #expect(gone.allSatisfy { $0.recordType == "Note" })
            #expect(await !exists(far.recordID))
        }

        @Test("13.13 (1): a parent must exist or be saved in the same batch, in any order")
        func parents() async throws {
            let (parent, child) = (note("parent", in: zone), note("child", in: zone))
            child.setParent(parent)
            #expect(await code { try await database.save(child) } == .referenceViolation)
            try await database.modifyRecords(saving: [child, parent], deleting: [])
            #expect(try await database.record(for: child.recordID).parent?.recordID == parent.recordID)
        }

        @Test("13.13 (2): a parent cannot be deleted alone, only together with its children")
        func parentsHold() async throws {
            let (parent, child) = (note("parent", in: zone), note("child", in: zone))
            child.setParent(parent.recordID)
            try await database.modifyRecords(saving: [parent, child], deleting: [])
            #expect(await code { try await database.deleteRecord(withID: parent.recordID) } == .referenceViolation)
            let ids = [parent.recordID, child.recordID]
            let deleted = try await database.modifyRecords(saving: [], deleting: ids).deleteResults
            #expect(deleted.values.allSatisfy { code($0) == nil })
            #expect(await !exists(parent.recordID))
        }

        @Test("13.13 (4): deletions of a failed batch are rolled back with it")
        func undone() async throws {
            let kept = note("kept", in: zone)
            try await database.save(kept)
            _ = try await database.modifyRecords(saving: [note("kept2", in: zone)], deleting: [])
            let bad = note("kept2", in: zone, text: "again")
            let (_, deleted) = try await database.modifyRecords(saving: [bad], deleting: [kept.recordID])
            #expect(code(deleted[kept.recordID]) == .batchRequestFailed)
            #expect(await exists(kept.recordID))
        }

        @Test("References are limited to one zone")
        func otherZones() async throws {
            let other = try await database.makeZone("Other")
            let target = note("target", in: other)
            try await database.save(target)
            let holder = note("holder", in: zone)
            holder["to"] = CKRecord.Reference(record: target, action: .none)
            #expect(await code { try await database.save(holder) } == .invalidArguments)
        }

        @Test("Naming an item twice in an operation is invalidArguments")
        func twice() async throws {
            let record = note("a", in: zone)
            #expect(
                await code { try await database.modifyRecords(saving: [record], deleting: [record.recordID]) }
                    == .invalidArguments)
            #expect(
                await code { try await database.modifyRecords(saving: [record, note("a", in: zone)], deleting: []) }
                    == .invalidArguments)
        }
    }
}
