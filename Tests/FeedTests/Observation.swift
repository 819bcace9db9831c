/// Which feed.
enum Feed: Hashable {
    /// Of whatever zone of this name lives.
    case zone(String)
    /// Of the database: which zones there are.
    case database
}

/// One entry of a feed, as a device sees it: a record of a zone, or a zone of a database.
struct Item: Equatable {
    var name: String
    /// Of its last change; 0 for a deleted zone, which carries none.
    var sequence: Int64
    /// A record's fields, or the number of a zone's incarnation; nil for what was deleted.
    var state: String?
}

/// What a change token says inside.
struct Place {
    /// The incarnation; 0 in the feed of a database.
    var zone: Int64
    var sequence: Int64
    var base: Int64
}

/// One page that was asked for while others wrote, to be judged when all that was written is known.
struct Observation {
    struct Page {
        var items: [Item]
        var token: String
        /// What `token` says.
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
    /// The token it was asked with; nil for none.
    var from: Place?
    var limit: Int
    /// Where the database stood in the snapshot that the page was read from.
    var snapshot: Int64
    /// Up to where that snapshot had forgotten deletions.
    var purged: Int64
    var outcome: Outcome
    /// What the device holds from now on, if it was told that it has caught up.
    var copy: [String: Item]?
}
