import NephosTransport

/// The encrypted fields of a record (``CKRecord/encryptedValues``).
final class EncryptedValues: CKRecordKeyValueSetting, Sendable {
    private let record: CKRecord

    init(_ record: CKRecord) { self.record = record }

    func object(forKey key: CKRecord.FieldKey) -> (any __CKRecordObjCValue)? {
        let contents = record.contents.value
        return contents.encrypted.contains(key) ? contents.fields[key]?.object : nil
    }

    func setObject(_ object: (any __CKRecordObjCValue)?, forKey key: CKRecord.FieldKey) {
        setValue(object, ofField: key)
    }

    subscript(key: CKRecord.FieldKey) -> (any __CKRecordObjCValue)? {
        get { object(forKey: key) }
        set { setObject(newValue, forKey: key) }
    }

    func setValue(_ value: (any CKRecordValueProtocol)?, ofField key: CKRecord.FieldKey) {
        record.contents.withLock { $0.set(value.map { FieldValue($0) }, key, isEncrypted: true) }
    }

    func allKeys() -> [CKRecord.FieldKey] {
        let contents = record.contents.value
        return contents.fields.keys.filter { contents.encrypted.contains($0) }
    }

    func changedKeys() -> [CKRecord.FieldKey] {
        let contents = record.contents.value
        return contents.changed.filter { contents.encrypted.contains($0) }
    }
}

extension CKRecord {
    /// The encrypted fields of the record, whose values the server receives only in encrypted form. A field is
    /// encrypted for its whole life, or never.
    public var encryptedValues: any CKRecordKeyValueSetting & Sendable { EncryptedValues(self) }
}
