import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension Administration {
    /// Makes an account with a password, or neither.
    ///
    /// - Parameters:
    ///   - email: One address, at most 254 bytes; unique without regard to case.
    ///   - name: Given name, then family name.
    ///   - typed: The password; nil for an account without one.
    ///   - refused: Passwords that are refused, one on a line.
    /// - Returns: The account's id.
    /// - Throws: ``AdminError/accountExists(_:)``; ``AdminError/refused(_:)`` for a password that cannot be.
    func createAccount(
        email: String, name: String, password typed: String?, refused: [UInt8] = [],
        cost: PasswordHash.Cost = .current
    ) throws(AdminError) -> String {
        let account = try inputs.account(email: email, name: name)
        let method = try typed.map { typed throws(AdminError) in
            try self.method(account, typed, refused, cost)
        }
        let (known, others) = (AccountRow.keyed(account.id), AccountRow.withEmail(account.email))
        var set = ReadSet()
        set.ask(known)
        set.ask(others)
        do {
            try engine.directory.commit(set) { reading in
                guard reading[known].isEmpty, reading[others].isEmpty else {
                    throw AdminError.accountExists(account.email)
                }
                var writes = WriteSet()
                writes.put(account)
                if let method { writes.put(method) }
                return .write(writes, ())
            }
        } catch { throw AdminError(error) }
        return account.id
    }

    /// The same, by an operator whom its person has to let, where they have signed in themselves (``noteAccess(_:to:reason:)``).
    func setPassword(
        of email: String, reason: String, to typed: String, refused: [UInt8] = [], cost: PasswordHash.Cost = .current
    ) async throws(AdminError) {
        let account = try account(email: email)
        // Nothing is on record of a password that cannot be.
        let method = try method(account, typed, refused, cost)
        try await noteAccess(.password, to: account, reason: reason)
        try put(method, of: account)
    }

    /// Gives an account a password in the place of any that it has, and ends its sessions on the server's pages. Those of apps stay.
    ///
    /// - Throws: ``AdminError/noAccount(_:)``; ``AdminError/refused(_:)`` for a password that cannot be.
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
                // It took a while to hash.
                guard !reading[known].isEmpty else { throw AdminError.noAccount(account.email) }
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
