import CloudKit

/// Records, and types with fields.
@available(*, deprecated, message: "It names what is deprecated as well.")
extension Inventory {
    mutating func records() {
        topic("Record")
        type("CKRecord", CKRecord.self as any (NSObject & NSSecureCoding & NSCopying & Sendable).Type)
        alias("CKRecord.RecordType", CKRecord.RecordType.self, String.self)
        alias("CKRecord.FieldKey", CKRecord.FieldKey.self, String.self)
        function(
            "CKRecord.init(recordType:)", CKRecord.init(recordType:) as (CKRecord.RecordType) -> CKRecord)
        function(
            "CKRecord.init(recordType:recordID:)",
            CKRecord.init(recordType:recordID:) as (CKRecord.RecordType, CKRecord.ID) -> CKRecord)
        function(
            "CKRecord.init(recordType:zoneID:)",
            CKRecord.init(recordType:zoneID:) as (CKRecord.RecordType, CKRecordZone.ID) -> CKRecord)
        function("CKRecord.init(coder:)", CKRecord.init(coder:) as (NSCoder) -> CKRecord?)
        get("CKRecord.recordType", \CKRecord.recordType, CKRecord.RecordType.self)
        get("CKRecord.recordID", \CKRecord.recordID, CKRecord.ID.self)
        get("CKRecord.recordChangeTag", \CKRecord.recordChangeTag, String?.self)
        get("CKRecord.creatorUserRecordID", \CKRecord.creatorUserRecordID, CKRecord.ID?.self)
        get("CKRecord.creationDate", \CKRecord.creationDate, Date?.self)
        get("CKRecord.lastModifiedUserRecordID", \CKRecord.lastModifiedUserRecordID, CKRecord.ID?.self)
        get("CKRecord.modificationDate", \CKRecord.modificationDate, Date?.self)
        get("CKRecord.share", \CKRecord.share, CKRecord.Reference?.self)
        set("CKRecord.parent", \CKRecord.parent, CKRecord.Reference?.self)
        get("CKRecord.encryptedValues", \CKRecord.encryptedValues, (any CKRecordKeyValueSetting & Sendable).self)
        type("CKRecord.SystemType", CKRecord.SystemType.self)
        type("CKRecord.SystemFieldKey", CKRecord.SystemFieldKey.self)
        recordFunctions()
    }

    private mutating func recordFunctions() {
        function(
            "CKRecord.object(forKey:)",
            CKRecord.object(forKey:) as (CKRecord) -> (CKRecord.FieldKey) -> (any CKRecordValue)?)
        function(
            "CKRecord.setObject(_:forKey:)",
            CKRecord.setObject(_:forKey:) as (CKRecord) -> ((any CKRecordValue)?, CKRecord.FieldKey) -> Void)
        function("CKRecord.value(forKey:)", CKRecord.value(forKey:) as (CKRecord) -> (String) -> Any?)
        function(
            "CKRecord.setValue(_:forKey:)", CKRecord.setValue(_:forKey:) as (CKRecord) -> (Any?, String) -> Void)
        function("CKRecord.allKeys()", CKRecord.allKeys as (CKRecord) -> () -> [CKRecord.FieldKey])
        function("CKRecord.changedKeys()", CKRecord.changedKeys as (CKRecord) -> () -> [CKRecord.FieldKey])
        function("CKRecord.allTokens()", CKRecord.allTokens as (CKRecord) -> () -> [String])
        function(
            "CKRecord.encodeSystemFields(with:)",
            CKRecord.encodeSystemFields(with:) as (CKRecord) -> (NSCoder) -> Void)
        function("CKRecord.setParent(_: CKRecord?)", CKRecord.setParent(_:) as (CKRecord) -> (CKRecord?) -> Void)
        function("CKRecord.setParent(_: CKRecord.ID?)", CKRecord.setParent(_:) as (CKRecord) -> (CKRecord.ID?) -> Void)
        function("CKRecord.makeIterator()", CKRecord.makeIterator as (CKRecord) -> () -> CKRecordKeyValueIterator)
        _ = CKRecord.self as any Sequence.Type
    }

