import CloudKitWire
import NephosStorage

/// Change events, which only who watches makes necessary.
extension WriteSet {
    /// - Parameters:
    ///   - head: Of its database, with the sequence of this change.
    ///   - client: The `clientId` of the request.
    mutating func note(
        _ kind: ChangeEventRow.Kind, _ name: Name, in zone: ZoneNumber, _ head: HeadRow, client: String = ""
    ) {
        guard head.isWatched else { return }
        events.append(
            ChangeEventRow(
                database: head.database, sequence: head.sequence, zone: zone, name: name, kind: kind, client: client))
    }
}
