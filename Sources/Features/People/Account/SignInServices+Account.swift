import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// Changes that people make to their accounts. All of these functions may block.
extension SignInServices {
    /// Sets another password and ends the account's sessions in other browsers, so that anybody who knew the old one is out.
    /// Writes nothing if the account no longer exists.
    ///
    /// - Parameters:
    ///   - session: ID of the session that stays.
    ///   - notice: A mail that notifies the person.
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

    /// Sends a notice about a change that is already stored.
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

    /// Ends a browser session of this account. - Parameter id: As on the page.
    func end(browser id: String, of account: String) throws {
        guard let id = Hexadecimal.bytes(id),
            let row = try host.runner.engine.directory.rows(BrowserSessionRow.keyed(id)).first, row.account == account
        else { return }
        try end(row)
    }

    /// Ends all browser sessions of an account.
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
