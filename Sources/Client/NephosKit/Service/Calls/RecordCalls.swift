import CloudKitWire
import Foundation

/// `records/modify` in one zone.
struct RecordsModify: ServiceCall {
    let path = "records/modify"
    let isChange = true
    var scope: CKDatabaseScope
    var zone: CKRecordZoneID
    /// Operations, as JSON.
    var operations: [[UInt8]]
    /// Nil where the zone has no say in it.
    var atomic: Bool?
    var desiredKeys: [CKRecord.FieldKey]?

    func write(to writer: inout JSONWriter) {
        writer.member("zoneID", zone)
        if let atomic { writer.member("atomic", atomic) }
        writer.desiredKeys(desiredKeys)
        writer.key("operations")
        writer.beginArray()
        for operation in operations { writer.raw(operation[...]) }
        writer.endArray()
    }

    func read(_ reader: inout JSONReader, _ viewer: Viewer) throws(WireError) -> [RecordReader.Item] {
        var items: [RecordReader.Item]?
        let records = RecordReader(zone: zone, viewer)
        try reader.readMembers { reader, key throws(WireError) in
            if case "records" = key { items = try records.items(&reader) }
        }
        guard let items else { throw WireError("an answer without records") }
        return items
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
        var items: [RecordReader.Item]?
        let records = RecordReader(zone: zone, viewer)
        try reader.readMembers { reader, key throws(WireError) in
            if case "records" = key { items = try records.items(&reader) }
        }
        guard let items else { throw WireError("an answer without records") }
        return items
    }
}

/// `records/query`: one page.
struct RecordsQuery: ServiceCall {
    struct Page: Sendable {
        var items: [RecordReader.Item]
        /// Nil when this was the last page.
        var marker: String?
    }

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

    func read(_ reader: inout JSONReader, _ viewer: Viewer) throws(WireError) -> Page {
        var (items, marker): ([RecordReader.Item]?, String?) = (nil, nil)
        let records = RecordReader(zone: zone ?? .default, viewer)
        try reader.readMembers { reader, key throws(WireError) in
            switch key {
            case "records": items = try records.items(&reader)
            case "continuationMarker": marker = try reader.readText()
            default: break
            }
        }
        // No records and no word of records are two things: who takes one for the other deletes what is here.
        guard let items else { throw WireError("an answer without records") }
        return Page(items: items, marker: marker)
    }
}

extension RecordReader {
    func items(_ reader: inout JSONReader) throws(WireError) -> [Item] {
        var items: [Item] = []
        try reader.readArray { reader, _ throws(WireError) in items.append(try item(&reader)) }
        return items
    }
}
