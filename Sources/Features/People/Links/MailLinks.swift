import CloudKitWire
import Crypto
import NephosDomain
import NephosRunner
import NephosStorage

/// Sends people links to their addresses: at most so many as one who mistypes needs, whoever asks.
struct MailLinks: Sendable {
    /// To one address in a day: so many by which people get in again, and so many others. More are not sent, and whoever asks is not told so.
    static let dayMax = 5
    /// Of these one network can ask for so many, so that it does not keep all from whoever has the address.
    static let dayMaxOfNetwork = 3
    /// Asked for from one network in a day.
    static let networkMax = 20
    static let day: Milliseconds = 24 * 3_600_000
    private static let secretBytes = 32

    /// Who gets a link to an address that has been typed.
    enum Wish: Sendable {
        /// Whoever has no account, if `makesAccounts`; and who has one in which nobody can sign in yet.
        case signUp(makesAccounts: Bool)
        /// Whoever has an account.
        case recover
    }

    let visit: SiteVisit

    private var desk: SignInDesk { visit.desk }
    private var network: String { visit.request.network.map { "\($0)" } ?? "" }

    // MARK: Sending

    /// Sends what an address is to have, or nothing: the answer is the same. May wait.
    ///
    /// - Parameter next: Where its person goes on afterwards.
    /// - Returns: Whether this network may ask for more.
    func send(_ wish: Wish, to address: MailAddress, next: String) throws -> Bool {
        let email = address.text.lowercased()
        let secret = Hexadecimal.text(desk.host.chance.bytes(Self.secretBytes))
        let link = MailLinkRow(
            id: Self.id(of: secret), kind: wish.kind, email: email, account: "", next: next, network: network,
            createdAt: visit.now)
        let texts = visit.texts.links
        let url = "\(visit.own.text)\(LinkVisit.path)?link=\(secret)"
        let mail = try mail(
            to: address, wish.kind == .signUp ? texts.signUpSubject : texts.recoverSubject,
            (wish.kind == .signUp ? texts.signUpMail : texts.recoverMail).filled(visit.own.text, url), link.kind)
        // Who signs up at an address that has an account is told so there, and nowhere else.
        let known = try self.mail(
            to: address, texts.knownSubject,
            texts.knownMail.filled(visit.own.text, "\(visit.own.text)\(RecoveryVisit.path)"), link.kind)
        let account = AccountRow.withEmail(email)
        return try commit(link, [mail, known], account) { reading, writes, isFew in
            var link = link
            var chosen: NewMail?
            if let account = reading[account].first {
                link.account = account.id
                switch wish {
                case .signUp:
                    guard let methods = reading.rows(of: SignInMethodRow.all(of: account.id)) else {
                        return SignInMethodRow.all(of: account.id)
                    }
                    chosen = methods.isEmpty ? mail : known
                case .recover: chosen = mail
                }
            } else if case .signUp(makesAccounts: true) = wish {
                chosen = mail
            }
            // What leads nowhere is counted, too, so that it is limited as any other.
            if chosen?.row.id != mail.row.id { link.usedAt = max(link.createdAt, 1) }
            guard isFew else { return nil }
            writes.put(link)
            _ = chosen?.put(into: &writes, reading)
            return nil
        }
    }

    /// Sends a link that gives an account this address. May wait.
    func send(changing account: AccountRow, to address: MailAddress) throws -> Bool {
        let email = address.text.lowercased()
        let secret = Hexadecimal.text(desk.host.chance.bytes(Self.secretBytes))
        let link = MailLinkRow(
            id: Self.id(of: secret), kind: .changeEmail, email: email, account: account.id, next: "", network: network,
            createdAt: visit.now)
        let texts = visit.texts.links
        let url = "\(visit.own.text)\(LinkVisit.path)?link=\(secret)"
        let mail = try mail(
            to: address, texts.changeSubject, texts.changeMail.filled(account.email, visit.own.text, url), link.kind)
        return try commit(link, [mail], AccountRow.keyed(account.id)) { reading, writes, isFew in
            guard isFew, !reading[AccountRow.keyed(account.id)].isEmpty else { return nil }
            writes.put(link)
            _ = mail.put(into: &writes, reading)
            return nil
        }
    }

    private func mail(
        to address: MailAddress, _ subject: String, _ text: String, _ kind: MailLinkRow.Kind
    ) throws -> NewMail {
        try NewMail(
            to: address, subject: subject, text: text, for: kind.word, id: desk.host.chance.bytes(16), at: visit.now,
            goodFor: kind.lifetime)
    }

    /// - Parameter decide: Told whether the address has had few; answers what must be read besides, or nil.
    private func commit(
        _ link: MailLinkRow, _ mails: [NewMail], _ account: Scan<AccountRow>,
        decide: (Reading, inout WriteSet, _ isFew: Bool) throws -> Scan<SignInMethodRow>?
    ) throws -> Bool {
        let since = visit.now - Self.day
        let (to, from) = (
            MailLinkRow.to(link.email, after: since, limit: 4 * Self.dayMax),
            MailLinkRow.from(link.network, after: since, limit: Self.networkMax)
        )
        var set = ReadSet()
        set.ask(to)
        set.ask(from)
        set.ask(account)
        for mail in mails { mail.ask(&set) }
        return try desk.host.runner.commitDirectory(set) { reading -> Decision<Bool> in
            var writes = WriteSet()
            guard link.network.isEmpty || reading[from].count < Self.networkMax else { return .write(writes, false) }
            if let scan = try decide(reading, &writes, Self.isFew(reading[to], beside: link)) {
                var more = ReadSet()
                more.ask(scan)
                return .need(more)
            }
            return .write(writes, true)
        }
    }

    private static func isFew(_ links: [MailLinkRow], beside link: MailLinkRow) -> Bool {
        let alike = links.filter { ($0.kind == .recover) == (link.kind == .recover) }
        let near = link.network.isEmpty ? [] : alike.filter { $0.network == link.network }
        return alike.count < dayMax && near.count < dayMaxOfNetwork
    }

    // MARK: Following

    /// What the directory keeps of a link.
    static func id(of secret: String) -> [UInt8] { Array(SHA256.hash(data: Array(secret.utf8))) }
}

extension MailLinks.Wish {
    fileprivate var kind: MailLinkRow.Kind {
        switch self {
        case .signUp: .signUp
        case .recover: .recover
        }
    }
}

extension MailLinkRow.Kind {
    /// For logs.
    fileprivate var word: String {
        switch self {
        case .signUp: "sign-up"
        case .recover: "recovery"
        case .changeEmail: "change of address"
        }
    }

    /// How long it can be followed.
    var lifetime: Milliseconds {
        switch self {
        case .recover: 3_600_000
        case .signUp, .changeEmail: MailLinks.day
        }
    }
}

extension MailLinkRow {
    func isGood(at now: Milliseconds) -> Bool { usedAt == 0 && now < createdAt + kind.lifetime }
}
