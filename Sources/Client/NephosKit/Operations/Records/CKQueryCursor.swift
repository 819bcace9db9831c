import CloudKitWire
public import Foundation

/// The position at which a page of a query ended. It can be archived, and used for a limited time.
///
/// The class is declared at the top level, since nested classes cannot be archived on Linux; write
/// `CKQueryOperation.Cursor`.
public final class CKQueryCursor: NSObject, NSSecureCoding, NSCopying, Sendable {
    let query: [UInt8]
    let zone: CKRecordZone.ID?
    let marker: String
    /// Counts the empty pages before this position.
    let empty: EmptyPages

    init(query: [UInt8], zone: CKRecordZone.ID?, marker: String, empty: EmptyPages = EmptyPages()) {
        self.query = query
        self.zone = zone
        self.marker = marker
        self.empty = empty
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CKQueryCursor else { return false }
        return marker == other.marker && query == other.query && zone == other.zone
    }

    public override var hash: Int { marker.hashValue }

    public static var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) {
        coder.encodeContent(forKey: "CKQueryCursor") { writer in
            writer.archive("query", String(decoding: query, as: UTF8.self))
            writer.archive("zoneID", zone)
            writer.archive("marker", marker)
        }
    }

    /// Returns nil for an archive that does not contain a cursor.
    public required convenience init?(coder: NSCoder) {
        var (query, zone, marker): (String?, CKRecordZoneID?, String?) = (nil, nil, nil)
        let isRead = coder.decodeContent(forKey: "CKQueryCursor") { reader, key throws(WireError) in
            switch key {
            case "query": query = try reader.archived()
            case "zoneID": zone = try reader.archived()
            case "marker": marker = try reader.archived()
            default: break
            }
        }
        guard isRead, let query, let marker else { return nil }
        self.init(query: Array(query.utf8), zone: zone, marker: marker)
    }
}
