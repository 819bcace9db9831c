import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// What all visits of pages on which people sign in, and see to their account, share in one server.
struct SignInDesk: Sendable {
    let host: FeatureHost
    let cost: PasswordHash.Cost
    let party: RelyingParty?
    let key: SiteKey
    let places: AccountPlaces
    let threads = PasswordThreads()
    let exports = ExportPlaces()
    let waits: SignInWaits
    /// Compared with where nobody has the address that was typed, so that this takes as long.
    let nobody: PasswordHash

    /// - Parameter cost: Of passwords that are hashed from now on.
    init(_ host: FeatureHost, cost: PasswordHash.Cost, party: RelyingParty?) {
        (self.host, self.cost, self.party) = (host, cost, party)
        key = SiteKey(host)
        waits = SignInWaits(directory: host.runner.engine.directory)
        places = AccountPlaces(worker: host.worker)
        nobody = PasswordHash(ofNobody: cost, random: host.chance.bytes(PasswordHash.saltBytes))
    }

    var pages: [SitePage] {
        [
            page(SignInRequest.path) { visit throws in
                try askingApp(of: visit) { try SignInVisit(visit: visit, app: $0).answer() }
            },
            page(SignUpVisit.path) { visit throws in
                try askingApp(of: visit) { try SignUpVisit(visit: visit, app: $0).answer() }
            },
            page(RecoveryVisit.path) { visit throws in try RecoveryVisit(visit: visit).answer() },
            page(LinkVisit.path) { visit throws in try LinkVisit(visit: visit).answer() },
            page(AccountPages.path) { visit throws in try AccountVisit(visit: visit).answer() },
            page(DeviceVisit.path) { visit throws in try DeviceVisit(visit: visit).answer() },
        ]
    }

    /// May wait.
    func sendsMails() throws -> Bool { try host.mail.isSetUp(askedOf: host.runner.engine) }

    /// - Parameter answer: May wait.
    private func page(_ path: String, _ answer: @escaping @Sendable (SiteVisit) throws -> Work) -> SitePage {
        SitePage(path, methods: [.get, .head, .post]) { request in
            let texts = Texts.of(request)
            let pages = SignInPages(texts)
            guard let place = PagePlace(of: request, publicURL: host.publicURL, party), place.origin.isSafe else {
                return .answer(pages.notSafe)
            }
            if let redirect = place.redirect(request, endpoint: "sign-in") { return .answer(redirect) }
            return host.runner.strangers.work(of: request, otherwise: .answer(pages.busy)) {
                try answering(texts) { try answer(SiteVisit(self, request, place.origin, texts)) }
            }
        }
    }

    /// Goes on with the app that an address names, or with none where it names none.
    private func askingApp(of visit: SiteVisit, _ goOn: (AskingApp?) throws -> Work) throws -> Work {
        let target = visit.request.target
        guard !target.query.isEmpty else { return try goOn(nil) }
        let pages = SignInPages(visit.texts)
        guard let tenant = SignInRequest.place(in: RequestParameters(target))?.tenant,
            !host.runner.strangers.areKnownToLack(tenant)
        else { return .answer(pages.unknown) }
        do {
            return try goOn(try AskingApp(target, host.runner, now: visit.now))
        } catch let lack as AskingApp.Lack {
            return .answer(pages.lacking(lack))
        }
    }

    /// nil where pages of an origin can use none.
    func passkeys(at origin: WebOrigin) -> Passkeys? {
        party.flatMap { $0.includes(origin) ? Passkeys(directory: directory, party: $0) : nil }
    }

    /// What is said where the storage fails.
    func answering(_ texts: Texts, _ body: () throws -> Work) throws -> Work {
        let pages = SignInPages(texts)
        do { return try body() } catch StorageError.noSuchTenant { return .answer(pages.unknown) } catch {
            guard host.runner.refusal(of: error, unknown: .recordNotFound) != nil else { throw error }
            return .answer(pages.unavailable)
        }
    }
}

extension SignInDesk {
    /// Goes on with a visit once something has been done that ends on any thread.
    ///
    /// - Parameters:
    ///   - begin: Calls what it is given once.
    ///   - goOn: May wait.
    func after(
        _ texts: Texts, _ begin: @escaping @Sendable (@escaping @Sendable (Result<Void, any Error>) -> Void) -> Void,
        goOn: @escaping @Sendable () throws -> Work
    ) -> Work {
        .later { [self] done in
            begin { result in
                done(
                    .blocking {
                        try answering(texts) {
                            try result.get()
                            return try goOn()
                        }
                    })
            }
        }
    }
}

// MARK: Sessions of browsers

extension SignInDesk {
    var directory: any DirectoryStore { host.runner.engine.directory }

    /// What came of somebody's wish to sign in.
    enum Begun: Sendable {
        case session(BrowserSession)
        /// It is theirs, and is to be deleted.
        case leaving(AccountDeletionRow)
        /// The account is gone, or they could not prove it any more.
        case gone
    }

    /// Signs somebody in to the pages of this server, in the browser of a visit, in the place of whoever was. May wait.
    ///
    /// - Parameter method: By which they proved it; nil for what has been used in a commit of its own.
    func begin(
        _ account: String, by method: SignInMethodRow?, isKept: Bool, in visit: SiteVisit
    ) throws -> Begun {
        let (scan, leaving) = (AccountRow.keyed(account), AccountDeletionRow.keyed(account))
        guard let row = try directory.rows(scan).first else { return .gone }
        let session = BrowserSession(row, isKept: isKept, visit.request, host.chance)
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
            // Meanwhile it may have been changed, and all who were in by it signed out.
            if let proof, reading[proof].first?.proves(asDid: method) != true { return .write(writes, .gone) }
            if let leaving = reading[leaving].first { return .write(writes, .leaving(leaving)) }
            if let old, let old = reading[old].first { writes.remove(old) }
            session.begin(in: &writes, reading)
            return .write(writes, .session(session))
        }
    }

    /// May wait. Where it has ended meanwhile, nothing is written.
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
