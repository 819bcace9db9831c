import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// Whether pages send mails.
enum Mailing: Sendable {
    /// The beginning of the links in them, without a slash at its end.
    case possible(origin: String)
    /// The operator has not configured how mails are sent.
    case notSetUp
    /// The operator has not configured where people reach the server, and a request must not decide where links lead that somebody
    /// else gets.
    case withoutOrigin

    var isSetUp: Bool { if case .notSetUp = self { false } else { true } }

    var origin: String? { if case .possible(let origin) = self { origin } else { nil } }
}

/// State that all requests to sign-in and account pages share in one server.
struct SignInServices: Sendable {
    let host: FeatureHost
    let cost: PasswordHash.Cost
    let party: RelyingParty?
    let key: SiteKey
    let places: AccountPlaces
    let threads = PasswordThreads()
    /// Hashes for one network, whatever they are for.
    let hashes = RequestAllowance(SignInServices.hashesMax)
    static let hashesMax = 60
    let exports = ExportPlaces()
    let waits: SignInWaits
    /// Compared with if the typed address has no account, so that this takes as long.
    let dummyHash: PasswordHash

    /// - Parameter cost: For passwords hashed from now on.
    init(_ host: FeatureHost, cost: PasswordHash.Cost, party: RelyingParty?) {
        (self.host, self.cost, self.party) = (host, cost, party)
        key = SiteKey(host)
        waits = SignInWaits(directory: host.runner.engine.directory)
        places = AccountPlaces(worker: host.worker)
        dummyHash = PasswordHash(forDummy: cost, random: host.randomSource.bytes(PasswordHash.saltBytes))
    }

    var pages: [SitePage] {
        [
            page(SignInRequest.path) { visit throws in
                try requestingApp(of: visit) { try SignInVisit(visit: visit, app: $0).answer() }
            },
            page(SignUpVisit.path) { visit throws in
                try requestingApp(of: visit) { try SignUpVisit(visit: visit, app: $0).answer() }
            },
            page(RecoveryVisit.path) { visit throws in try RecoveryVisit(visit: visit).answer() },
            page(LinkVisit.path) { visit throws in try LinkVisit(visit: visit).answer() },
            page(AccountPages.path) { visit throws in try AccountVisit(visit: visit).answer() },
            page(DeviceVisit.path) { visit throws in try DeviceVisit(visit: visit).answer() },
        ]
    }

    /// Whether pages can send mails in response to a request. May block.
    func mailing(for request: RawRequest) throws -> Mailing {
        guard try host.mail.isSetUp(askedOf: host.runner.engine) else { return .notSetUp }
        guard let origin = host.originForOthers(request) else { return .withoutOrigin }
        // Links lead where the pages are, as for a 421.
        return .possible(origin: PagePlace.pages(at: origin, party))
    }

    /// - Parameter answer: May block.
    private func page(_ path: String, _ answer: @escaping @Sendable (SiteVisit) throws -> Work) -> SitePage {
        SitePage(path, methods: [.get, .head, .post]) { request in
            let texts = Texts.of(request)
            let pages = SignInPages(texts)
            guard let place = PagePlace(of: request, publicURL: host.publicURL, party), place.origin.isSafe else {
                return .answer(pages.notSafe)
            }
            if let redirect = place.redirect(request, endpoint: "sign-in") { return .answer(redirect) }
            return host.runner.strangers.work(of: request, otherwise: .answer(pages.busy)) {
                try answering(texts) { try answer(SiteVisit(self, request, place, texts)) }
            }
        }
    }

    /// Continues with the app that the address names, or without one if it names none.
    private func requestingApp(of visit: SiteVisit, _ proceed: (RequestingApp?) throws -> Work) throws -> Work {
        let target = visit.request.target
        guard !target.query.isEmpty else { return try proceed(nil) }
        let pages = SignInPages(visit.texts)
        guard let tenant = SignInRequest.place(in: RequestParameters(target))?.tenant,
            !host.runner.strangers.isKnownMissing(tenant)
        else { return .answer(pages.unknown) }
        do {
            return try proceed(try RequestingApp(target, host.runner, now: visit.now))
        } catch let rejection as RequestingApp.Rejection {
            return .answer(pages.rejected(rejection, isLocal: host.isLocal))
        }
    }

