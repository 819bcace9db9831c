import CloudKitWire
import Foundation

/// `records/modify` in one zone.
struct RecordsModify: ServiceCall {
    let path = "records/modify"
    let isChange = true
    var scope: CKDatabaseScope
    var zone: CKRecordZoneID
    /// The operations as JSON.
    var operations: [[UInt8]]
    /// Nil for a zone without atomic changes.
    var atomic: Bool?
    var desiredKeys: [CKRecord.FieldKey]?
    var clientToken: Data?

    func write(to writer: inout JSONWriter) {
        writer.member("zoneID", zone)
        if let atomic { writer.member("atomic", atomic) }
        if let clientToken { writer.member("clientChangeToken", clientToken.base64EncodedString()) }
        writer.desiredKeys(desiredKeys)
        writer.key("operations")
        writer.beginArray()
        for operation in operations { writer.raw(operation[...]) }
        writer.endArray()
    }

    func read(_ reader: inout JSONReader, _ viewer: Viewer) throws(WireError) -> [RecordReader.Item] {
        try RecordReader(scope, zone: zone, viewer, isChange: true).page(&reader).items
    }
}

/// `records/lookup` in one zone.
struct RecordsLookup: ServiceCall {
    let path = "records/lookup"
    var scope: CKDatabaseScope
    var zone: CKRecordZoneID
    var names: [String]
    var desiredKeys: [CKRecord.FieldKey]?

    func write(to writer: inout JSONWriter) {
        writer.member("zoneID", zone)
        writer.desiredKeys(desiredKeys)
        writer.key("records")
        writer.beginArray()
        for name in names {
            writer.beginObject()
            writer.member("recordName", name)
            writer.endObject()
        }
        writer.endArray()
    }

    func read(_ reader: inout JSONReader, _ viewer: Viewer) throws(WireError) -> [RecordReader.Item] {
        try RecordReader(scope, zone: zone, viewer).page(&reader).items
    }
}

/// `records/query`: one page.
struct RecordsQuery: ServiceCall {
    let path = "records/query"
    var scope: CKDatabaseScope
    /// The dictionary `query`, as JSON.
    var query: [UInt8]
    /// Nil for all zones of the database.
    var zone: CKRecordZoneID?
    var marker: String?
    /// Nil leaves it to the server.
    var limit: Int?
    var desiredKeys: [CKRecord.FieldKey]?

    func write(to writer: inout JSONWriter) {
        writer.member("query", raw: query[...])
        if let zone { writer.member("zoneID", zone) } else if scope != .public { writer.member("zoneWide", true) }
        if let marker { writer.member("continuationMarker", marker) }
        if let limit { writer.member("resultsLimit", Int64(limit)) }
        writer.desiredKeys(desiredKeys)
    }

    func read(_ reader: inout JSONReader, _ viewer: Viewer) throws(WireError) -> RecordReader.Page {
        try RecordReader(scope, zone: zone, viewer).page(&reader)
    }
}

extension RecordReader {
    struct Page: Sendable {
        var items: [Item]
        /// Nil when this was the last page.
        var marker: String?
    }

    /// Reads a whole response.
    func page(_ reader: inout JSONReader) throws(WireError) -> Page {
        var (items, marker): ([Item]?, String?) = (nil, nil)
        try reader.readMembers { reader, key throws(WireError) in
            switch key {
            case "records": items = try self.items(&reader)
            case "continuationMarker": marker = try reader.readText()
            default: break
            }
        }
        // A missing list is not an empty one: a caller that treats it as empty would delete its local records.
        guard let items else { throw WireError("the answer has no records") }
        return Page(items: items, marker: marker)
    }
}
