/// Which feed.
enum Feed: Hashable {
    /// Of the live zone with this name.
    case zone(String)
    /// Of the database: the list of zones.
    case database
}

/// One entry of a feed, as a device sees it: a record of a zone, or a zone of a database.
struct Item: Equatable {
    var name: String
    /// The sequence number of its last change; 0 for a deleted zone, which has none.
    var sequence: Int64
    /// A record's fields, or the number of a zone's incarnation; nil if deleted.
    var state: String?
}

/// The decoded contents of a change token.
struct Place {
    /// The incarnation; 0 in the feed of a database.
    var zone: Int64
    var sequence: Int64
    var base: Int64
}

/// One page requested while others wrote, to be checked when all writes are known.
struct Observation {
    struct Page {
        var items: [Item]
        var token: String
        /// The contents of `token`.
        var next: Place
        var more: Bool
    }

    enum Outcome {
        /// There is no such zone.
        case absent
        case expired
        case page(Page)
    }

    var feed: Feed
    /// The token of the request; nil for none.
    var from: Place?
    var limit: Int
    /// The database's sequence number in the snapshot that the page was read from.
    var snapshot: Int64
    /// The sequence number up to which that snapshot had purged deletions.
    var purged: Int64
    var outcome: Outcome
    /// The device's resulting state, if the page said that it is up to date.
    var copy: [String: Item]?
}
