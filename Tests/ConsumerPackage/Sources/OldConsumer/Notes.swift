import CloudKit

public func makeNote(titled title: String) -> CKRecord {
    let record = CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: "note"))
    record["title"] = title
    record.setObject(Date() as CKRecordValue, forKey: "date")
    return record
}

public func isGreeting(_ note: CKRecord) -> Bool {
    NSPredicate(format: "title BEGINSWITH %@ AND date <= %@", "Hell", Date() as NSDate).evaluate(with: note)
}
