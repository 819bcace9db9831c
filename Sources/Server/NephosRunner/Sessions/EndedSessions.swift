import NephosDomain
package import NephosStorage

/// The sessions that were ended early since a number of ``CatalogHead/endedSessions``: read by a process that remembers callers
/// or has waiting callers (docs/decisions/0048).
package struct EndedSessions: Sendable {
    /// The maximum number to read; if more have ended, any session may have ended.
    package static let most = 1_000

    let since: Int64
    private let ids: Set<[UInt8]>
    /// More have ended than were read.
    let mayBeAny: Bool

    /// - Parameter rows: The result of ``scan(since:)``.
    init(since: Int64, _ rows: [SessionRow]) {
        self.since = since
        mayBeAny = rows.count > Self.most
        ids = Set(rows.map(\.id))
    }

    static func scan(since number: Int64) -> Scan<SessionRow> { SessionRow.ended(after: number, limit: most + 1) }

    func mayHave(_ session: [UInt8]) -> Bool { mayBeAny || ids.contains(session) }

    func forEach(_ body: ([UInt8]) -> Void) { ids.forEach(body) }
}

/// The revocable basis on which a waiting caller was admitted.
package struct AdmissionBasis: Sendable, Equatable {
    private(set) var catalogVersion: Int64
    private(set) var endedSessions: Int64
    /// The id of a session; empty if there is none.
    let session: [UInt8]

    package init(catalogVersion: Int64, endedSessions: Int64 = 0, session: [UInt8] = []) {
        self.catalogVersion = catalogVersion
        self.endedSessions = endedSessions
        self.session = session
    }

    /// - Parameter catalog: The catalog by which the caller was judged.
    package init(by catalog: Catalog, session: [UInt8]) {
        self.init(
            catalogVersion: catalog.version, endedSessions: catalog.head.endedSessions, session: session)
    }

    /// Whether sessions have ended since, and nothing else was revoked: which ones must then be read.
    package func asksWhichEnded(_ news: TenantNews) -> Bool {
        !session.isEmpty && news.catalogVersion == catalogVersion && news.endedSessions > endedSessions
    }

    /// Applies new information.
    ///
    /// - Parameters:
    ///   - news: nil if the tenant is gone.
    ///   - ended: nil if it was not read.
    /// - Returns: Whether the admission may have been revoked.
    package mutating func mayBeRevoked(_ news: TenantNews?, _ ended: EndedSessions?) -> Bool {
        guard let news, news.catalogVersion == catalogVersion else { return true }
        guard news.endedSessions > endedSessions else { return false }
        if !session.isEmpty {
            // A caller that was admitted after the read is checked next time.
            guard let ended, ended.since <= endedSessions else { return false }
            if ended.mayHave(session) { return true }
        }
        endedSessions = news.endedSessions
        return false
    }
}

extension Worker {
    /// Reads which sessions have ended, in the tenants with waiting callers that need to know.
    package func endedSessions(
        _ news: [Tenant: TenantNews], for waiting: [Tenant: [AdmissionBasis]]
    ) async throws -> [Tenant: EndedSessions] {
        var ended: [Tenant: EndedSessions] = [:]
        for (tenant, news) in news {
            let asking = (waiting[tenant] ?? []).filter { $0.asksWhichEnded(news) }
            guard let since = asking.map(\.endedSessions).min() else { continue }
            do {
                let rows = try await rows(EndedSessions.scan(since: since), from: try await open(tenant))
                ended[tenant] = EndedSessions(since: since, rows)
            } catch StorageError.noSuchTenant {
                // The next poll reports it.
            }
        }
        return ended
    }
}
