import CloudKitWire
import Foundation
import NephosTransport

extension CKRecord {
    /// Writes the record for an operation of `records/modify`.
    ///
    /// - Parameters:
    ///   - onlyChanges: Whether to leave out fields that were not set since the record was created, fetched or saved. Removed fields
    ///     are written as null in any case.
    ///   - scope: The database in which the record is saved.
    ///   - files: Returns the server's description of the file of a field.
    ///   - cipher: Nil if no passphrase is configured.
    /// - Throws: ``UnusableValue``, which names the field; the JSON is incomplete then.
    func write(
        to writer: inout JSONWriter, onlyChanges: Bool, in scope: CKDatabaseScope,
        files: (CKAsset, FieldKey) -> StoredAsset? = { _, _ in nil }, cipher: FieldCipher? = nil
    ) throws(UnusableValue) {
        let contents = contents.value
        writer.beginObject()
        writer.member("recordName", recordID.recordName)
        writer.member("recordType", recordType)
        if let tag = contents.system.changeTag { writer.member("recordChangeTag", tag) }
        if contents.isParentChanged || (!onlyChanges && contents.parent != nil) {
            writer.key("parent")
            if let parent = contents.parent { parent.write(to: &writer) } else { writer.null() }
        }
        if let share = self as? CKShare { share.writeMembers(to: &writer) }
        writer.key("fields")
        writer.beginObject()
        let keys = onlyChanges ? contents.changed : contents.changed.union(contents.fields.keys)
        for key in keys.sorted() {
            writer.key(named: Name(key))
            guard let value = contents.fields[key] else {
                writer.null()
                continue
            }
            do throws(UnusableValue) {
                if contents.encrypted.contains(key) {
                    let field = SealedField(scope: scope, record: recordID, recordType: recordType, name: key)
                    try write(sealed: value, for: field, to: &writer, cipher)
                } else {
                    try value.write(to: &writer) { files($0, key) }
                }
            } catch {
                throw UnusableValue(reason: "the field \(key): \(error.reason)")
            }
        }
        writer.endObject()
        writer.endObject()
    }

    private func write(
        sealed value: FieldValue, for field: SealedField, to writer: inout JSONWriter, _ cipher: FieldCipher?
    ) throws(UnusableValue) {
        switch value.wireType {
        case "REFERENCE", "ASSETID", "REFERENCE_LIST", "ASSETID_LIST":
            throw UnusableValue(reason: "references and files cannot be encrypted")
        default: break
        }
        guard field.scope != .public else {
            throw UnusableValue(reason: "the public database has no encrypted values")
        }
        guard let cipher else {
            throw UnusableValue(reason: "encryptedValues cannot be saved without a passphrase: set NEPHOS_PASSPHRASE")
        }
        var plain = JSONWriter()
        try value.write(to: &plain) { _ in nil }
        let sealed: String
        do {
            sealed = try cipher.seal(plain.bytes, for: field)
        } catch {
            throw UnusableValue(reason: "it cannot be encrypted: \(error)")
        }
        writer.beginObject()
        writer.member("value", sealed)
        writer.member("type", value.wireType ?? "STRING")
        writer.member("isEncrypted", true)
        writer.endObject()
    }
}
