import NephosDomain
import NephosRunner
import NephosStorage

extension SignInServices {
    /// A claim to know the password of an account.
    struct Claim: Sendable {
        /// nil if there is no such account, or it has no password.
        fileprivate let method: SignInMethodRow?
        fileprivate let stored: PasswordHash?
        fileprivate let password: Password?

        var hasPassword: Bool { method != nil }
    }

    /// Looks up the account of an address as it was typed. May block.
    func claim(_ email: String, _ typed: String) throws -> Claim {
        try claim(account: host.runner.engine.account(typed: email)?.id, typed)
    }

    /// The same for a known account.
    func claim(account: String?, _ typed: String) throws -> Claim {
        let method = try account.flatMap {
            try host.runner.engine.directory.rows(SignInMethodRow.password(of: $0)).first
        }
        return Claim(
            method: method, stored: method.flatMap { PasswordHash($0.verifier) }, password: Password(typed))
    }

    /// The attempt to be counted when a password for an address is typed: the same for all of its spellings. May block.
    func attempt(_ typed: String, in visit: SiteVisit) throws -> SignInWaits.Attempt {
        let (email, key) = (EmailAddress.text(of: typed), try key.bytes(at: visit.now))
        return SignInWaits.Attempt(email, from: visit.request.network, browser: KnownBrowser(visit, email, key: key))
    }

    /// Compares on dedicated threads, then continues on a thread that may block: with the row of the password, or nil if anything
    /// is wrong. An attempt that was right, or that compared nothing, is taken back.
    func comparing(
        _ claim: Claim, _ attempt: SignInWaits.Counted, in visit: SiteVisit,
        busy: @escaping @Sendable () throws -> Work,
        _ proceed: @escaping @Sendable (SignInMethodRow?) throws -> Work
    ) -> Work {
        let texts = visit.texts
        return .later { [self] done in
            perform(for: .signIn, in: visit) { isTaken in
                guard isTaken else {
                    return done(
                        .blocking {
                            try answering(texts) {
                                try waits.takeBack(attempt)
                                return try busy()
                            }
                        })
                }
                let found = Result { try account(of: claim) }
                done(
                    .blocking {
                        try answering(texts) {
                            guard let (method, renewal) = try found.get() else { return try proceed(nil) }
                            try waits.takeBack(attempt, forgiving: true)
                            if let renewal { try store(renewal) }
                            return try proceed(renewal?.new ?? method)
                        }
                    })
            }
        }
    }

    /// Calls `job` on a thread for passwords, with true; with false if too many wait, or the client's network has had so many hashes
    /// within a minute, right or wrong.
    func perform(
        for purpose: PasswordThreads.Purpose, in visit: SiteVisit, _ job: @escaping @Sendable (_ isTaken: Bool) -> Void
    ) {
        let network = visit.request.network
        guard hashes.spend(network, now: visit.now) == nil else { return job(false) }
        threads.perform(for: purpose, of: network, job)
    }

    /// Takes the time of one hash, whether there is such an account or not; of two if the password is right and the cost was
    /// raised since it was set.
    ///
    /// - Returns: The row of the password; nil if anything is wrong.
    private func account(of claim: Claim) throws -> (method: SignInMethodRow, renewal: Renewal?)? {
        // A password of a length that is not acceptable is not worth the work; this reveals nothing about the account.
        guard let password = claim.password else { return nil }
        let isRight = try (claim.stored ?? dummyHash).isOf(password)
        guard isRight, let method = claim.method, let stored = claim.stored else { return nil }
        guard stored.cost != cost else { return (method, nil) }
        var new = method
        new.verifier = try PasswordHash(of: password, salt: host.randomSource.bytes(PasswordHash.saltBytes), cost: cost)
            .text
        return (method, Renewal(old: method, new: new))
    }

    /// The same password, hashed at the current cost.
    private struct Renewal: Sendable {
        fileprivate let old, new: SignInMethodRow
    }

    /// May block. Writes nothing if the password was changed meanwhile.
    private func store(_ renewal: Renewal) throws {
        let scan = SignInMethodRow.password(of: renewal.old.account)
        var set = ReadSet()
        set.ask(scan)
        try host.runner.engine.directory.commit(set) { reading in
            var writes = WriteSet()
            if reading[scan] == [renewal.old] { writes.put(renewal.new, replacing: renewal.old) }
            return .write(writes, ())
        }
    }
}

extension RandomSource {
    /// A number of unpredictable bytes.
    func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }
}
