import NephosDomain
import NephosStorage

extension Runner {
    /// What must be known before a request goes on: sessions have ended since it was judged, and it is of a person.
    struct Question {
        let since: Int64
        let session: SessionRow

        var scan: Scan<SessionRow> { EndedSessions.scan(since: since) }

        var reading: ReadSet {
            var set = ReadSet()
            set.ask(scan)
            return set
        }
    }

    /// Whether what a request was judged by still holds.
    ///
    /// - Parameter catalog: Of the snapshot that it reads from, or of the transaction that it writes in.
    /// - Returns: nil where it does; else what decides.
    /// - Throws: ``CatalogMoved`` where it does not.
    func question(of context: RequestContext, seeing catalog: Catalog) throws(CatalogMoved) -> Question? {
        if catalog === context.catalog { return nil }
        guard catalog.isSame(as: context.catalog) else { throw CatalogMoved(to: catalog) }
        let since = context.catalog.head.endedSessions
        guard catalog.head.endedSessions > since, let session = context.caller.session else { return nil }
        let known = memory(of: catalog.head.tenant).catalog?.head.endedSessions
        return Question(since: min(since, known ?? since), session: session)
    }

    /// Has this process forget the sessions that have ended, and lets the request go on if its own is not among them.
    ///
    /// - Parameter catalog: Of the reading that has `rows`.
    /// - Throws: ``CatalogMoved`` where it is to be judged anew.
    func answer(
        _ question: Question, _ rows: [SessionRow], of context: RequestContext, seeing catalog: Catalog
    ) throws(CatalogMoved) {
        let ended = EndedSessions(since: question.since, rows)
        memory(of: catalog.head.tenant).forget(ended, asOf: catalog)
        guard catalog.isSame(as: context.catalog), !ended.mayHave(question.session.id) else {
            throw CatalogMoved(to: catalog)
        }
    }
}
