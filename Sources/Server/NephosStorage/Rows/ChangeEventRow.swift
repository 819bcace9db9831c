public import CloudKitWire

/// A change that somebody watches, written with the change itself (table `change_events`), until everybody was told.
public struct ChangeEventRow: Sendable, Equatable {
    public enum Kind: Int64, Sendable { case created = 1, updated = 2, deleted = 3, zoneCreated = 4, zoneDeleted = 5 }

    public var database: DatabaseNumber
    public var sequence: Sequence
    public var zone: ZoneNumber
    /// Name of the record; of the zone for zone events.
    public var name: Name
    public var kind: Kind
    /// The device that made the change: its person, and the `clientId` of the request. Empty when it named none.
    public var client: String
    /// The record is told with it: that which still stands as it was saved, or else a copy (table `event_records`). Set by
    /// the engine: where a query watches.
    public var hasRecord = false
    /// The subscriptions that were saved up to here were told.
    public var toldTo: Sequence = 0

    public init(
        database: DatabaseNumber, sequence: Sequence, zone: ZoneNumber, name: Name, kind: Kind, client: String = ""
    ) {
        self.database = database
        self.sequence = sequence
        self.zone = zone
        self.name = name
        self.kind = kind
        self.client = client
    }

    /// In the order of ``init(_:from:)``.
    package static let columns = ["db", "seq", "zone_no", "kind", "name", "client", "has_record", "told_to"]

    /// Reads ``columns``, which begin at a column.
    package init(_ row: borrowing some AnswerRow & ~Copyable, from first: Int32 = 0) throws(StorageError) {
        self.init(
            database: row.database(first), sequence: row.int(first + 1), zone: row.int(first + 2),
            name: row.name(first + 4), kind: try row.kind(first + 3, of: Kind.self), client: row.string(first + 5))
        hasRecord = try row.flag(first + 6)
        toldTo = row.int(first + 7)
    }

    public var isOfRecord: Bool {
        switch kind {
        case .created, .updated, .deleted: true
        case .zoneCreated, .zoneDeleted: false
        }
    }

    public var checksum: Int64 {
        var sum = Checksum()
        for number in [database, sequence, zone, kind.rawValue, hasRecord ? 1 : 0, toldTo] { sum.add(number) }
        sum.add(name.bytes)
        sum.add(client.utf8)
        return sum.value
    }
}

/// An event, with the record that it is about.
public struct WatchedChange: Sendable, Equatable {
    public var event: ChangeEventRow
    /// As it was saved, or as it stood before it was deleted. nil where no query watched.
    public var record: RecordRow?

    public init(event: ChangeEventRow, record: RecordRow?) {
        self.event = event
        self.record = record
    }
}

/// How far an event was told.
public struct ToldEvent: Sendable, Equatable {
    /// As it was read.
    public var event: ChangeEventRow
    /// The subscriptions that were saved up to here were told; nil for all, and the event goes.
    public var toldTo: Sequence?

    public init(_ event: ChangeEventRow, toldTo: Sequence? = nil) {
        self.event = event
        self.toldTo = toldTo
    }
}
