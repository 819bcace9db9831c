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
    ///
    /// The position may be that of a record which the caller may not see: a page that has examined as much as it may ends there, and
    /// its key consists of the record's values. So nobody can read it.
    func encrypted(key: [UInt8]) throws(Refusal) -> String {
        var content = TokenContent()
        for number in [database, position.zone, position.record, Int64(position.key.count)] { content.append(number) }
        content.append(bytes: query)
        content.append(bytes: position.key)
        return try SealedToken.encrypt(content.bytes, for: .marker, key: key)
    }

    /// - Throws: ``Refusal/tokenInvalid(_:)`` for a marker of another query, and for any other text.
    init(_ token: String, database: DatabaseNumber, query: [UInt8], key: [UInt8]) throws(Refusal) {
        var content = TokenContent(reading: try SealedToken.decrypt(token, for: .marker, key: key))
        self.database = try content.next()
        let zone = try content.next()
        let record = try content.next()
        let count = Int(clamping: try content.next())
        self.query = Array(content.rest.prefix(QueryFingerprint.byteCount))
        let place = Bytes(content.rest.dropFirst(QueryFingerprint.byteCount).prefix(max(0, count)))
        position = QueryScan.Position(key: place, zone: zone, record: record)
        guard self.database == database, self.query == query else {
            throw .tokenInvalid(
                "continuationMarker belongs to another query: repeat the query that returned it, as the same user and in "
                    + "the same zone")
        }
    }
}