    /// The app that the address names; nil if it names none, or one that may no longer ask. May block.
    func knownApp(of visit: SiteVisit) throws -> RequestingApp? {
        let target = visit.request.target
        guard let tenant = SignInRequest.place(in: RequestParameters(target))?.tenant,
            !host.runner.strangers.isKnownMissing(tenant)
        else { return nil }
        do { return try RequestingApp(target, host.runner, now: visit.now) } catch is RequestingApp.Rejection {
            return nil
        } catch StorageError.noSuchTenant { return nil }
    }

    /// nil if pages of this origin cannot use passkeys.
    func passkeys(at origin: WebOrigin) -> Passkeys? {
        party.flatMap { $0.includes(origin) ? Passkeys(directory: directory, party: $0) : nil }
    }

    /// Responds with an error page if the storage fails.
    func answering(_ texts: Texts, _ body: () throws -> Work) throws -> Work {
        let pages = SignInPages(texts)
        do { return try body() } catch StorageError.noSuchTenant { return .answer(pages.unknown) } catch {
            guard host.runner.refusal(of: error, unknown: .recordNotFound) != nil else { throw error }
            return .answer(pages.unavailable)
        }
    }
}

extension SignInServices {
    /// Continues with a request after an operation that ends on any thread.
    ///
    /// - Parameters:
    ///   - begin: Starts the operation, and calls its argument once.
    ///   - proceed: May block.
    func after(
        _ texts: Texts, _ begin: @escaping @Sendable (@escaping @Sendable (Result<Void, any Error>) -> Void) -> Void,
        proceed: @escaping @Sendable () throws -> Work
    ) -> Work {
        .later { [self] done in
            begin { result in
                done(
                    .blocking {
                        try answering(texts) {
                            try result.get()
                            return try proceed()
                        }
                    })
            }
        }
    }
}

// MARK: Browser sessions

extension SignInServices {
    var directory: any DirectoryStore { host.runner.engine.directory }

    /// The result of a sign-in.
    enum Begun: Sendable {
        case session(BrowserSession)
        /// The account is theirs, but is to be deleted.
        case leaving(AccountDeletionRow)
        /// The account is gone, or the proof is no longer valid.
        case gone
    }

    /// Signs a person in to the pages of this server in the browser of a request, replacing any earlier session. May block.
    ///
    /// - Parameter method: The method that proved their identity; nil for one that was used up in a commit of its own.
    func begin(
        _ account: String, by method: SignInMethodRow?, isKept: Bool, in visit: SiteVisit
    ) throws -> Begun {
        let (scan, leaving) = (AccountRow.keyed(account), AccountDeletionRow.keyed(account))
        guard let row = try directory.rows(scan).first else { return .gone }
        let session = BrowserSession(row, isKept: isKept, visit.request, host.randomSource)
        var set = ReadSet()
        set.ask(scan)
        set.ask(leaving)
        BrowserSession.ask(of: account, in: &set)
        let old = visit.session.map { BrowserSessionRow.keyed($0.row.id) }
        if let old { set.ask(old) }
        let proof = method.map { SignInMethodRow.locked($0) }
        if let proof { set.ask(proof) }
        return try directory.commit(set) { reading -> Decision<Begun> in
            var writes = WriteSet()
            guard !reading[scan].isEmpty else { return .write(writes, .gone) }
            // The method may have been changed meanwhile, and its sessions ended.
            if let proof, reading[proof].first?.proves(asDid: method) != true { return .write(writes, .gone) }
            if let leaving = reading[leaving].first { return .write(writes, .leaving(leaving)) }
            if let old, let old = reading[old].first { writes.remove(old) }
            session.begin(in: &writes, reading)
            return .write(writes, .session(session))
        }
    }

    /// May block. Writes nothing if the session has ended meanwhile.
    func extend(_ old: BrowserSessionRow, to new: BrowserSessionRow) throws {
        try change(BrowserSessionRow.keyed(old.id)) { $0 == old ? new : $0 }
    }

    func end(_ row: BrowserSessionRow) throws { try change(BrowserSessionRow.keyed(row.id)) { _ in nil } }

    private func change(
        _ scan: Scan<BrowserSessionRow>, _ body: (BrowserSessionRow) -> BrowserSessionRow?
    ) throws {
        var set = ReadSet()
        set.ask(scan)
        try directory.commit(set) { reading in
            var writes = WriteSet()
            if let old = reading[scan].first {
                let new = body(old)
                if let new, new != old { writes.put(new, replacing: old) }
                if new == nil { writes.remove(old) }
            }
            return .write(writes, ())
        }
    }
}
