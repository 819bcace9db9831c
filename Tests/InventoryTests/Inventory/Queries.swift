import CloudKit

/// Queries.
extension Inventory {
    mutating func query() {
        topic("Query")
        type("CKQuery", CKQuery.self as any (NSObject & NSSecureCoding & NSCopying & Sendable).Type)
        function(
            "CKQuery.init(recordType:predicate:)",
            CKQuery.init(recordType:predicate:) as (CKRecord.RecordType, NSPredicate) -> CKQuery)
        function("CKQuery.init(coder:)", CKQuery.init(coder:) as (NSCoder) -> CKQuery?)
        get("CKQuery.recordType", \CKQuery.recordType, CKRecord.RecordType.self)
        get("CKQuery.predicate", \CKQuery.predicate, NSPredicate.self)
        set("CKQuery.sortDescriptors", \CKQuery.sortDescriptors, [NSSortDescriptor]?.self)
        type("CKLocationSortDescriptor", CKLocationSortDescriptor.self as NSSortDescriptor.Type)
        function(
            "CKLocationSortDescriptor.init(key:relativeLocation:)",
            CKLocationSortDescriptor.init(key:relativeLocation:) as (String, CLLocation) -> CKLocationSortDescriptor)
        function(
            "CKLocationSortDescriptor.init(coder:)",
            CKLocationSortDescriptor.init(coder:) as (NSCoder) -> CKLocationSortDescriptor?)
        get(
            "CKLocationSortDescriptor.relativeLocation", \CKLocationSortDescriptor.relativeLocation, CLLocation.self)
        type(
            "CKQueryOperation.Cursor",
            CKQueryOperation.Cursor.self as any (NSObject & NSSecureCoding & NSCopying & Sendable).Type)
    }
}
