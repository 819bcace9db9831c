import CloudKitWire
import NephosDomain
import NephosQueries
import NephosStorage

/// The publication fields of a content record, and its state at a given time.
struct ContentState {
    let publishedAt, until: Milliseconds?
    /// Recurring hours; nil for all the time.
    let every: Bytes?
    /// Words of which one must be proved; empty for everybody.
    let access: [String]

    init(_ record: RecordRow, _ content: ContentType, _ type: RecordType) {
        self.init(ContentValues(record, content, type))
    }

    init(_ values: ContentValues) {
        (publishedAt, until, every, access) = (values.publishedAt, values.until, values.every, values.access)
    }

    enum Word: String, CaseIterable {
        /// It has no start.
        case draft
        /// Its start has not been reached.
        case early
        case published
        /// It is outside of its recurring hours.
        case paused
        /// Its end has passed.
        case ended
    }

    func word(at now: Milliseconds) -> Word {
        guard let publishedAt else { return .draft }
        if let until, until <= now { return .ended }
        guard publishedAt <= now else { return .early }
        return every.map { RecurringHours.contain(now, $0) } ?? true ? .published : .paused
    }

    /// When the recurring hours begin or end next; nil if there are none.
    func nextEdge(after now: Milliseconds) -> Milliseconds? {
        every.flatMap { RecurringHours.nextEdge($0, after: now) }
    }
}
