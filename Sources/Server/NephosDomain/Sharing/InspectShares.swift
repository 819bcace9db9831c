public import CloudKitWire
public import NephosStorage

/// A share as an operator sees it: who is in it, and nothing of what is shared.
public struct ShareOverview: Sendable {
    /// Its `shortGUID`: the text of ``address``.
    public let guid: String
    /// The person whose it is.
    public let owner: UserID
    /// The row of the share.
    public let row: ShareRow
    /// When it was shared, in milliseconds since 1970.
    public let createdAt: Milliseconds
    /// Whom the owner has named.
    public let participants: [ShareList.Participant]

    /// Where it is.
    public var address: ShareAddress { ShareAddress(database: row.database, zone: row.zone, root: row.root) }

    /// A `records/modify` that ends the share, or takes a participant out of it, as its owner could send it.
    ///
    /// - Parameter removed: Who is taken out of it; nil ends the share.
    public func modification(removing removed: [ShareList.Participant]?) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("zoneID")
        json.beginObject()
        json.member("zoneName", zone.text)
        json.endObject()
        json.key("operations")
        json.beginArray()
        json.beginObject()
        json.member("operationType", removed == nil ? "delete" : "update")
        json.key("record")
        json.beginObject()
        json.member("recordName", row.name.text)
        json.member("recordChangeTag", ChangeTag.text(of: tag))
        if let removed {
            json.member("recordType", "cloudkit.share")
            json.key("participants")
            json.beginArray()
            for other in participants where !removed.contains(where: { $0.id == other.id }) {
                json.beginObject()
                json.member("participantId", other.id)
                json.member("type", other.role == .administrator ? "ADMINISTRATOR" : "USER")
                json.member("permission", other.permission.word)
                json.endObject()
            }
            json.endArray()
        }
        json.endObject()
        json.endObject()
        json.endArray()
        json.endObject()
        return json.bytes
    }

    fileprivate let zone: Name
    fileprivate let tag: Sequence
}

/// Finds shares for an operator: first their rows, and then, some at a time, what belongs to them.
public struct InspectShares: Sendable {
    /// The number of shares whose records are read at once. A share record has a picture, and up to a megabyte.
    public static let atOnce = 20

    private let scan: Scan<ShareRow>
    private let address: ShareAddress?

    /// The first shares of all people of a tenant.
    public init(limit: Int) { (scan, address) = (ShareRow.all(limit: limit), nil) }

    /// The first shares of one owner. - Parameter database: The owner's private database.
    public init(of database: DatabaseNumber, limit: Int) {
        (scan, address) = (ShareRow.all(in: database, limit: limit), nil)
    }

    /// The share at an address, if there is one.
    public init(at address: ShareAddress) { (scan, self.address) = (address.shares, address) }

    public var reading: ReadSet {
        var set = ReadSet()
        set.ask(scan)
        return set
    }

    /// - Parameter reading: Of ``reading``.
    public func rows(_ reading: Reading) -> [ShareRow] {
        reading[scan].filter { row in address.map { $0.zone == row.zone && $0.root == row.root } ?? true }
    }

    /// What belongs to some of the shares.
    public static func reading(of rows: some Collection<ShareRow>) -> ReadSet {
        var set = ReadSet()
        for row in rows {
            let zone = ZoneKey.number(row.database, row.zone)
            set.databases.append(row.database)
            set.zones.append(zone)
            set.records.append(RecordKey(zone: zone, name: row.name))
        }
        set.recordByteLimit = .max
        return set
    }

    /// - Parameter reading: Of ``reading(of:)``. What ended in between is left out.
    public static func shares(
        _ rows: some Collection<ShareRow>, _ reading: Reading
    ) throws(Refusal) -> [ShareOverview] {
        var shares: [ShareOverview] = []
        for (index, row) in rows.enumerated() {
            guard let owner = reading.databases[index]?.owner, let zone = reading.zones[index], zone.state == .live,
                case .record(let record) = reading.records[index], let list = ShareList(of: record.fields)
            else { continue }
            let address = ShareAddress(database: row.database, zone: row.zone, root: row.root)
            shares.append(
                ShareOverview(
                    guid: try address.text(key: reading.catalog.head.signingKey), owner: owner, row: row,
                    createdAt: record.createdAt, participants: list.participants, zone: zone.name,
                    tag: record.tagSequence))
        }
        return shares
    }
}
