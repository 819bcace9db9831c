import CloudKitWire
import NephosStorage

/// Identifies a row of a person's list of zones of others.
struct SharedZoneKey: Hashable {
    let owner: UserID
    let kind: SharedZoneRow.Kind
    let zone: ZoneNumber
    let share: ShareNumber

    init(_ row: SharedZoneRow) { (owner, kind, zone, share) = (row.owner, row.kind, row.zone, row.share) }
}

/// Changes of a person's list of zones of others.
///
/// A zone may be in the list by several rows: by its participants, by visits of its shares, or by an earlier zone of the same name. It ends
/// only with the last of them. Otherwise a row is removed, and the zone gets a new position by another row: what the person sees of it
/// has changed.
struct SharedZoneList {
    private let rows: [SharedZoneRow]
    private var changed: [SharedZoneRow] = []
    private var ended: [SharedZoneRow] = []

    /// - Parameter rows: At least all rows of the owners whose zones change.
    init(_ rows: [SharedZoneRow]) { self.rows = rows }

    /// Adds a row, or gives one other content.
    mutating func change(_ row: SharedZoneRow) { changed.append(row) }

    mutating func end(_ row: SharedZoneRow, because reason: ParticipantRow.Reason, ownerSequence: Sequence? = nil) {
        var row = row
        (row.state, row.reason) = (.ended, reason)
        if let ownerSequence { row.ownerSequence = ownerSequence }
        ended.append(row)
    }

    /// - Parameter head: Of the person's database, with its time. Its sequence advances.
    func write(_ head: inout HeadRow, to set: inout WriteSet) {
        let stored = Dictionary(rows.map { (SharedZoneKey($0), $0) }) { first, _ in first }
        let gone = Set(ended.map(SharedZoneKey.init))
        var moved = changed
        // What ends comes first: whoever reads only a part is not left without a zone that is still there.
        for var row in ended {
            let old = stored[SharedZoneKey(row)]
            let other = (changed + rows).first {
                $0.state == .live && $0.owner == row.owner && $0.name == row.name && !gone.contains(SharedZoneKey($0))
            }
            if let other {
                if let old { set.remove(old) }
                if !moved.contains(where: { SharedZoneKey($0) == SharedZoneKey(other) }) { moved.append(other) }
            } else {
                head.sequence += 1
                (row.sequence, row.endedAt) = (head.sequence, head.time)
                set.put(row, replacing: old)
            }
        }
        for var row in moved {
            head.sequence += 1
            row.sequence = head.sequence
            set.put(row, replacing: stored[SharedZoneKey(row)])
        }
    }
}
