import CloudKitWire
import NephosDomain
import NephosStorage

/// What a record of content says of itself, and how it stands at a moment.
struct ContentState {
    let publishedAt, until: Milliseconds?
    /// Of what one must be proved; empty for everybody.
    let access: [String]

    init(_ record: RecordRow, _ content: ContentType, _ type: RecordType) {
        let roles: [ContentType.Role] = [.publishedAt, .until, .access].filter { content.fields[$0] != nil }
            .sorted { (content.fields[$0] ?? "") < (content.fields[$1] ?? "") }
        var values: [ContentType.Role: StoredValue] = [:]
        CanonicalFields.read(roles.compactMap { content.fields[$0] }, in: record.liveFields(of: type)) { place, value in
            values[roles[place]] = value
        }
        publishedAt = values[.publishedAt]?.integer
        until = values[.until]?.integer
        access = values[.access]?.texts ?? []
    }

    enum Word: String, CaseIterable {
        /// It has no time.
        case draft
        /// Its time has not come.
        case early
        case published
        /// Its time is over.
        case ended
    }

    func word(at now: Milliseconds) -> Word {
        guard let publishedAt else { return .draft }
        if let until, until <= now { return .ended }
        return publishedAt <= now ? .published : .early
    }
}
