import CloudKitWire
import Foundation

/// Reads records of answers.
struct RecordReader {
    /// The zone of a record that does not say its own.
    var zone: CKRecordZoneID
    /// The user record of who is signed in, whose zones and records show as one's own; nil for nobody, or while it is not known.
    var currentUser: String?

    /// What an answer says of one record.
    enum Item {
        case record(CKRecord)
        /// It is gone; of which type it was is told by feeds.
        case deleted(CKRecordID, type: String?)
        case failed(CKRecordID?, ServerError)
    }

    /// - Throws: `WireError` when it is none of these.
    func item(_ reader: inout JSONReader) throws(WireError) -> Item {
        var (name, type, own): (String?, String?, CKRecordZoneID?) = (nil, nil, nil)
        var (fields, parent): (ArraySlice<UInt8>?, ArraySlice<UInt8>?) = (nil, nil)
        var (isDeleted, system, error) = (false, RecordContents.System(), ServerError.Members())
        try reader.readObject { reader, key throws(WireError) in
            switch key {
            case "recordName": name = try reader.readText()
            case "recordType": if try !reader.readNull() { type = try reader.readText() }
            case "recordChangeTag": if try !reader.readNull() { system.changeTag = try reader.readText() }
            case "zoneID": own = shown(try CKRecordZoneID(&reader))
            case "deleted": isDeleted = try reader.readBool()
            case "fields": fields = try reader.skipValue()
            case "parent": parent = try reader.skipValue()
            case "created": (system.created, system.creator) = try stamp(&reader)
            case "modified": (system.modified, system.modifier) = try stamp(&reader)
            default: try error.read(&reader, key)
            }
        }
        let zone = own ?? self.zone
        let id = name.map { CKRecordID(recordName: $0, zoneID: zone) }
        if let error = error.error { return .failed(id, error) }
        guard let id else { throw WireError("a record without a recordName") }
        if isDeleted { return .deleted(id, type: type) }
        guard let type else { throw WireError("a record without a recordType") }
        let (values, encrypted) = try self.fields(fields, in: zone)
        let contents = RecordContents(
            system, parent: try reference(parent, in: zone), fields: values, encrypted: encrypted)
        return .record(CKRecord(recordType: type, recordID: id, contents: contents))
    }

    private func fields(
        _ json: ArraySlice<UInt8>?, in zone: CKRecordZoneID
    ) throws(WireError) -> ([String: FieldValue], Set<String>) {
        guard let json else { return ([:], []) }
        var (values, encrypted): ([String: FieldValue], Set<String>) = ([:], [])
        var reader = try JSONReader(json)
        if try reader.readNull() { return ([:], []) }
        try reader.readObject { reader, key throws(WireError) in
            var isEncrypted = false
            guard let value = try FieldValue.read(&reader, in: zone, isEncrypted: &isEncrypted) else { return }
            let name = String(decoding: key.bytes, as: UTF8.self)
            values[name] = value
            if isEncrypted { encrypted.insert(name) }
        }
        return (values, encrypted)
    }

    private func reference(
        _ json: ArraySlice<UInt8>?, in zone: CKRecordZoneID
    ) throws(WireError) -> CKReference? {
        guard let json else { return nil }
        var reader = try JSONReader(json)
        return try reader.readNull() ? nil : CKReference(&reader, in: zone)
    }

    private func stamp(_ reader: inout JSONReader) throws(WireError) -> (Date?, CKRecordID?) {
        if try reader.readNull() { return (nil, nil) }
        var (date, user): (Date?, String?) = (nil, nil)
        try reader.readObject { reader, key throws(WireError) in
            switch key {
            case "timestamp": date = Date(milliseconds: Int64(clamping: try reader.readDouble()))
            case "userRecordName": user = try reader.readText()
            default: break
            }
        }
        return (date, user.map { CKRecordID(recordName: $0 == currentUser ? CKCurrentUserDefaultName : $0) })
    }

    /// One's own zones are shown without one's name.
    private func shown(_ zone: CKRecordZoneID) -> CKRecordZoneID {
        zone.ownerName == currentUser ? CKRecordZoneID(zoneName: zone.zoneName) : zone
    }
}
