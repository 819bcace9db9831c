import CloudKitWire
import Foundation

/// Reads the records in a response.
struct RecordReader {
    let scope: CKDatabaseScope
    /// The zone of all records of the response; nil if they may be in any zone.
    let onlyZone: CKRecordZoneID?
    let viewer: Viewer
    /// Whether the response is to a change, which the server has made even if the response cannot be read.
    let isChange: Bool
    private let count: ElementCount

    /// - Parameters:
    ///   - zone: The only zone that was requested; nil for all zones of the database.
    ///   - count: Shared by all readers of a response.
    init(
        _ scope: CKDatabaseScope, zone: CKRecordZoneID?, _ viewer: Viewer, isChange: Bool = false,
        _ count: ElementCount = ElementCount()
    ) {
        (self.scope, onlyZone, self.viewer, self.isChange, self.count) = (scope, zone, viewer, isChange, count)
    }

    /// The zone of a record that names no zone.
    private var zone: CKRecordZoneID { onlyZone ?? .default }

    /// The result for one record in a response.
    enum Item {
        case record(CKRecord)
        /// The record was deleted. Feeds of changes report its type.
        case deleted(CKRecordID, type: String?)
        indirect case failed(CKRecordID?, ServerError)
    }

    /// Reads the records of a response. One that cannot be read is an error of that record, and does not affect the others.
    ///
    /// - Throws: `WireError` if the name of an unreadable record cannot be read either.
    func items(_ reader: inout JSONReader) throws(WireError) -> [Item] {
        var (items, memory): ([Item], Memory) = ([], Memory())
        try reader.readItems { reader throws(WireError) in
            try reader.read { reader throws(WireError) in
                items.append(try item(&reader, &memory))
            } orElse: { reader, error throws(WireError) in
                items.append(try unreadable(reader, error))
            }
        }
        return items
    }

    private func unreadable(_ reader: JSONReader, _ error: WireError) throws(WireError) -> Item {
        var (reader, name, own) = (reader, String?.none, CKRecordZoneID?.none)
        try reader.readMembers { reader, key throws(WireError) in
            switch key {
            case "recordName": name = try reader.readText()
            case "zoneID": own = shown(try CKRecordZoneID(&reader))
            default: break
            }
        }
        guard let name else { throw error }
        let id = CKRecordID(recordName: name, zoneID: own ?? zone)
        return .failed(id, unreadable("the record \(name) cannot be read: \(error)", .internalError))
    }

    /// - Parameter code: The code unless the response is to a change.
    private func unreadable(_ reason: String, _ code: CKError.Code) -> ServerError {
        .unreadable(reason, isChange ? .serverResponseLost : code)
    }

    /// Values of the previous record. The records of a page have few types, zones and users, which need not be created each time.
    private struct Memory {
        var type = Remembered<String>()
        var zone = Remembered<CKRecordZoneID>()
        var user = Remembered<CKRecordID>()
    }

    /// - Throws: `WireError` for JSON that is not an ``Item``.
    func item(_ reader: inout JSONReader) throws(WireError) -> Item {
        var memory = Memory()
        return try item(&reader, &memory)
    }

    private func item(_ reader: inout JSONReader, _ memory: inout Memory) throws(WireError) -> Item {
        var (name, type, own): (String?, String?, CKRecordZoneID?) = (nil, nil, nil)
        var (fields, parent, share): (JSONReader?, JSONReader?, JSONReader?) = (nil, nil, nil)
        var (isDeleted, system, error) = (false, RecordContents.System(), ServerError.Members())
        var shareMembers = ShareReader()
        try reader.readMembers { reader, key throws(WireError) in
            switch key {
            case "recordName": name = try reader.readText()
            case "recordType":
                type = memory.type.value(of: try reader.readString()) { String(decoding: $0, as: UTF8.self) }
            case "recordChangeTag": system.changeTag = try reader.readText()
            case "zoneID":
                var inside = try reader.readLater()
                own = try memory.zone.value(of: inside.rest) { _ throws(WireError) in
                    shown(try CKRecordZoneID(&inside))
                }
            case "deleted": isDeleted = try reader.readBool()
            case "fields": fields = try reader.readLater()
            case "parent": parent = try reader.readLater()
            case "share": share = try reader.readLater()
            case "created": (system.created, system.creator) = try stamp(&reader, &memory)
            case "modified": (system.modified, system.modifier) = try stamp(&reader, &memory)
            default: if try !shareMembers.read(&reader, key, viewer) { try error.read(&reader, key) }
            }
        }
        let zone = own ?? self.zone
        let id = name.map { CKRecordID(recordName: $0, zoneID: zone) }
        if let error = error.error { return .failed(id, error) }
        guard let id else { throw WireError("a record has no recordName") }
        guard isRequested(zone) else {
            let reason =
                "the record \(id.recordName) of the zone \(self.zone.zoneName) cannot be read: the server sent one of another zone"
            return .failed(CKRecordID(recordName: id.recordName, zoneID: self.zone), unreadable(reason, .internalError))
        }
        if isDeleted { return .deleted(id, type: type) }
        guard let type else { throw WireError("a record has no recordType") }
        let values: [String: FieldValue]
        let encrypted: Set<String>
        do throws(FieldFault) {
            (values, encrypted) = try self.fields(fields, of: id, type)
        } catch {
            switch error {
            case .malformed(let error): throw error
            case .tooManyFiles:
                let reason = "the record has more than \(AnswerLimits.files) files"
                return .failed(id, unreadable(reason, .assetNotAvailable))
            case .sealed(let field):
                let reason =
                    "the field \(field) cannot be decrypted: it was encrypted with another passphrase or for another field, "
                    + "or changed since"
                return .failed(id, unreadable(reason, .invalidArguments))
            case .unsealed(let field):
                let reason =
                    "the field \(field) is not encrypted with the passphrase, so its value may be anybody's: save it again, "
                    + "or set readsUnsealedValues of NephosConfiguration to read it"
                return .failed(id, unreadable(reason, .invalidArguments))
            }
        }
        system.share = try reference(share, in: zone)
        let contents = RecordContents(
            system, parent: try reference(parent, in: zone), fields: values, encrypted: encrypted)
        guard type != CKRecord.SystemType.share else {
            return .record(CKShare(recordID: id, contents: contents, shared: shareMembers.contents(in: zone, viewer)))
        }
        return .record(CKRecord(recordType: type, recordID: id, contents: contents))
    }

