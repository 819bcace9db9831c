public import NephosStorage

/// A place in the feed of one zone: `syncToken` on the wire, a change token in CloudKit's words.
public struct ZoneToken: Sendable, Equatable {
    public var database: DatabaseNumber
    /// The incarnation; a zone that was deleted and created again has another.
    public var zone: ZoneNumber
    /// Every change up to here was seen.
    public var sequence: Sequence
    /// Where the database stood when the client started from nothing: what was deleted up to here it never saw,
    /// so tombstones up to here mean nothing to it.
    public var base: Sequence

    public init(database: DatabaseNumber, zone: ZoneNumber, sequence: Sequence, base: Sequence) {
        self.database = database
        self.zone = zone
        self.sequence = sequence
        self.base = base
    }

    public func sealed(key: [UInt8]) -> String {
        var content = TokenContent()
        for number in [database, zone, sequence, base] { content.append(number) }
        return SealedToken.seal(content.bytes, for: .zone, key: key)
    }

    public init(_ token: String, key: [UInt8]) throws(Refusal) {
        var content = TokenContent(reading: try SealedToken.open(token, for: .zone, key: key))
        database = try content.next()
        zone = try content.next()
        sequence = try content.next()
        base = try content.next()
    }

    /// - Throws: ``Refusal/tokenExpired`` when the token is of another zone or incarnation, or when tombstones that
    ///   its holder has not seen were purged.
    func check(against row: ZoneRow) throws(Refusal) {
        guard database == row.database, zone == row.number, row.purgedSequence <= max(sequence, base) else {
            throw .tokenExpired
        }
    }
}

/// A place in the feed of one database: which zones changed.
public struct DatabaseToken: Sendable, Equatable {
    public var database: DatabaseNumber
    public var sequence: Sequence
    /// As in ``ZoneToken/base``, for deleted zones.
    public var base: Sequence

    public init(database: DatabaseNumber, sequence: Sequence, base: Sequence) {
        self.database = database
        self.sequence = sequence
        self.base = base
    }

    /// - Parameter shared: Of the person's shared database, which is a feed of its own.
    public func sealed(key: [UInt8], shared: Bool = false) -> String {
        var content = TokenContent()
        for number in [database, sequence, base] { content.append(number) }
        return SealedToken.seal(content.bytes, for: shared ? .shared : .database, key: key)
    }

    public init(_ token: String, key: [UInt8], shared: Bool = false) throws(Refusal) {
        var content = TokenContent(reading: try SealedToken.open(token, for: shared ? .shared : .database, key: key))
        database = try content.next()
        sequence = try content.next()
        base = try content.next()
    }

    func check(against head: HeadRow) throws(Refusal) {
        guard database == head.database, head.purgedSequence <= max(sequence, base) else { throw .tokenExpired }
    }
}
