import CloudKitWire
package import NephosDomain
package import NephosStorage
import Synchronization

/// The access path to stores for everything on a server: requests, files, waiting devices.
///
/// A request is judged by one version of its tenant's catalog, the one that this process remembers. The snapshot that it reads
/// from, or the transaction that it writes in, shows whether that version is still current; if not, the request starts again with
/// the new one. So credentials revoked elsewhere give no access, and nothing is locked while requests are parsed and signatures
/// checked. If only sessions have ended since, requests of other callers continue (``question(of:seeing:)``).
package final class Runner: Sendable {
    /// How many times a request is started because the catalog changed under it.
    package static let attemptsMax = 8

    package let engine: any StorageEngine
    /// Records when the database is unreachable, or its disk is full.
    package let outage: StorageOutage
    /// Records uses of credentials.
    package let uses: CredentialUses
    /// Limits the work for callers that are not known yet.
    package let strangers = Strangers()
    /// Records what was written.
    let written = WrittenTenants()
    private let caches = TenantCaches()

    package init(
        engine: any StorageEngine, outage: StorageOutage = StorageOutage(), uses: CredentialUses = CredentialUses()
    ) {
        self.engine = engine
        self.outage = outage
        self.uses = uses
    }

    /// What is remembered of a tenant that exists.
    package func memory(of tenant: Tenant) -> TenantCache { caches.of(tenant) }

    /// The tenant; opens it if necessary. May block. - Throws: ``StorageError/noSuchTenant``, which is remembered.
    package func open(_ tenant: Tenant) throws(StorageError) -> any TenantStore {
        if let store = engine.opened(tenant) { return store }
        guard let store = try engine.open(tenant) else {
            caches.forget(tenant)
            strangers.note(missing: tenant)
            throw .noSuchTenant
        }
        return store
    }

    // MARK: One attempt

    /// Reads from one snapshot. Blocks if reads of the store block. - Throws: ``CatalogMoved`` if it shows another catalog.
    package func read(_ set: ReadSet, from store: any TenantStore, authenticatedBy catalog: Catalog) throws -> Reading {
        let reading = try store.read(set)
        outage.noteSuccess()
        guard reading.catalog.isSame(as: catalog) else { throw CatalogMoved(to: reading.catalog) }
        return reading
    }

    /// The same for a request: ``CatalogMoved`` also if its session has ended.
    package func read(
        _ set: ReadSet, from store: any TenantStore, authenticatedBy context: RequestContext
    ) throws -> Reading {
        let reading = try store.read(set)
        outage.noteSuccess()
        try context.foreign?.check(reading)
        if let question = try question(of: context, seeing: reading.catalog) {
            let answer = try store.read(question.reading)
            try self.answer(question, answer[question.scan], of: context, seeing: answer.catalog)
        }
        return reading
    }

    /// Decides and writes in one transaction. Never blocks.
    ///
    /// - Parameter context: The request; nil if the decision depends only on the catalog of the transaction.
    /// - Parameter completion: Called once, on any thread: with ``CatalogMoved`` if the transaction showed another catalog, or
    ///   that the request's session has ended.
    package func commit<Answer: Sendable>(
        _ set: ReadSet, to store: any TenantStore, authenticatedBy context: RequestContext? = nil,
        decide: @escaping @Sendable (Reading) throws -> Decision<Answer>,
        completion: @escaping @Sendable (Result<Answer, any Error>) -> Void
    ) {
        let wrote = Written()
        store.commit(set) { reading throws -> Decision<Answer> in
            if let context, let question = try self.question(of: context, seeing: reading.catalog) {
                guard let ended = reading.rows(of: question.scan) else { return .need(question.reading) }
                try self.answer(question, ended, of: context, seeing: reading.catalog)
            }
            try context?.foreign?.check(reading)
            return try decide(reading).noting(wrote.note)
        } completion: { [outage, written] result in
            let wroteSomething = wrote.isSomething
            // A commit that failed may have taken effect nevertheless.
            let work = wrote.work
            if wroteSomething || !work.isEmpty { written.note(store.tenant, work) }
            if case .success = result { outage.noteSuccess(saved: wroteSomething) }
            completion(result)
        }
    }

    /// ``commit(_:to:authenticatedBy:decide:completion:)``, awaited.
    package func commit<Answer: Sendable>(
        _ set: ReadSet, to store: any TenantStore, decide: @escaping @Sendable (Reading) throws -> Decision<Answer>
    ) async throws -> Answer {
        try await withCheckedThrowingContinuation { continuation in
            commit(set, to: store, decide: decide) { continuation.resume(with: $0) }
        }
    }

    /// Decides and writes in the directory in one transaction, and notes the work that it asks for. Blocks.
    ///
    /// - Parameter decide: See ``DirectoryStore/commit(_:decide:)``, whose errors this throws.
    package func commitDirectory<Answer: Sendable>(
        _ set: ReadSet, decide: (Reading) throws -> Decision<Answer>
    ) throws -> Answer {
        var work: [String: Milliseconds] = [:]
        // A commit that failed may have taken effect nevertheless.
        defer { if !work.isEmpty { written.note(nil, work) } }
        return try engine.directory.commit(set) { reading in
            let decision = try decide(reading)
            if case .write(let writes, _) = decision { work = writes.work }
            return decision
        }
    }

    /// Looks up what a person sees of zones of others, and remembers it. May block.
    func lookUp(
        _ names: Set<ForeignZoneName>, of session: SessionRow, in store: any TenantStore
    ) throws(StorageError) -> [ForeignZone] {
        var search = ForeignZoneSearch(names, of: session)
        let zones = try search.zones { set throws(StorageError) in try store.read(set) }
        memory(of: store.tenant).remember(zones, of: session.user)
        return zones
    }

    // MARK: After a failure

    /// What follows a failed attempt.
    package enum Next {
        /// Another attempt, with what is remembered now.
        case again
        /// Another attempt with a container that may have been created under the name of a deleted one.
        case reopen
        case fails(any Error)
    }

    /// - Parameter attempt: The number of the failed attempt, from 1.
    package func next(after error: any Error, of attempt: Int, at tenant: Tenant) -> Next {
        switch error {
        case let moved as CatalogMoved:
            memory(of: tenant).remember(moved.catalog)
            return attempt < Self.attemptsMax ? .again : .fails(Refusal.schemaIsChanging)
        case let moved as ForeignZonesMoved:
            memory(of: tenant).forgetForeignZones(of: moved.user)
            return attempt < Self.attemptsMax
                ? .again
                : .fails(Refusal.tryAgainLater("what is shared with you is being changed: try again", seconds: 1))
        case StorageError.noSuchTenant:
            caches.forget(tenant)
            return attempt < Self.attemptsMax ? .reopen : .fails(error)
        default: return .fails(error)
        }
    }

    /// The refusal that a client gets for a failure; nil if the failure is only for the log. Storage failures are reported to the
    /// operator.
    ///
    /// - Parameter unknown: The refusal for unknown credentials.
    package func refusal(of error: any Error, unknown: @autoclosure () -> Refusal) -> Refusal? {
        switch error {
        case Refusal.failed: return nil
        case let refusal as Refusal: return refusal
        case let error as WireError: return Refusal(error)
        case let error as StorageError:
            outage.note(error)
            return Refusal(error, unknown: unknown())
        default: return nil
        }
    }

    // MARK: Attempts until one succeeds

    /// The result of authentication against the store.
    package struct Authentication {
        package let verdict: Result<Caller, Refusal>
        /// The catalog by which it was judged.
        package let catalog: Catalog
        /// No credential in the request is known here, and checking again in a moment would not find it either.
        package let isOfStranger: Bool
    }

    /// Authenticates the caller. May block.
    ///
    /// - Parameter time: Of many concurrent calls, one reads the catalog; calls that arrived later read it again.
    package func authenticate(
        _ credentials: Credentials, in store: any TenantStore, notBefore time: ContinuousClock.Instant,
        now: Milliseconds
    ) throws(StorageError) -> Authentication {
        let (catalog, session) = try look(for: credentials, in: store, notBefore: time)
        do throws(Refusal) {
            let caller = try credentials.authenticate(catalog: catalog, session: session, now: now)
            return Authentication(verdict: .success(caller), catalog: catalog, isOfStranger: false)
        } catch {
            // A signature that does not match reveals nothing about its key. A session that exists but has ended has its own
            // reason.
            let isOfStranger = session == nil && (credentials.signed == nil || !credentials.areRecognized(by: catalog))
            return Authentication(verdict: .failure(error), catalog: catalog, isOfStranger: isOfStranger)
        }
    }

    private func look(
        for credentials: Credentials, in store: any TenantStore, notBefore time: ContinuousClock.Instant
    ) throws(StorageError) -> (Catalog, SessionRow?) {
        let memory = memory(of: store.tenant)
        guard let id = credentials.sessionID else { return (try memory.reread(store, unlessSince: time), nil) }
        var set = ReadSet()
        let session = SessionRow.keyed([id])
        set.ask(session)
        let reading = try store.read(set)
        memory.remember(reading.catalog)
        return (reading.catalog, reading[session].first)
    }

    /// Reads the data for a token that this tenant has issued and signed. May block.
    ///
    /// - Parameters:
    ///   - ask: Parses the token with the key of a catalog, and returns what to read. If it refuses with a remembered catalog, it
    ///     is called again with the stored one.
    ///   - answer: Decides by the snapshot.
    package func read<Question, Answer>(
        from store: any TenantStore, ask: (Catalog) throws -> (ReadSet, Question),
        answer: (Reading, Question) throws -> Answer
    ) throws -> Answer {
        let memory = memory(of: store.tenant)
        var stored: Catalog?
        for attempt in 1... {
            let remembered = stored == nil ? memory.catalog : nil
            let catalog = try stored ?? remembered ?? readCatalog(of: store)
            let (set, question): (ReadSet, Question)
            do {
                (set, question) = try ask(catalog)
            } catch let refusal as Refusal where remembered != nil {
                stored = try readCatalog(of: store)
                if stored?.isSame(as: catalog) == true { throw refusal }
                continue
            }
            let reading: Reading
            do {
                reading = try read(set, from: store, authenticatedBy: catalog)
            } catch let moved as CatalogMoved {
                guard case .again = next(after: moved, of: attempt, at: store.tenant) else { break }
                stored = moved.catalog
                continue
            }
            return try answer(reading, question)
        }
        throw Refusal.schemaIsChanging
    }

    private func readCatalog(of store: any TenantStore) throws -> Catalog {
        let catalog = try store.read(ReadSet()).catalog
        memory(of: store.tenant).remember(catalog)
        return catalog
    }
}

/// The snapshot shows another version of the catalog than the one by which a request was judged.
package struct CatalogMoved: Error {
    let catalog: Catalog

    package init(to catalog: Catalog) { self.catalog = catalog }
}

/// What an attempt to commit wrote.
private final class Written: Sendable {
    private let flag = Atomic(false)
    private let asked = Mutex<[String: Milliseconds]>([:])

    var isSomething: Bool { flag.load(ordering: .relaxed) }
    var work: [String: Milliseconds] { asked.withLock { $0 } }

    func note(_ writes: WriteSet) {
        flag.store(!writes.isEmpty, ordering: .relaxed)
        if !writes.work.isEmpty { asked.withLock { $0 = writes.work } }
    }
}
