import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// What people change of their accounts. All of it may wait.
extension SignInDesk {
    /// Gives an account another password, and ends its sessions in other browsers: whoever knew the old one is out. Nothing is written where
    /// the account is gone.
    ///
    /// - Parameters:
    ///   - session: Id of the one that stays.
    ///   - notice: Tells its person.
    func setPassword(
        _ verifier: String, of account: String, keeping session: [UInt8], _ notice: NewMail?, at now: Milliseconds
    ) throws {
        let (password, browsers) = (SignInMethodRow.password(of: account), allBrowsers(of: account))
        let (known, links) = (AccountRow.keyed(account), MailLinkRow.about(account))
        var set = ReadSet()
        set.ask(known)
        set.ask(links)
        set.ask(password)
        set.ask(browsers)
        notice?.ask(&set)
        try host.runner.commitDirectory(set) { reading in
            var writes = WriteSet()
            guard !reading[known].isEmpty else { return .write(writes, ()) }
            _ = notice?.put(into: &writes, reading)
            writes.spend(reading[links], at: now)
            writes.put(
                SignInMethodRow(account: account, kind: .password, verifier: verifier, createdAt: now),
                replacing: reading[password].first)
            for row in reading[browsers] where row.id != session { writes.remove(row) }
            return .write(writes, ())
        }
    }

    /// Tells somebody of their account what stands already.
    func send(_ notice: NewMail?) throws {
        guard let notice else { return }
        var set = ReadSet()
        notice.ask(&set)
        try host.runner.commitDirectory(set) { reading in
            var writes = WriteSet()
            _ = notice.put(into: &writes, reading)
            return .write(writes, ())
        }
    }

    /// Ends a session of this account in a browser. - Parameter id: As the page has it.
    func end(browser id: String, of account: String) throws {
        guard let id = Hexadecimal.bytes(id),
            let row = try host.runner.engine.directory.rows(BrowserSessionRow.keyed(id)).first, row.account == account
        else { return }
        try end(row)
    }

    /// Ends all sessions of an account in browsers.
    func endAll(of account: String) throws {
        let browsers = allBrowsers(of: account)
        var set = ReadSet()
        set.ask(browsers)
        try host.runner.engine.directory.commit(set) { reading in
            var writes = WriteSet()
            for row in reading[browsers] { writes.remove(row) }
            return .write(writes, ())
        }
    }

    private func allBrowsers(of account: String) -> Scan<BrowserSessionRow> {
        BrowserSessionRow.of(account, limit: BrowserSession.countMax + 1)
    }
}
