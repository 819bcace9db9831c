package import CloudKitWire
package import NephosDomain
package import NephosStorage

/// Which fields of a record a response contains, and how numbers are written.
package struct RecordStyle: Sendable {
    package var desiredKeys: DesiredKeys?
    package var numbersAsStrings: Bool

    package init(desiredKeys: DesiredKeys? = nil, numbersAsStrings: Bool = false) {
        (self.desiredKeys, self.numbersAsStrings) = (desiredKeys, numbersAsStrings)
    }
}

/// Writes records and zones into one response; zone IDs are encoded once.
package struct AnswerWriter {
    package var json: JSONWriter
    package let extras: Bool
    private let assets: AssetLinks
    private var zoneIDs: [(zone: ZoneIdentity, bytes: Bytes)] = []

    package init(reserving capacity: Int = 512, _ call: AdmittedCall) {
        json = JSONWriter(reserving: capacity)
        extras = call.wantsExtras
        assets = AssetLinks(call)
    }

    package var bytes: [UInt8] { json.bytes }

    package mutating func zoneID(_ zone: ZoneIdentity) -> Bytes {
        // Nearly always the zone of the previous record.
        if let last = zoneIDs.indices.last, zoneIDs[last].zone == zone { return zoneIDs[last].bytes }
        if let known = zoneIDs.first(where: { $0.zone == zone }) { return known.bytes }
        let bytes = ZoneIDDictionary.encoded(zoneName: zone.name, owner: zone.owner)
        zoneIDs.append((zone, bytes))
        return bytes
    }

    package mutating func record(_ record: StoredRecord, _ zone: ZoneIdentity, _ style: RecordStyle) {
        RecordDictionary(record, zoneID: zoneID(zone), style: style, assets: assets.source(for: record, zone))
            .write(to: &json)
    }

    /// A deleted record in a feed. Apple's service does not send its type; clients that ask for it get it.
    package mutating func deleted(_ name: Name, type: Name, _ zone: ZoneIdentity) {
        DeletedRecordDictionary(
            recordName: name, recordType: extras ? type : nil, zoneID: zoneID(zone)
        ).write(to: &json)
    }

    package mutating func deleted(_ name: Name) {
        DeletedRecordDictionary(recordName: name).write(to: &json)
    }

    /// The refusal of one record. For a conflict, clients that support it get the server's record.
    /// - Parameters:
    ///   - name: nil if the request named no record.
    ///   - note: Added to the reason.
    package mutating func refused(_ refusal: Refusal, _ name: Name?, note: String = "") {
        var error = ErrorDictionary(refusal, extras: extras)
        if !note.isEmpty { error.reason += note }
        error.recordName = name
        if extras, let server = refusal.serverRecord {
            error.serverRecord = bytes(of: server.record, server.zone)
            error.rootRecord = server.root.first.map { bytes(of: $0, server.zone) }
        }
        error.write(to: &json)
    }

    private mutating func bytes(of record: StoredRecord, _ zone: ZoneIdentity) -> Bytes {
        var writer = JSONWriter(reserving: 512 + record.row.fields.count)
        RecordDictionary(
            record, zoneID: zoneID(zone), style: RecordStyle(), assets: assets.source(for: record, zone)
        ).write(to: &writer)
        return writer.bytes[...]
    }

    package mutating func zone(_ answer: ZoneAnswer) {
        ZoneDictionary(
            zoneID: zoneID(answer.zone), syncToken: answer.syncToken.map { Bytes($0) }, atomic: answer.isAtomic
        ).write(to: &json)
    }

    /// The refusal of one zone, named as the request named it.
    package mutating func refused(_ refusal: Refusal, _ zone: ZoneIDDictionary) {
        var error = ErrorDictionary(refusal, extras: extras)
        error.zoneID = ZoneIDDictionary.encoded(zoneName: zone.zoneName, ownerRecordName: zone.ownerRecordName)
        error.write(to: &json)
    }

    package mutating func array(_ key: StaticString, _ items: (inout AnswerWriter) -> Void) {
        json.key(key)
        json.beginArray()
        items(&self)
        json.endArray()
    }
}

extension RecordDictionary {
    /// A record as its reader sees it.
    package init(_ record: StoredRecord, zoneID: Bytes, style: RecordStyle, assets: AssetMembers.Source?) {
        self.init(
            recordName: record.row.name, recordType: record.type, changeTag: record.row.tagSequence,
            fields: record.row.fields, desiredKeys: style.desiredKeys, numbersAsStrings: style.numbersAsStrings,
            created: RecordStamp(timestamp: record.row.createdAt, user: record.row.createdBy),
            modified: RecordStamp(timestamp: record.row.modifiedAt, user: record.row.modifiedBy), zoneID: zoneID,
            parent: record.row.parent, assets: assets, otherTag: record.member?.tag, shareMembers: record.shareMembers)
    }
}
