public import CloudKitWire

/// A stored record in its latest state (table `records`).
public struct RecordRow: Sendable, Equatable {
    /// What kinds of values the fields of a record hold.
    public struct Flags: OptionSet, Sendable, Equatable {
        public let rawValue: Int64
        public init(rawValue: Int64) { self.rawValue = rawValue }
        /// A field is an asset or a list of assets.
        public static let assets = Flags(rawValue: 1)
        /// A field is marked as encrypted by the client.
        public static let encrypted = Flags(rawValue: 2)
        /// It is the record of a share.
        public static let share = Flags(rawValue: 4)
        /// It is, or was, the root of a share.
        public static let shareRoot = Flags(rawValue: 8)
    }

    /// The database that it is in.
    public var database: DatabaseNumber
    /// Its number in the database.
    public var number: RecordNumber
    /// The number of the zone that it is in.
    public var zone: ZoneNumber
    /// UTF-8; unique in its zone across types.
    public var name: Name
    /// Position in the feed of its zone.
    public var sequence: Sequence
    /// The sequence of the save that created this content. The change tag is this number in base 36, so that it never repeats
    /// for a name. It may be lower than `sequence` if only the record's place in a share changed.
    public var tagSequence: Sequence
    /// The number of its type.
    public var type: TypeNumber
    /// When it was created, in milliseconds since 1970.
    public var createdAt: Milliseconds
    /// Who created it.
    public var createdBy: UserID
    /// When it was saved last, in milliseconds since 1970.
    public var modifiedAt: Milliseconds
    /// Who saved it last.
    public var modifiedBy: UserID
    /// Name of the parent record, in the same zone.
    public var parent: Name?
    /// The share that it is part of; minus its number while the records below it are not marked yet. The number of a share that has
    /// ended means nothing. nil outside of all shares, and in a zone that is shared as a whole.
    public var share: ShareNumber?
    /// What kinds of values its fields hold.
    public var flags: Flags
    /// The epoch of the type at the save; if lower than the type's, fields were removed since.
    public var fieldsEpoch: Int64
    /// The number of rows in the table `refs` that have this record as their source.
    public var referenceCount: Int64
    /// Canonical bytes of the fields (CloudKitWire defines the format).
    public var fields: Bytes

    /// Creates a row from its columns.
    public init(
        database: DatabaseNumber, number: RecordNumber, zone: ZoneNumber, name: Name, sequence: Sequence,
        tagSequence: Sequence, type: TypeNumber, createdAt: Milliseconds, createdBy: UserID,
        modifiedAt: Milliseconds, modifiedBy: UserID, parent: Name? = nil, share: ShareNumber? = nil,
        flags: Flags = [], fieldsEpoch: Int64 = 0, referenceCount: Int64 = 0, fields: Bytes
    ) {
        self.database = database
        self.number = number
        self.zone = zone
        self.name = name
        self.sequence = sequence
        self.tagSequence = tagSequence
        self.type = type
        self.createdAt = createdAt
        self.createdBy = createdBy
        self.modifiedAt = modifiedAt
        self.modifiedBy = modifiedBy
        self.parent = parent
        self.share = share
        self.flags = flags
        self.fieldsEpoch = fieldsEpoch
        self.referenceCount = referenceCount
        self.fields = fields
    }

    /// In the order of ``init(_:from:)``: all columns of a record.
    package static let columns = [
        "db", "record_no", "zone_no", "name", "seq", "tag_seq", "type", "created_at", "created_by", "modified_at",
        "modified_by", "parent", "share_root", "flags", "fields_epoch", "ref_count", "size", "fields",
    ]
    /// The position of the record's size in ``columns``.
    static let sizeColumn: Int32 = 16
    /// The position of its type.
    package static let typeColumn: Int32 = 6

    /// Reads ``columns``, starting at the given column. Each value gets its own memory.
    package init(_ row: borrowing some AnswerRow & ~Copyable, from first: Int32 = 0) throws(StorageError) {
        self.init(
            database: row.database(first), number: row.int(first + 1), zone: row.int(first + 2),
            name: row.name(first + 3), sequence: row.int(first + 4), tagSequence: row.int(first + 5),
            type: try row.type(first + 6), createdAt: row.int(first + 7), createdBy: try row.user(first + 8),
            modifiedAt: row.int(first + 9), modifiedBy: try row.user(first + 10), parent: row.optionalName(first + 11),
            share: row.optionalInt(first + 12), flags: Flags(rawValue: row.int(first + 13)),
            fieldsEpoch: row.int(first + 14), referenceCount: row.int(first + 15), fields: row.bytes(first + 17)[...])
    }

    /// The amount that the record adds to `HeadRow.recordBytes`.
    public var storedBytes: Int64 { Int64(name.bytes.count + fields.count) }

    /// Guards the row against damage.
    public var checksum: Int64 {
        var sum = Checksum(reserving: 224 + name.bytes.count + fields.count)
        for number in [
            database, number, zone, sequence, tagSequence, Int64(type), createdAt, modifiedAt, flags.rawValue,
            // No share has the number 1: the first sequence of a database is that of its default zone.
            fieldsEpoch, referenceCount, share ?? -1,
        ] { sum.add(number) }
        sum.add(createdBy)
        sum.add(modifiedBy)
        sum.add(name.bytes)
        if let parent { sum.add(parent.bytes) } else { sum.addNothing() }
        sum.add(fields)
        return sum.value
    }
}
