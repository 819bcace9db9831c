import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension Administration {
    /// Creates an account with or without a password; nothing is stored if the password is refused.
    ///
    /// - Parameters:
    ///   - email: One address (``EmailAddress``), which has no account yet.
    ///   - name: Given name, then family name.
    ///   - typed: The password; nil for an account without one.
    ///   - refused: Refused passwords, one per line.
    /// - Returns: The account's ID.
    /// - Throws: ``AdminError/accountExists(_:)``; ``AdminError/refused(_:)`` for a password that is not acceptable.
    func createAccount(
        email: String, name: String, password typed: String?, refused: [UInt8] = [],
        cost: PasswordHash.Cost = .current
    ) throws(AdminError) -> String {
        let account = try inputs.account(email: email, name: name)
        let method = try typed.map { typed throws(AdminError) in
            try self.method(account, typed, refused, cost)
        }
        try add(account) { writes in if let method { writes.put(method) } }
        return account.id
    }

    /// The same for an operator, who needs the person's permission if they have signed in themselves
    /// (``noteAccess(_:to:reason:)``).
    func setPassword(
        of email: String, reason: String, to typed: String, refused: [UInt8] = [], cost: PasswordHash.Cost = .current
    ) async throws(AdminError) {
        let account = try account(email: email)
        // A password that is not acceptable leaves no record.
        let method = try method(account, typed, refused, cost)
        try await noteAccess(.password, to: account, reason: reason)
        try put(method, of: account)
    }

    /// Sets an account's password, replacing any that it has, and ends its sessions on the server's pages. Sessions of apps
    /// continue.
    ///
    /// - Throws: ``AdminError/noAccount(_:)``; ``AdminError/refused(_:)`` for a password that is not acceptable.
    func setPassword(
        of email: String, to typed: String, refused: [UInt8] = [], cost: PasswordHash.Cost = .current
    ) throws(AdminError) {
        let account = try account(email: email)
        try put(try method(account, typed, refused, cost), of: account)
    }

    private func put(_ method: SignInMethodRow, of account: AccountRow) throws(AdminError) {
        let scan = SignInMethodRow.password(of: account.id)
        let (browsers, links) = (
            BrowserSessionRow.of(account.id, limit: BrowserSession.countMax + 1), MailLinkRow.about(account.id)
        )
        let now = inputs.now()
        let known = AccountRow.keyed(account.id)
        var set = ReadSet()
        set.ask(known)
        set.ask(scan)
        set.ask(browsers)
        set.ask(links)
        do {
            try engine.directory.commit(set) { reading in
                // Hashing took a while; the account may be gone.
                guard !reading[known].isEmpty else { throw AdminError.noAccount(account.shownEmail) }
                var writes = WriteSet()
                writes.put(method, replacing: reading[scan].first)
                for session in reading[browsers] { writes.remove(session) }
                writes.spend(reading[links], at: now)
                return .write(writes, ())
            }
        } catch { throw AdminError(error) }
    }

    private func method(
        _ account: AccountRow, _ typed: String, _ refused: [UInt8], _ cost: PasswordHash.Cost
    ) throws(AdminError) -> SignInMethodRow {
        let password: Password
        do throws(Password.Fault) {
            password = try Password.new(typed, for: account.email, refused: refused)
        } catch { throw error.asAdminError }
        do {
            let hash = try PasswordHash(of: password, salt: inputs.randomBytes(PasswordHash.saltBytes), cost: cost)
            return SignInMethodRow(
                account: account.id, kind: .password, verifier: hash.text, createdAt: inputs.now())
        } catch { throw .refused("The password could not be hashed: \(error)") }
    }
}
