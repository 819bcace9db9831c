import CloudKitWire
import NephosDomain
import NephosQueries
import NephosStorage

/// What a record of content says of itself, and how it stands at a moment.
struct ContentState {
    let publishedAt, until: Milliseconds?
    /// Hours that come again; nil for all the time.
    let every: Bytes?
    /// Of what one must be proved; empty for everybody.
    let access: [String]

    init(_ record: RecordRow, _ content: ContentType, _ type: RecordType) {
        self.init(ContentValues(record, content, type))
    }

    init(_ values: ContentValues) {
        (publishedAt, until, every, access) = (values.publishedAt, values.until, values.every, values.access)
    }

    enum Word: String, CaseIterable {
        /// It has no time.
        case draft
        /// Its time has not come.
        case early
        case published
        /// It is out of its hours.
        case paused
        /// Its time is over.
        case ended
    }

    func word(at now: Milliseconds) -> Word {
        guard let publishedAt else { return .draft }
        if let until, until <= now { return .ended }
        guard publishedAt <= now else { return .early }
        return every.map { RecurringHours.contain(now, $0) } ?? true ? .published : .paused
    }

    /// When the hours begin or end that come again; nil where it has none.
    func nextEdge(after now: Milliseconds) -> Milliseconds? {
        every.flatMap { RecurringHours.nextEdge($0, after: now) }
    }
}
