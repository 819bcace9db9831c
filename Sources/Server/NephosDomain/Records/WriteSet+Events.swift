import CloudKitWire
import NephosStorage

/// Change events, which are written only for watched databases.
extension WriteSet {
    /// - Parameters:
    ///   - head: Of its database, with the sequence of this change.
    ///   - author: Of the change (``ChangeAuthor``).
    mutating func note(
        _ kind: ChangeEventRow.Kind, _ name: Name, in zone: ZoneNumber, _ head: HeadRow, author: String = ""
    ) {
        guard head.isWatched else { return }
        events.append(
            ChangeEventRow(
                database: head.database, sequence: head.sequence, zone: zone, name: name, kind: kind, client: author))
    }
}
