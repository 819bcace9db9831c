/// A topic that clients can wait for, in one database: a word that a feature chose, such as `flags` (docs/decisions/0031).
public struct Topic: Sendable, Hashable, Comparable {
    /// 1 to 100 ASCII characters.
    public let name: String
    /// The database that it is about.
    public let database: DatabaseNumber

    static let bytesMax = 100

    /// Creates a topic.
    ///
    /// - Parameter name: A constant of the program, never text from a request: any other text is an error of the
    ///   program, and ends it.
    public init(_ name: String, _ database: DatabaseNumber) {
        precondition(Self.isName(name), "\(name) is not a valid name of a topic")
        self.init(stored: name, database)
    }

    fileprivate init(stored name: String, _ database: DatabaseNumber) {
        self.name = name
        self.database = database
    }

    fileprivate static func isName(_ name: String) -> Bool {
        (1...bytesMax).contains(name.utf8.count) && name.utf8.allSatisfy { $0 < 0x80 && $0 > 0 }
    }

    public static func < (left: Topic, right: Topic) -> Bool {
        (left.database, left.name) < (right.database, right.name)
    }
}

/// When a topic was last posted (table `news`). A writer holds the head of the database, so that posts are serialized.
public struct NewsRow: Sendable, Equatable {
    /// What was posted.
    public fileprivate(set) var topic: Topic
    /// Incremented by each post, at least to its time in milliseconds since 1970: it never repeats, even if the row was lost
    /// in between, so that features may use it as a cache key.
    public internal(set) var number: Int64

    init(_ topic: Topic, number: Int64) {
        self.topic = topic
        self.number = number
    }
}

extension NewsRow: StoredRow {
    public static let table = Table(of: Self.self, "news", .database, key: ["db", "topic"], isCounted: true)
    public static let sample = NewsRow(Topic("topic", 1), number: 0)

    public mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        var (name, database) = (topic.name, topic.database)
        try columns.database(&database)
        try columns.text("topic", &name)
        try columns.int("number", &number)
        topic = Topic(stored: name, database)
    }

    public var flaw: String? { Topic.isName(topic.name) ? nil : "it is not a valid name of a topic" }

    /// The rows of topics that were ever posted, in any order.
    public static func of(_ topics: some Swift.Sequence<Topic>) -> Scan<Self> {
        Scan(among: Set(topics).sorted().map { [.database($0.database), .text($0.name)] })
    }
}

extension WriteSet {
    /// Wakes those who wait for a topic, on every server, once this is committed. A second post of a topic in one decision has no effect.
    ///
    /// - Parameters:
    ///   - old: As it was read: a row of ``NewsRow/of(_:)``, under the lock of the head; nil if there is none.
    ///   - now: The time of the decision.
    public mutating func post(_ topic: Topic, replacing old: NewsRow?, at now: Milliseconds) {
        guard !changes(of: NewsRow.self).contains(where: { $0.new?.topic == topic }) else { return }
        put(NewsRow(topic, number: max(now, (old?.number ?? 0) + 1)), replacing: old)
    }
}
