public import NephosStorage

extension RecordChanges {
    /// What a rule must read in order to post a topic of the database: ``RuleWrites/post(_:_:_:)``.
    public func news(_ topic: String) -> Scan<NewsRow> { NewsRow.of([Topic(topic, head.database)]) }
}

extension RuleWrites {
    /// Wakes listeners of a topic of these changes' database, on every server, once the changes are committed.
    ///
    /// - Parameter reading: With ``RecordChanges/news(_:)``.
    public mutating func post(_ topic: String, _ changes: RecordChanges, _ reading: FoundRows) {
        let old = reading[changes.news(topic)].first
        self.changes.post(Topic(topic, changes.head.database), replacing: old, at: changes.now)
    }
}