    mutating func fields() {
        topic("Record: fields")
        typealias Fields = CKRecordKeyValueSetting
        type("CKRecordKeyValueSetting", (any CKRecordKeyValueSetting).self)
        function(
            "CKRecordKeyValueSetting.object(forKey:)",
            { $0.object(forKey: $1) } as (any Fields, CKRecord.FieldKey) -> (any CKRecordValue)?)
        function(
            "CKRecordKeyValueSetting.setObject(_:forKey:)",
            { $0.setObject($1, forKey: $2) } as (any Fields, (any CKRecordValue)?, CKRecord.FieldKey) -> Void)
        function("CKRecordKeyValueSetting.allKeys()", { $0.allKeys() } as (any Fields) -> [CKRecord.FieldKey])
        function("CKRecordKeyValueSetting.changedKeys()", { $0.changedKeys() } as (any Fields) -> [CKRecord.FieldKey])
        set(
            "CKRecordKeyValueSetting.subscript(_:) -> CKRecordValue?", \CKRecord["text"], (any CKRecordValue)?.self)
        set("CKRecordKeyValueSetting.subscript(_:) -> T?", \CKRecord["text"], String?.self)
        set(
            "CKRecordKeyValueSetting.subscript(_:) -> CKRecordValueProtocol?", \CKRecord["text"],
            (any CKRecordValueProtocol)?.self)
        _ = CKRecord.self as any CKRecordKeyValueSetting.Type
    }
}

/// Typical code of programs: compiled, not run.
private func written(_ record: CKRecord, _ id: CKRecord.ID) {
    record["text"] = "x"
    record["count"] = 5
    record["ratio"] = 0.5
    record["flag"] = true
    record["date"] = Date()
    record["words"] = ["a", "b"]
    record["none"] = nil
    record["other"] = CKRecord.Reference(recordID: id, action: .none)
    record["value"] = "x" as CKRecordValue
    record["number"] = 1 as CKRecordValue
    record["object"] = "x" as NSString
    record["file"] = CKAsset(fileURL: URL(fileURLWithPath: "/"))
    record["none"] = Int?.none
    record["links"] = [CKRecord.Reference(recordID: id, action: .none)]
    record["sum"] = (record["sum"] as? Int ?? 0) + 1
    record["copy"] = record["text"]
    record["choice"] = id.recordName.isEmpty ? "a" : nil
    record.setObject("x" as CKRecordValue, forKey: "text")
    record.encryptedValues["secret"] = "x"
    let text: String? = record["text"]
    let value: CKRecordValue? = record["text"]
    let secret: String? = record.encryptedValues["secret"]
    _ = (text, value, secret, record["text"] as? String, record["file"] as? CKAsset)
    _ = (record.object(forKey: "text") as? NSString, record["words"] as? [String])
    for (key, value) in record { _ = (key, value) }
    _ = CKRecord(recordType: "Note")
    untyped(record, record["text"], record.encryptedValues["secret"])
}

/// Expressions that need no type annotation, as with Apple's class.
private func untyped(_ record: CKRecord, _ given: CKRecordValue?, _ secret: CKRecordValue?) {
    let value = record["text"]
    var values: [String: CKRecordValue] = [:]
    if let value { values["text"] = value }
    for (key, value) in values { record[key] = value }
    for key in record.allKeys() { values[key] = record[key] }
    let words = ["a", "b"].compactMap { record[$0] as? String }
    let numbers: [Int] = ["a", "b"].compactMap { record[$0] }
    switch record["text"] {
    case let text as String: _ = text
    case let number as Int: _ = number
    default: break
    }
    if record["text"] == nil || record["text"] == "x" || record["count"] != 5 { return }
    record.setValue("x", forKey: "text")
    let some: CKRecord? = record
    some?["text"] = "x"
    _ = (words, numbers, some?["text"] as? String, record.value(forKey: "text") as? String, given, secret)
    _ = ["a"].map(CKRecord.ID.init(recordName:)) + ["b"].map { CKRecord.ID(recordName: $0) } + [CKRecord.ID()]
}
