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
        coder.encode(String(decoding: query, as: UTF8.self) as NSString, forKey: "query")
        coder.encodeIfAny(zone, forKey: "zoneID")
        coder.encode(marker as NSString, forKey: "marker")
    }

    /// Returns nil for an archive that does not contain a cursor.
    public required convenience init?(coder: NSCoder) {
        guard let query = coder.decodeString(forKey: "query"), let marker = coder.decodeString(forKey: "marker")
        else { return nil }
        let zone = coder.decodeIfAny(CKRecordZoneID.self, forKey: "zoneID")
        self.init(query: Array(query.utf8), zone: zone, marker: marker)
    }
}