    /// Why fields cannot be read.
    private enum FieldFault: Error {
        case malformed(WireError)
        case tooManyFiles
        /// A field was sealed with another key, or for another field.
        case sealed(String)
        /// A field is marked as encrypted, but was not sealed by this library.
        case unsealed(String)
    }

    /// Whether a record of this zone may be in the response.
    private func isRequested(_ zone: CKRecordZoneID) -> Bool {
        guard let onlyZone, zone !== onlyZone else { return true }
        // The public database belongs to nobody, whom a service may name in its own way.
        return zone.zoneName.hasSameBytes(as: onlyZone.zoneName)
            && (scope == .public || shown(zone).ownerName.hasSameBytes(as: shown(onlyZone).ownerName))
    }

    private func fields(
        _ reader: JSONReader?, of record: CKRecordID, _ type: String
    ) throws(FieldFault) -> ([String: FieldValue], Set<String>) {
        guard var reader else { return ([:], []) }
        var (values, sealed): ([String: FieldValue], [String: FieldValue]) = ([:], [:])
        // Most records have some fields; this avoids repeated allocations.
        values.reserveCapacity(12)
        count.beginRecord()
        do throws(WireError) {
            try reader.readMembers { reader, key throws(WireError) in
                let name = String(decoding: key.bytes, as: UTF8.self)
                var isEncrypted = false
                let value = try FieldValue.read(&reader, in: record.zoneID, isEncrypted: &isEncrypted, count)
                guard let value else { return }
                if isEncrypted { sealed[name] = value } else { values[name] = value.held(by: record, name) }
            }
        } catch {
            throw count.hasTooManyFiles ? FieldFault.tooManyFiles : FieldFault.malformed(error)
        }
        for (name, value) in sealed {
            values[name] = try opened(
                value, SealedField(scope: scope, record: record, recordType: type, name: name))
        }
        return (values, Set(sealed.keys))
    }

    /// Decrypts a value; nil without a passphrase. A value that is not sealed may come from anybody who stores the record, so
    /// it is returned only to programs that ask for such values.
    private func opened(_ value: FieldValue, _ field: SealedField) throws(FieldFault) -> FieldValue? {
        guard case .string(let text) = value, text.hasPrefix(FieldCipher.prefix) else {
            if viewer.readsUnsealed { return value }
            if viewer.cipher == nil { return nil }
            throw .unsealed(field.name)
        }
        guard let cipher = viewer.cipher else { return nil }
        guard let json = try? cipher.open(text, for: field) else { throw .sealed(field.name) }
        do throws(WireError) {
            var reader = try JSONReader(json[...])
            var isEncrypted = false
            return try FieldValue.read(&reader, in: field.record.zoneID, isEncrypted: &isEncrypted, count)
        } catch {
            throw .malformed(error)
        }
    }

    private func reference(
        _ reader: JSONReader?, in zone: CKRecordZoneID
    ) throws(WireError) -> CKReference? {
        guard var reader else { return nil }
        return try CKReference(&reader, in: zone)
    }

    private func stamp(
        _ reader: inout JSONReader, _ memory: inout Memory
    ) throws(WireError) -> (Date?, CKRecordID?) {
        var (date, user): (Date?, CKRecordID?) = (nil, nil)
        try reader.readMembers { reader, key throws(WireError) in
            switch key {
            case "timestamp": date = Date(milliseconds: Int64(clamping: try reader.readDouble()))
            case "userRecordName":
                user = memory.user.value(of: try reader.readString()) { bytes in
                    let name = String(decoding: bytes, as: UTF8.self)
                    return CKRecordID(recordName: name == viewer.user ? CKCurrentUserDefaultName : name)
                }
            default: break
            }
        }
        return (date, user)
    }

    private func shown(_ zone: CKRecordZoneID) -> CKRecordZoneID { zone.shown(to: viewer.user) }
}
