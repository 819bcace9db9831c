public import CloudKitWire
public import NephosStorage

/// What a share is of, as the last part of its URL says it: `shortGUID` in the protocol. It is the same if a record is shared again, and
/// nobody can read it or make another one; to have it opens nothing by itself.
public struct ShareAddress: Sendable, Hashable {
    /// The owner's private database.
    public let database: DatabaseNumber
    public let zone: ZoneNumber
    /// The number of the shared record; 0 for the whole zone.
    public let root: RecordNumber

    public init(database: DatabaseNumber, zone: ZoneNumber, root: RecordNumber) {
        (self.database, self.zone, self.root) = (database, zone, root)
    }

    /// Finds what is shared there: of the shares that it returns, the one with this zone and root.
    var shares: Scan<ShareRow> {
        root > 0 ? ShareRow.ofRoots([root], in: database) : ShareRow.of(zone, in: database, limit: 1)
    }

    /// - Throws: ``Refusal/failed`` if a number has more than 40 bits.
    public func text(key: [UInt8]) throws(Refusal) -> String {
        var content: [UInt8] = []
        for number in [database, zone, root] {
            guard 0..<(1 << 40) ~= number else { throw .failed }
            withUnsafeBytes(of: number.bigEndian) { content.append(contentsOf: $0.suffix(5)) }
        }
        return try SealedToken.encryptInURL(content, for: .shareAddress, key: key)
    }

    /// - Parameter text: An address, or a URL that ends with one, whatever its host: servers may move.
    /// - Throws: ``Refusal/recordNotFound`` for any other text: the same as for a share that nobody may see.
    public init(_ text: Name, key: [UInt8]) throws(Refusal) {
        let url = text.text.prefix { $0 != "#" && $0 != "?" }
        let last = url.split(separator: "/").last ?? ""
        guard let content = try? SealedToken.decrypt(inURL: String(last), for: .shareAddress, key: key),
            content.count >= 15
        else { throw .recordNotFound }
        let numbers = (0..<3).map { place in
            content[(5 * place)..<(5 * place + 5)].reduce(0 as Int64) { $0 << 8 | Int64($1) }
        }
        (database, zone, root) = (numbers[0], numbers[1], numbers[2])
    }
}
