public import CloudKitWire

/// A change that a subscription watches, written with the change itself (table `change_events`), until all subscriptions were notified.
public struct ChangeEventRow: Sendable, Equatable {
    /// What happened.
    public enum Kind: Int64, Sendable {
        /// A record was created.
        case created = 1
        /// A record was changed.
        case updated = 2
        /// A record was deleted.
        case deleted = 3
        /// A zone was created.
        case zoneCreated = 4
        /// A zone was deleted.
        case zoneDeleted = 5
        /// A record that nobody saved is shown from now on, or no longer, to callers that cannot write it.
        case appeared = 6, ended = 7
        /// A record was created, updated or deleted while it was hidden from callers that cannot write it.
        case createdHidden = 8, updatedHidden = 9, deletedHidden = 10
        /// Something happened in a zone of somebody else that the owner of the database sees, or saw.
        case sharedChanged = 11

        /// The same kind for a record that is hidden.
        package var hidden: Kind {
            switch self {
            case .created: .createdHidden
            case .updated: .updatedHidden
            case .deleted: .deletedHidden
            default: self
            }
        }

        /// Whether the event is about the record as it was before the change: it is recorded first.
        package var isOfWhatWas: Bool { self == .deleted || self == .deletedHidden || self == .ended }

        /// Whether the stored record differs from the one the event is about, so that it is copied when the event is recorded.
        package var copiesRecord: Bool { isOfWhatWas || self == .appeared }
    }

    /// The database in which it happened.
    public var database: DatabaseNumber
    /// The sequence of the change, which orders the events of a database.
    public var sequence: Sequence
    /// The number of the zone in which it happened.
    public var zone: ZoneNumber
    /// Name of the record; of the zone for zone events.
    public var name: Name
    /// What happened.
    public var kind: Kind
    /// The device that made the change: its person, and the `clientId` of the request. Empty if the request had none.
    public var client: String
    /// Whether the event includes its record: the stored one if it is unchanged since, otherwise a copy (table
    /// `event_records`). Set by the engine if a query subscription watches.
    public var hasRecord = false
    /// Subscriptions that were saved up to this sequence have been notified.
    public var notifiedTo: Sequence = 0

    /// Creates the event of a change.
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

    /// Whether it is about a record, and not about a zone.
    public var isOfRecord: Bool {
        switch kind {
        case .created, .updated, .deleted, .appeared, .ended, .createdHidden, .updatedHidden, .deletedHidden: true
        case .zoneCreated, .zoneDeleted, .sharedChanged: false
        }
    }
}

extension ChangeEventRow: StoredRow {
    public static let table = Table(
        of: Self.self, "change_events", .database, key: ["db", "seq"], isCounted: true,
        checksum: .frozen(["db", "seq", "zone_no", "kind", "has_record", "told_to", "name", "client"]))
    public static let sample = ChangeEventRow(database: 1, sequence: 1, zone: 1, name: "", kind: .created)

    public mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.database(&database)
        try columns.int("seq", &sequence)
        try columns.int("zone_no", &zone)
        try columns.kind("kind", &kind)
        try columns.name("name", &name)
        try columns.text("client", &client)
        try columns.flag("has_record", &hasRecord)
        try columns.int("told_to", &notifiedTo)
    }

    public var givenSequence: Sequence? { sequence }

    public func count(in head: inout HeadRow, times: Int64, checksum: Int64) { head.events += times }

    // MARK: Scans

    /// The events of a database, in the order of the changes.
    public static func oldest(in database: DatabaseNumber, limit: Int) -> Scan<Self> {
        Scan(.database(database), limit: limit)
    }

    /// The events of all databases from a number on, database by database.
    public static func oldest(from database: DatabaseNumber = 1, limit: Int) -> Scan<Self> {
        Scan(above: [.database(database), .int(0)], limit: limit)
    }
}

/// An event with its record.
public struct WatchedChange: Sendable, Equatable {
    /// What happened.
    public var event: ChangeEventRow
    /// The record as it was saved, or as it was before it was deleted. nil if no query watched.
    public var record: RecordRow?

    /// Creates a change from its event and its record.
    public init(event: ChangeEventRow, record: RecordRow?) {
        self.event = event
        self.record = record
    }
}

extension WriteSet {
    /// Records that an event was sent to the subscriptions saved up to a sequence; nil for all, which removes the event.
    ///
    /// - Parameter event: As it was read.
    public mutating func markNotified(_ event: ChangeEventRow, to sequence: Sequence? = nil) {
        guard let sequence else { return remove(event) }
        var next = event
        next.notifiedTo = sequence
        put(next, replacing: event)
    }

    /// The events that are removed.
    package var finishedEvents: [ChangeEventRow] {
        changes(of: ChangeEventRow.self).filter { $0.new == nil }.compactMap(\.old)
    }
}
