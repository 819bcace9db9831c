public import CloudKitWire

/// A person, or a server-to-server key, as one tenant knows them (table `users`).
public struct UserRow: Sendable, Equatable {
    public enum Source: Int64, Sendable { case account = 0, serverKey = 1 }

    public var id: UserID
    public var source: Source
    /// Id of the account (a person) or of the key. Unique together with `source`.
    public var sourceID: String
    /// The person's private database; 0 for a key, which has none.
    public var privateDatabase: DatabaseNumber
    public var createdAt: Milliseconds

    public init(
        id: UserID, source: Source, sourceID: String, privateDatabase: DatabaseNumber, createdAt: Milliseconds
    ) {
        self.id = id
        self.source = source
        self.sourceID = sourceID
        self.privateDatabase = privateDatabase
        self.createdAt = createdAt
    }

    /// Where their devices stand: the private database, or the public one for a key.
    public var home: DatabaseNumber { privateDatabase == 0 ? 1 : privateDatabase }

    public var checksum: Int64 {
        var sum = Checksum()
        sum.add(id)
        for number in [source.rawValue, privateDatabase, createdAt] { sum.add(number) }
        sum.add(sourceID.utf8)
        return sum.value
    }
}
