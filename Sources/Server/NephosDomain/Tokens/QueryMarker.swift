import CloudKitWire
import NephosStorage

/// A place in the results of one query of one caller: `continuationMarker` on the wire.
///
/// It names the last record that was answered, so a record that did not change while paging appears exactly once.
struct QueryMarker {
    var database: DatabaseNumber
    /// Of what was asked and by whom; a marker serves no other query.
    var query: Int64
    var position: NameScan.Position

    func sealed(key: [UInt8]) -> String {
        var content = TokenContent()
        for number in [database, query, position.zone] { content.append(number) }
        return SealedToken.seal(content.bytes + position.name.bytes, for: .marker, key: key)
    }

    init(database: DatabaseNumber, query: Int64, position: NameScan.Position) {
        self.database = database
        self.query = query
        self.position = position
    }

    init(_ token: String, database: DatabaseNumber, query: Int64, key: [UInt8]) throws(Refusal) {
        var content = TokenContent(reading: try SealedToken.open(token, for: .marker, key: key))
        self.database = try content.next()
        self.query = try content.next()
        let zone = try content.next()
        position = NameScan.Position(zone: zone, name: Name(bytes: Array(content.rest)[...]))
        guard self.database == database, self.query == query else {
            throw .tokenInvalid("continuationMarker belongs to another query: repeat the query it came from")
        }
    }
}
