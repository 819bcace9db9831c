import NephosDomain
import NephosRunner
import NephosStorage

extension SignInDesk {
    /// An account whose password somebody says they know.
    struct Claim: Sendable {
        /// nil where there is no such account, or it has no password.
        fileprivate let method: SignInMethodRow?
        fileprivate let stored: PasswordHash?
        fileprivate let password: Password?

        var hasPassword: Bool { method != nil }
    }

    /// Looks up whom an address means. May wait.
    func claim(_ email: String, _ typed: String) throws -> Claim {
        let account = try (try? Validation.email(email)).flatMap { try host.runner.engine.account(email: $0) }
        return try claim(account: account?.id, typed)
    }

    /// The same of an account that is known.
    func claim(account: String?, _ typed: String) throws -> Claim {
        let method = try account.flatMap {
            try host.runner.engine.directory.rows(SignInMethodRow.password(of: $0)).first
        }
        return Claim(
            method: method, stored: method.flatMap { PasswordHash($0.verifier) }, password: Password(typed))
    }

    /// Whose attempt it is to type the password of an address. May wait.
    func attempt(_ email: String, in visit: SiteVisit) throws -> SignInWaits.Attempt {
        let key = try key.bytes(at: visit.now)
        return SignInWaits.Attempt(email, from: visit.request.network, browser: KnownBrowser(visit, email, key: key))
    }

    /// Compares on the threads for it, and goes on on one that may wait: with the row of the password, or nil where anything is wrong. An attempt that
    /// was right, or of which nothing was compared, is taken back.
    func comparing(
        _ claim: Claim, _ attempt: SignInWaits.Attempt, _ texts: Texts, busy: @escaping @Sendable () throws -> Work,
        _ goOn: @escaping @Sendable (SignInMethodRow?) throws -> Work
    ) -> Work {
        .later { [self] done in
            let isTaken = threads.perform {
                let found = Result { try account(of: claim) }
                done(
                    .blocking {
                        try answering(texts) {
                            guard let (method, renewal) = try found.get() else { return try goOn(nil) }
                            try waits.takeBack(attempt, isRight: true)
                            if let renewal { try store(renewal) }
                            return try goOn(renewal?.new ?? method)
                        }
                    })
            }
            guard !isTaken else { return }
            done(
                .blocking {
                    try answering(texts) {
                        try waits.takeBack(attempt, isRight: false)
                        return try busy()
                    }
                })
        }
    }

    /// Takes the time of one hash, whether there is such an account or not; of two where the cost was raised since the password
    /// was set, and it is right.
    ///
    /// - Returns: The row of the password; nil where anything is wrong.
    private func account(of claim: Claim) throws -> (method: SignInMethodRow, renewal: Renewal?)? {
        // What is too short or too long is no password, and not worth the work: that says nothing of the account.
        guard let password = claim.password else { return nil }
        let isRight = try (claim.stored ?? nobody).isOf(password)
        guard isRight, let method = claim.method, let stored = claim.stored else { return nil }
        guard stored.cost != cost else { return (method, nil) }
        var new = method
        new.verifier = try PasswordHash(of: password, salt: host.chance.bytes(PasswordHash.saltBytes), cost: cost).text
        return (method, Renewal(old: method, new: new))
    }

    /// The same password, hashed at the cost of today.
    private struct Renewal: Sendable {
        fileprivate let old, new: SignInMethodRow
    }

    /// May wait. Where the password was changed meanwhile, nothing is written.
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

extension Chance {
    /// That many bytes that nobody can guess.
    func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }
}
