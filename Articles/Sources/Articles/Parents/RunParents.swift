import CloudKit

/// An album with a photo.
func runParents(_ arguments: [String]) {
    let album = CKRecord(recordType: "album", recordID: CKRecord.ID(recordName: "holidays"))
    let operation = CKModifyRecordsOperation(recordsToSave: [album, photo(in: album.recordID)])
    operation.modifyRecordsCompletionBlock = { records, _, error in
        print(error.map { "failed: \($0)" } ?? "saved \(records?.count ?? 0)")
    }
    CKContainer.default().privateCloudDatabase.add(operation)
}
