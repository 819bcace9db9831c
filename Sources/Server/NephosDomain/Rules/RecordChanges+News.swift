public import NephosStorage

extension RecordChanges {
    /// What a rule asks for that will post a topic of the database: ``FollowingRows/post(_:_:_:)``.
    public func news(_ topic: String) -> Scan<NewsRow> { NewsRow.of([Topic(topic, head.database)]) }
}

extension FollowingRows {
    /// Wakes who waits for a topic of the database of these changes, on every server, once they are committed.
    ///
    /// - Parameter reading: With ``RecordChanges/news(_:)``.
    public mutating func post(_ topic: String, _ changes: RecordChanges, _ reading: FoundRows) {
        let old = reading[changes.news(topic)].first
        self.changes.post(Topic(topic, changes.head.database), replacing: old, at: changes.now)
    }
}
