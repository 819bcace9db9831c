package import CloudKitWire
package import NephosStorage

/// What administration takes from outside the program: the time, random bytes, and the author. Tests replace these values.
package struct Inputs: Sendable {
    /// Who administers, recorded in histories.
    package var author: String
    /// Milliseconds since 1970-01-01 UTC.
    package var now: @Sendable () -> Milliseconds
    /// Returns that many random bytes, suitable for secrets.
    package var randomBytes: @Sendable (Int) -> [UInt8]

    package init(
        author: String = "operator", now: @escaping @Sendable () -> Milliseconds,
        randomBytes: @escaping @Sendable (Int) -> [UInt8]
    ) {
        self.author = author
        self.now = now
        self.randomBytes = randomBytes
    }

    /// An upper-case UUID of version 4 (RFC 9562 §5.4).
    package func uuid() -> String { UUIDBits(randomBytes(16), version: 4).text }

    /// A random 64-bit number.
    package func number() -> UInt64 { randomBytes(8).reduce(0) { $0 << 8 | UInt64($1) } }

    /// The id of a new user.
    package func userID() -> UserID { UserID(high: number(), low: number()) }
}
