import NephosStorage

/// A position in the results of one query of one caller: `continuationMarker` in the protocol.
///
/// It contains where in the order the last page ended, so a record that did not change while paging appears exactly once.
struct QueryMarker: Equatable {
    var database: DatabaseNumber
    /// The query and its caller (``QueryFingerprint``); a marker is not valid for any other query.
    var query: [UInt8]
    var position: QueryScan.Position

    init(database: DatabaseNumber, query: [UInt8], position: QueryScan.Position) {
        self.database = database
        self.query = query
        self.position = position
    }

    /// At most 4 KB: the engine keeps sort keys below 1,900 bytes.
    func sealed(key: [UInt8]) -> String {
        var content = TokenContent()
        for number in [database, position.zone, position.record] { content.append(number) }
        return SealedToken.seal(content.bytes + query + position.key, for: .marker, key: key)
    }

    /// - Throws: ``Refusal/tokenInvalid(_:)`` for a marker of another query, and for any other text.
    init(_ token: String, database: DatabaseNumber, query: [UInt8], key: [UInt8]) throws(Refusal) {
        var content = TokenContent(reading: try SealedToken.open(token, for: .marker, key: key))
        self.database = try content.next()
        let zone = try content.next()
        let record = try content.next()
        self.query = Array(content.rest.prefix(QueryFingerprint.byteCount))
        let place = Bytes(content.rest.dropFirst(QueryFingerprint.byteCount))
        position = QueryScan.Position(key: place, zone: zone, record: record)
        guard self.database == database, self.query == query else {
            throw .tokenInvalid(
                "continuationMarker belongs to another query: repeat the query that returned it, as the same user and in "
                    + "the same zone")
        }
    }
}
