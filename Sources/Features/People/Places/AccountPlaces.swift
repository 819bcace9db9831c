import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// The environments in which the person of an account has signed in.
struct AccountPlaces: Sendable {
    /// One environment, as its person sees it.
    struct Place: Sendable {
        let tenant: Tenant
        /// The app's name in the settings; empty if they have none.
        let name: String
        let user: UserID
        let consents: [ConsentRow]
        /// The number of valid sessions.
        let sessions: Int
        /// Accesses by others, newest first; at most ``AccountPlaces/accessesShown``.
        let accesses: [AccessRow]
        /// Until when an operator may act as the person; nil if not permitted.
        let permittedUntil: Milliseconds?
    }

    static let accessesShown = 20

    /// Consents and sessions of one place that are shown, or revoked per transaction.
    private static let most = 200

    let worker: Worker

    private var directory: any DirectoryStore { worker.engine.directory }

    /// Records a place before anything is written there: if the process dies in between, a place too many is recorded rather than
    /// one too few. May block.
    func note(_ account: String, _ tenant: Tenant, at now: Milliseconds) throws {
        let scan = PlaceRow.keyed(account, tenant)
        guard try directory.rows(scan).isEmpty else { return }
        var set = ReadSet()
        set.ask(scan)
        try directory.commit(set) { reading in
            var writes = WriteSet()
            if reading[scan].isEmpty {
                writes.put(
                    PlaceRow(
                        account: account, container: tenant.container, environment: tenant.environment, firstAt: now))
            }
            return .write(writes, ())
        }
    }

    /// All places where an app may act as the person, or does. May block.
    func all(of account: String, at now: Milliseconds) throws -> [Place] {
        try directory.rows(PlaceRow.of(account)).compactMap { row in
            guard let (store, user) = try home(account, row.tenant) else { return nil }
            var set = ReadSet()
            let (consents, sessions) = (
                ConsentRow.of(user.id, limit: Self.most), SessionRow.unrevoked(of: user.id, limit: Self.most)
            )
            let (accesses, grants) = (AccessRow.of(user.id, limit: Self.accessesShown), AccessRow.grants(of: user.id))
            set.ask(consents)
            set.ask(sessions)
            set.ask(accesses)
            set.ask(grants)
            let reading = try store.read(set)
            let good = reading[sessions].filter { now < $0.expiresAt }.count
            guard good > 0 || !reading[consents].isEmpty || !reading[accesses].isEmpty else { return nil }
            return Place(
                tenant: row.tenant, name: reading.catalog.people.app.name, user: user.id,
                consents: reading[consents], sessions: good, accesses: reading[accesses],
                permittedUntil: reading[grants].first { now < $0.until }?.until)
        }
    }

    /// nil if the container is gone, or has no user for the account. May block.
    private func home(_ account: String, _ tenant: Tenant) throws -> (store: any TenantStore, user: UserRow)? {
        guard let store = try opened(tenant) else { return nil }
        return try store.rows(UserRow.from([(.account, account)])).first.map { (store, $0) }
    }

    private func opened(_ tenant: Tenant) throws(StorageError) -> (any TenantStore)? {
        do { return try worker.runner.open(tenant) } catch {
            guard error == .noSuchTenant else { throw error }
            return nil
        }
    }

    // MARK: Revoking

    /// A place, with the user of the person there.
    struct Home: Sendable {
        let store: any TenantStore
        let user: UserRow
    }

    /// The homes of an account. May block. - Parameter isMeant: Others are not even opened.
    func homes(of account: String, where isMeant: (Tenant) -> Bool = { _ in true }) throws -> [Home] {
        try directory.rows(PlaceRow.of(account)).map(\.tenant).filter(isMeant)
            .compactMap { tenant in try home(account, tenant).map { Home(store: $0.store, user: $0.user) } }
    }

    /// Ends all sessions of a person in some places, with their devices.
    ///
    /// - Parameters:
    ///   - forgetting: Removes consents, too, so that apps ask again.
    ///   - done: Called once, on any thread.
    func signOut(
        of homes: ArraySlice<Home>, forgetting: Bool, _ done: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        guard let home = homes.first else { return done(.success(())) }
        let revoke = RevokeSessions(.all, of: home.user.id, home: home.user.privateDatabase, now: worker.now)
        let consents = ConsentRow.of(home.user.id, limit: Self.most)
        var set = revoke.reading
        if forgetting { set.ask(consents) }
        worker.runner.commit(set, to: home.store) { reading -> Decision<Bool> in
            guard case .write(var writes, let answer) = revoke.decide(reading) else { return .write(WriteSet(), true) }
            let given = forgetting ? reading[consents] : []
            for row in given { writes.remove(row) }
            return .write(writes, answer.sessions < RevokeSessions.most && given.count < Self.most)
        } completion: { result in
            switch result {
            case .success(let isAll): signOut(of: isAll ? homes.dropFirst() : homes, forgetting: forgetting, done)
            // The container was deleted meanwhile, with its sessions.
            case .failure(StorageError.noSuchTenant):
                signOut(of: homes.dropFirst(), forgetting: forgetting, done)
            case .failure(let error): done(.failure(error))
            }
        }
    }
}
