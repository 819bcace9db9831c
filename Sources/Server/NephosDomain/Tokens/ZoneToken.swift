public import NephosStorage

/// A position in the feed of one zone: `syncToken` in the protocol, a change token in CloudKit's terms.
public struct ZoneToken: Sendable, Equatable {
    public var database: DatabaseNumber
    /// The incarnation; a zone that was deleted and created again has another.
    public var zone: ZoneNumber
    /// All changes up to this one were seen.
    public var sequence: Sequence
    /// The sequence of the database when the client started from nothing: it never saw what was deleted before, so tombstones up
    /// to here are irrelevant for it.
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

    /// - Throws: ``Refusal/tokenExpired`` if the token belongs to another zone or incarnation, or if tombstones that its holder
    ///   has not seen were purged.
    func check(against row: ZoneRow) throws(Refusal) {
        guard database == row.database, zone == row.number, row.purgedSequence <= max(sequence, base) else {
            throw .tokenExpired
        }
    }
}

/// A position in the feed of one database: which zones changed.
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

    /// - Parameter shared: For the person's shared database, which has its own feed.
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
