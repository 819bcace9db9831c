import CloudKit
import Testing

/// Predicates evaluated on records themselves, as programs do with cached ones.
@Suite struct RecordSubjectTests {
    @Test func aRecordIsWhatPredicatesAskAndSortDescriptorsOrder() {
        let records = [("b", 2), ("a", 3), ("c", 1)].map { name, stars in
            let record = CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: name))
            record["title"] = "Note \(name)"
            record["stars"] = stars
            record["tags"] = [name, "all"]
            return record
        }
        func names(_ predicate: NSPredicate) -> [String] {
            records.filter { predicate.evaluate(with: $0) }.map(\.recordID.recordName)
        }
        #expect(names(NSPredicate(format: "stars >= %d", 2)) == ["b", "a"])
        #expect(names(NSPredicate(format: "title BEGINSWITH %@ AND stars < 3", "Note")) == ["b", "c"])
        #expect(names(NSPredicate(format: "tags CONTAINS %@", "c")) == ["c"])
        #expect(names(NSPredicate(format: "recordID == %@", CKRecord.ID(recordName: "a"))) == ["a"])
        #expect(names(NSPredicate(format: "recordName IN %@", ["a", "b"])) == ["b", "a"])
        #expect(names(NSPredicate(format: "self CONTAINS 'note'")) == ["b", "a", "c"])
        #expect(names(NSPredicate(format: "creationDate > %@", Date() as CVarArg)) == [])
        let sorted = records.sorted {
            NSSortDescriptor(key: "stars", ascending: true).compare($0, to: $1) == .orderedAscending
        }
        #expect(sorted.map(\.recordID.recordName) == ["c", "b", "a"])
    }
}
