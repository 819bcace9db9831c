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

    /// Notes that a person's list of zones of others has changed.
    ///
    /// - Parameters:
    ///   - head: Of their database, with the sequence of this change.
    ///   - subscriptions: The result of ``SubscriptionRow/anyShared(of:in:)``.
    mutating func noteShared(_ head: HeadRow, _ subscriptions: [SubscriptionRow], author: String = "") {
        guard !subscriptions.isEmpty else { return }
        events.append(
            ChangeEventRow(
                database: head.database, sequence: head.sequence, zone: 0, name: "", kind: .sharedChanged,
                client: author))
    }
}
