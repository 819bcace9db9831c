import NephosDomain
import NephosStorage

extension Runner {
    /// What must be read before a request continues: sessions have ended since it was judged, and it is a person's request.
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

    /// Whether the basis on which a request was judged still holds.
    ///
    /// - Parameter catalog: The catalog of the snapshot that it reads from, or of the transaction that it writes in.
    /// - Returns: nil if it holds; otherwise what decides.
    /// - Throws: ``CatalogMoved`` if it does not.
    func question(of context: RequestContext, seeing catalog: Catalog) throws(CatalogMoved) -> Question? {
        if catalog === context.catalog { return nil }
        guard catalog.isSame(as: context.catalog) else { throw CatalogMoved(to: catalog) }
        let since = context.catalog.head.endedSessions
        guard catalog.head.endedSessions > since, let session = context.caller.session else { return nil }
        let known = memory(of: catalog.head.tenant).catalog?.head.endedSessions
        return Question(since: min(since, known ?? since), session: session)
    }

    /// Forgets the sessions that have ended, and lets the request continue if its own session is not among them.
    ///
    /// - Parameter catalog: The catalog of the reading that contains `rows`.
    /// - Throws: ``CatalogMoved`` if the request must be judged again.
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
