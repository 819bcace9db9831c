import CloudKitWire
import Foundation

extension CKRecord {
    /// Writes the record of an operation of `records/modify`.
    ///
    /// - Parameters:
    ///   - onlyChanges: Leaves out fields that were not set since the record was made, fetched or saved; removed ones are sent as
    ///     null. Else all that there are.
    ///   - files: What the server answered when a file was uploaded.
    /// - Throws: ``UnusableValue``, which names the field; the document is good for nothing then.
    func write(
        to writer: inout JSONWriter, onlyChanges: Bool, files: (CKAsset) -> StoredAsset? = { _ in nil }
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
                try value.write(to: &writer, isEncrypted: contents.encrypted.contains(key), files: files)
            } catch {
                throw UnusableValue(reason: "the field \(key): \(error.reason)")
            }
        }
        writer.endObject()
        writer.endObject()
    }
}
