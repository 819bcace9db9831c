public import CloudKitWire

/// One sign-in of a person in one tenant (table `sessions`). Rotating tokens are derived from it, so that
/// rotation writes nothing.
public struct SessionRow: Sendable, Equatable {
    /// 16 random bytes.
    public var id: [UInt8]
    public var user: UserID
    /// Of the user, so that a request needs no second look-up.
    public var privateDatabase: DatabaseNumber
    /// The key that signs this session's tokens: 32 random bytes.
    public var secret: [UInt8]
    public var createdAt: Milliseconds
    public var expiresAt: Milliseconds
    /// 0 while the session lives.
    public var revokedAt: Milliseconds

    public init(
        id: [UInt8], user: UserID, privateDatabase: DatabaseNumber, secret: [UInt8], createdAt: Milliseconds,
        expiresAt: Milliseconds, revokedAt: Milliseconds = 0
    ) {
        self.id = id
        self.user = user
        self.privateDatabase = privateDatabase
        self.secret = secret
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.revokedAt = revokedAt
    }

    public var checksum: Int64 {
        var sum = Checksum()
        sum.add(id)
        sum.add(user)
        sum.add(secret)
        for number in [privateDatabase, createdAt, expiresAt, revokedAt] { sum.add(number) }
        return sum.value
    }
}
