import CloudKitWire
import Crypto
import NephosStorage

/// A position of one person in the feed of a zone of somebody else: `syncToken` in the protocol.
///
/// It contains sequences, which count all changes of the owner, also of what is not shared. So it is encrypted, and the same position has
/// another token each time: that it has not changed would show that the owner has saved nothing else.
struct MemberToken: Sendable {
    var user: UserID
    var database: DatabaseNumber
    var zone: ZoneNumber
    /// The end of the zone when the client started from nothing.
    var base: Sequence
    var position: MemberFeedScan.Position
    /// A digest of the shares that were begun: their records are on the device.
    var begun: Int64

    init(_ user: UserID, _ zone: ZoneRow, base: Sequence, position: MemberFeedScan.Position, _ reach: Reach) {
        self.user = user
        (database, self.zone) = (zone.database, zone.number)
        self.base = base
        self.position = position
        begun = Self.digest(of: reach.begun(at: position, base: base))
    }

    func encrypted(key: [UInt8]) throws(Refusal) -> String {
        var content = TokenContent()
        for number in [
            Int64(bitPattern: user.high), Int64(bitPattern: user.low), database, zone, base, position.sequence,
            position.since, position.accepted, position.seen, begun,
        ] {
            content.append(number)
        }
        return try SealedToken.encrypt(content.bytes, for: .memberZone, key: key, isRandom: true)
    }

    init(_ token: String, key: [UInt8]) throws(Refusal) {
        var content = TokenContent(reading: try SealedToken.decrypt(token, for: .memberZone, key: key))
        let (high, low) = (try content.next(), try content.next())
        user = UserID(high: UInt64(bitPattern: high), low: UInt64(bitPattern: low))
        database = try content.next()
        zone = try content.next()
        base = try content.next()
        position = MemberFeedScan.Position(
            sequence: try content.next(), since: try content.next(), accepted: try content.next(),
            seen: try content.next())
        begun = try content.next()
    }

    /// - Throws: ``Refusal/tokenExpired`` if it is of another person or zone, if somebody has lost a share that was begun or is in it
    ///   anew, or if something was purged that they have not seen.
    func check(_ user: UserID?, _ row: ZoneRow, _ reach: Reach) throws(Refusal) {
        let shares = reach.begun(at: position, base: base)
        let purged = reach.isOfZone ? row.purgedSequence : shares.map(\.purged).max() ?? 0
        guard self.user == user, database == row.database, zone == row.number, begun == Self.digest(of: shares),
            purged <= position.sequence
        else { throw .tokenExpired }
    }

    private static func digest(of shares: [Reach.Membership]) -> Int64 {
        var hash = SHA256()
        for share in shares {
            for number in [share.share, share.since, share.accepted] {
                withUnsafeBytes(of: number.bigEndian) { hash.update(data: $0) }
            }
        }
        return hash.finalize().withUnsafeBytes { Int64(bigEndian: $0.loadUnaligned(as: Int64.self)) }
    }
}

extension Reach {
    /// The shares of which records are on a device that has followed to a position.
    fileprivate func begun(at position: MemberFeedScan.Position, base: Sequence) -> [Membership] {
        memberships.filter {
            (max($0.since, base), $0.since, $0.accepted) <= (position.sequence, position.since, position.accepted)
        }
    }

    /// What a feed of the zone contains.
    func feed(
        _ zone: ZoneKey, base: Sequence, after position: MemberFeedScan.Position, types: Set<TypeNumber>?, limit: Int,
        byteLimit: Int
    ) -> MemberFeedScan {
        MemberFeedScan(
            zone: zone, isOfZone: isOfZone,
            memberships: memberships.map {
                MemberFeedScan.Membership(share: $0.share, since: $0.since, accepted: $0.accepted)
            }, base: base, after: position, types: types, limit: limit, byteLimit: byteLimit)
    }
}
