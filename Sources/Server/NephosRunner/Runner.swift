import CloudKitWire
package import NephosDomain
package import NephosStorage
import Synchronization

/// The way by which all who want something of a store come to it: requests, files, devices that wait.
///
/// A request is judged by one version of its tenant's catalog, the one that this process remembers. The snapshot it reads
/// from, or the transaction it writes in, shows whether that version still holds; if not, the request starts again with the
/// new one. So what was revoked elsewhere opens nothing, and nothing is locked while requests are parsed and signatures
/// checked. Where only sessions have ended since, a request of somebody else goes on (``question(of:seeing:)``).
package final class Runner: Sendable {
    /// How often a request starts again because the catalog moved under it.
    package static let attemptsMax = 8

    package let engine: any StorageEngine
    /// Told when the database cannot be reached, or its disk is full.
    package let outage: StorageOutage
    /// Told who was let in.
    package let uses: CredentialUses
    /// Those whom nobody knows yet.
    package let strangers = Strangers()
    /// Told what was written.
    let written = WrittenTenants()
    private let memories = TenantMemories()

    package init(
        engine: any StorageEngine, outage: StorageOutage = StorageOutage(), uses: CredentialUses = CredentialUses()
    ) {
        self.engine = engine
        self.outage = outage
        self.uses = uses
    }

    /// What is remembered of a tenant that is there.
    package func memory(of tenant: Tenant) -> TenantMemory { memories.of(tenant) }

    /// The tenant, which is opened if it is not open. May wait. - Throws: ``StorageError/noSuchTenant``, which is remembered.
    package func open(_ tenant: Tenant) throws(StorageError) -> any TenantStore {
        if let store = engine.opened(tenant) { return store }
        guard let store = try engine.open(tenant) else {
            memories.forget(tenant)
            strangers.note(lackOf: tenant)
            throw .noSuchTenant
        }
        return store
    }

    // MARK: One attempt

    /// Reads from one snapshot. May wait where reads do. - Throws: ``CatalogMoved`` where it shows another catalog.
    package func read(_ set: ReadSet, from store: any TenantStore, judgedBy catalog: Catalog) throws -> Reading {
        let reading = try store.read(set)
        outage.noteSuccess()
        guard reading.catalog.isSame(as: catalog) else { throw CatalogMoved(to: reading.catalog) }
        return reading
    }

    /// The same for a request: ``CatalogMoved`` too where its session has ended.
    package func read(
        _ set: ReadSet, from store: any TenantStore, judgedBy context: RequestContext
    ) throws -> Reading {
        let reading = try store.read(set)
        outage.noteSuccess()
        if let question = try question(of: context, seeing: reading.catalog) {
            let answer = try store.read(question.reading)
            try self.answer(question, answer[question.scan], of: context, seeing: answer.catalog)
        }
        return reading
    }

    /// Decides and writes in one transaction. Never waits.
    ///
    /// - Parameter context: The request; nil where the decision is made by the catalog of the transaction alone.
    /// - Parameter completion: Called once, on any thread: with ``CatalogMoved`` where the transaction showed another catalog, or
    ///   that the request's session has ended.
    package func commit<Answer: Sendable>(
        _ set: ReadSet, to store: any TenantStore, judgedBy context: RequestContext? = nil,
        decide: @escaping @Sendable (Reading) throws -> Decision<Answer>,
        completion: @escaping @Sendable (Result<Answer, any Error>) -> Void
    ) {
        let wrote = Written()
        store.commit(set) { reading throws -> Decision<Answer> in
            if let context, let question = try self.question(of: context, seeing: reading.catalog) {
                guard let ended = reading.rows(of: question.scan) else { return .need(question.reading) }
                try self.answer(question, ended, of: context, seeing: reading.catalog)
            }
            return try decide(reading).noting(wrote.note)
        } completion: { [outage, written] result in
            let wroteSomething = wrote.isSomething
            // One that failed may stand all the same.
            let work = wrote.work
            if wroteSomething || !work.isEmpty { written.note(store.tenant, work) }
            if case .success = result { outage.noteSuccess(saved: wroteSomething) }
            completion(result)
        }
    }

    /// ``commit(_:to:judgedBy:decide:completion:)``, awaited.
    package func commit<Answer: Sendable>(
        _ set: ReadSet, to store: any TenantStore, decide: @escaping @Sendable (Reading) throws -> Decision<Answer>
    ) async throws -> Answer {
        try await withCheckedThrowingContinuation { continuation in
            commit(set, to: store, decide: decide) { continuation.resume(with: $0) }
        }
    }

    /// Decides and writes in the directory in one transaction, and has the work done that it asks for. May wait.
    ///
    /// - Parameter decide: See ``DirectoryStore/commit(_:decide:)``, whose errors this throws.
    package func commitDirectory<Answer: Sendable>(
        _ set: ReadSet, decide: (Reading) throws -> Decision<Answer>
    ) throws -> Answer {
        var work: [String: Milliseconds] = [:]
        // One that failed may stand all the same.
        defer { if !work.isEmpty { written.note(nil, work) } }
        return try engine.directory.commit(set) { reading in
            let decision = try decide(reading)
            if case .write(let writes, _) = decision { work = writes.work }
            return decision
        }
    }

    // MARK: What comes after a failure

    /// What comes after an attempt that failed.
    package enum Next {
        /// Another attempt, by what is remembered now.
        case again
        /// Another attempt with a container that may have been made under the name of the one that is gone.
        case openAnew
        case fails(any Error)
    }

    /// - Parameter attempt: The number of the one that failed, from 1 on.
    package func next(after error: any Error, of attempt: Int, at tenant: Tenant) -> Next {
        switch error {
        case let moved as CatalogMoved:
            memory(of: tenant).remember(moved.catalog)
            return attempt < Self.attemptsMax ? .again : .fails(Refusal.schemaIsChanging)
        case StorageError.noSuchTenant:
            memories.forget(tenant)
            return attempt < Self.attemptsMax ? .openAnew : .fails(error)
        default: return .fails(error)
        }
    }

    /// What a client is told of a failure; nil for what is for the log alone. The operator hears of it if it is one of the
    /// storage.
    ///
    /// - Parameter unknown: What somebody is told whose credentials are not known.
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

    // MARK: Attempts until one holds

    /// Who asks, as what is stored says.
    package struct Judgement {
        package let verdict: Result<Caller, Refusal>
        /// By which it was judged.
        package let catalog: Catalog
        /// Nothing that was sent is known here, and looking again in a moment would find nothing either.
        package let isOfStranger: Bool
    }

    /// Finds out who asks. May wait.
    ///
    /// - Parameter time: Of many who ask at the same time one reads the catalog; who came later reads it anew.
    package func judge(
        _ credentials: Credentials, in store: any TenantStore, notBefore time: ContinuousClock.Instant,
        now: Milliseconds
    ) throws(StorageError) -> Judgement {
        let (catalog, session) = try look(for: credentials, in: store, notBefore: time)
        do throws(Refusal) {
            let caller = try credentials.authenticate(catalog: catalog, session: session, now: now)
            return Judgement(verdict: .success(caller), catalog: catalog, isOfStranger: false)
        } catch {
            // A signature that does not fit says nothing of its key. A session that is there but over has a reason of its own.
            let isOfStranger = session == nil && (credentials.signed == nil || !credentials.areRecognized(by: catalog))
            return Judgement(verdict: .failure(error), catalog: catalog, isOfStranger: isOfStranger)
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

    /// Reads what somebody needs who shows what this tenant has made and signed for him. May wait.
    ///
    /// - Parameters:
    ///   - ask: Reads what was shown, by the key of a catalog, and says what must be read. What it refuses by a catalog that is
    ///     remembered only, it is asked again by the one that is stored.
    ///   - answer: Judges by the snapshot.
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
                reading = try read(set, from: store, judgedBy: catalog)
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

/// The snapshot shows another version of the catalog than the one a request was judged by.
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
