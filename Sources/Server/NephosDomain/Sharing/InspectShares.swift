public import CloudKitWire
public import NephosStorage

/// A share as an operator sees it: who is in it, and nothing of what is shared.
public struct ShareOverview: Sendable {
    /// Its `shortGUID`.
    public let address: String
    /// The person whose it is.
    public let owner: UserID
    /// The row of the share.
    public let row: ShareRow
    /// When it was shared, in milliseconds since 1970.
    public let createdAt: Milliseconds
    /// Whom the owner has named.
    public let participants: [ShareList.Participant]

    /// What its address says.
    public var place: ShareAddress { ShareAddress(database: row.database, zone: row.zone, root: row.root) }

    /// A `records/modify` that ends the share, or takes a participant out of it, as its owner could send it.
    ///
    /// - Parameter participant: nil ends the share.
    public func modification(removing participant: ShareList.Participant?) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("zoneID")
        json.beginObject()
        json.member("zoneName", zone.text)
        json.endObject()
        json.key("operations")
        json.beginArray()
        json.beginObject()
        json.member("operationType", participant == nil ? "delete" : "update")
        json.key("record")
        json.beginObject()
        json.member("recordName", row.name.text)
        json.member("recordChangeTag", ChangeTag.text(of: tag))
        if let participant {
            json.member("recordType", "cloudkit.share")
            json.key("participants")
            json.beginArray()
            for other in participants where other.id != participant.id {
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

/// Finds shares for an operator, in two reads: the rows of the shares, and what belongs to them.
public struct InspectShares: Sendable {
    private let scan: Scan<ShareRow>
    private let address: ShareAddress?

    /// The first shares of all people of a tenant.
    public init(limit: Int) { (scan, address) = (ShareRow.all(limit: limit), nil) }

    /// The first shares of one owner. - Parameter database: The owner's private database.
    public init(of database: DatabaseNumber, limit: Int) {
        (scan, address) = (ShareRow.all(in: database, limit: limit), nil)
    }

    /// The share at an address, if there is one.
    public init(at address: ShareAddress) {
        self.address = address
        scan =
            address.root > 0
            ? ShareRow.ofRoots([address.root], in: address.database)
            : ShareRow.of(address.zone, in: address.database, limit: 1)
    }

    public var first: ReadSet {
        var set = ReadSet()
        set.ask(scan)
        return set
    }

    private func rows(_ first: Reading) -> [ShareRow] {
        first[scan].filter { row in address.map { $0.zone == row.zone && $0.root == row.root } ?? true }
    }

    /// - Parameter first: Of ``first``.
    public func second(_ first: Reading) -> ReadSet {
        var set = ReadSet()
        for row in rows(first) {
            set.databases.append(row.database)
            set.zones.append(.number(row.database, row.zone))
            set.records.append(RecordKey(zone: .number(row.database, row.zone), name: row.name))
        }
        set.recordByteLimit = .max
        return set
    }

    /// - Parameter second: Of ``second(_:)``. What ended in between is left out.
    public func shares(_ first: Reading, _ second: Reading) throws(Refusal) -> [ShareOverview] {
        var found: [ShareOverview] = []
        for (place, row) in rows(first).enumerated() {
            guard let owner = second.databases[place]?.owner, let zone = second.zones[place], zone.state == .live,
                case .record(let record) = second.records[place], let list = ShareList(of: record.fields)
            else { continue }
            let address = try ShareAddress(database: row.database, zone: row.zone, root: row.root)
                .text(key: second.catalog.head.signingKey)
            found.append(
                ShareOverview(
                    address: address, owner: owner, row: row, createdAt: record.createdAt,
                    participants: list.participants, zone: zone.name, tag: record.tagSequence))
        }
        return found
    }
}
