import CloudKitWire
import Crypto
import NephosDomain
import NephosNetwork
import NephosRunner
import NephosStorage

/// Sends people links to their addresses, with low limits that still allow for typing errors.
struct MailLinks: Sendable {
    /// The limit per address and day, once for recovery links and once for all others. Links beyond it are not sent, and the
    /// requester is not informed.
    static let dayMax = 5
    /// The part of it that one network can request, so that it cannot use up all links of an address.
    static let dayMaxOfNetwork = 3
    /// The limit of requests per network and day.
    static let networkMax = 20
    static let day: Milliseconds = 24 * 3_600_000
    private static let secretBytes = 32

    /// Who gets a link after an address was typed.
    enum Purpose: Sendable {
        /// People without an account, if `makesAccounts`; and people with an account that has no way to sign in yet.
        case signUp(makesAccounts: Bool)
        /// People with an account.
        case recover
    }

    let visit: SiteVisit
    /// Where links lead (``Mailing``).
    let origin: String

    private var services: SignInServices { visit.services }
    private var network: ClientNetwork? { visit.request.network }

    // MARK: Sending

    /// Sends the appropriate mail to an address, or none: the response is the same. May block.
    ///
    /// - Parameters:
    ///   - app: Where the address was typed; nil if no app sent the person.
    ///   - next: Where the person continues afterwards.
    /// - Returns: Whether this network may request more.
    func send(_ purpose: Purpose, to address: MailAddress, for app: RequestingApp?, next: String) throws -> Bool {
        let secret = Hexadecimal.text(services.host.randomSource.bytes(Self.secretBytes))
        let link = MailLinkRow(
            id: Self.id(of: secret), kind: purpose.kind, email: address.text, account: "", next: next,
            network: network.text, site: network.siteText, createdAt: visit.now)
        let texts = visit.texts.links
        let url = "\(origin)\(LinkVisit.path)?link=\(secret)"
        let toApp = app.map { texts.toApp.filled($0.text) } ?? ""
        let mail = try mail(
            to: address, purpose.kind == .signUp ? texts.signUpSubject : texts.recoverSubject,
            (purpose.kind == .signUp ? texts.signUpMail : texts.recoverMail).filled(origin, toApp, url), link.kind)
        // That an account exists is revealed only by mail, to the owner of the address.
        let known = try self.mail(
            to: address, texts.knownSubject,
            texts.knownMail.filled(origin, toApp, "\(origin)\(RecoveryVisit.path)"), link.kind)
        let account = AccountRow.with(address.address)
        return try commit(link, [mail, known], account) { reading, writes, isFew in
            var link = link
            var chosen: NewMail?
            if let account = reading[account].owner {
                link.account = account.id
                switch purpose {
                case .signUp:
                    guard let methods = reading.rows(of: SignInMethodRow.all(of: account.id)) else {
                        return SignInMethodRow.all(of: account.id)
                    }
                    chosen = methods.isEmpty ? mail : known
                case .recover: chosen = mail
                }
            } else if case .signUp(makesAccounts: true) = purpose {
                chosen = mail
            }
            // A request that sends no usable link is counted, too, so that it is limited like any other.
            if chosen?.row.id != mail.row.id { link.usedAt = max(link.createdAt, 1) }
            guard isFew else { return nil }
            writes.put(link)
            _ = chosen?.put(into: &writes, reading)
            return nil
        }
    }

    /// Sends a link that sets this address for an account. May block.
    func send(changing account: AccountRow, to address: MailAddress) throws -> Bool {
        let secret = Hexadecimal.text(services.host.randomSource.bytes(Self.secretBytes))
        let link = MailLinkRow(
            id: Self.id(of: secret), kind: .changeEmail, email: address.text, account: account.id, next: "",
            network: network.text, site: network.siteText, createdAt: visit.now)
        let texts = visit.texts.links
        let url = "\(origin)\(LinkVisit.path)?link=\(secret)"
        let mail = try mail(
            to: address, texts.changeSubject, texts.changeMail.filled(account.shownEmail, origin, url), link.kind)
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
            to: address, subject: subject, text: text, for: kind.word, id: services.host.randomSource.bytes(16),
            at: visit.now,
            goodFor: kind.lifetime)
    }

    /// - Parameter decide: Receives whether the address is below its limit; returns what else must be read, or nil.
    private func commit(
        _ link: MailLinkRow, _ mails: [NewMail], _ account: Scan<AccountRow>,
        decide: (Reading, inout WriteSet, _ isFew: Bool) throws -> Scan<SignInMethodRow>?
    ) throws -> Bool {
        let to = MailLinkRow.to(link.email, after: visit.now - Self.day, limit: 4 * Self.dayMax)
        let share = Self.share(of: link)
        var set = ReadSet()
        set.ask(to)
        share.ask(&set)
        set.ask(account)
        for mail in mails { mail.ask(&set) }
        return try services.host.runner.commitDirectory(set) { reading -> Decision<Bool> in
            var writes = WriteSet()
            guard share.full(reading) == nil else { return .write(writes, false) }
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
        // All networks of a site together, which could otherwise use up all links of an address.
        let near = link.network.isEmpty ? [] : alike.filter { $0.network == link.network || $0.isOfSite(link.site) }
        return alike.count < dayMax && near.count < dayMaxOfNetwork
    }

    /// What may be requested in a day.
    ///
    /// - Parameter link: The one to be added.
    static func share(of link: MailLinkRow) -> NetworkShare<MailLinkRow> {
        let since = link.createdAt - day
        return NetworkShare(
            network: link.network, site: link.site, most: networkMax,
            from: { MailLinkRow.from($0, after: since, limit: $1) },
            fromSite: { MailLinkRow.from(site: $0, after: since, limit: $1) })
    }

    // MARK: Following

    /// The ID of a link in the directory.
    static func id(of secret: String) -> [UInt8] { Array(SHA256.hash(data: Array(secret.utf8))) }
}

extension MailLinks.Purpose {
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

    /// How long it is valid.
    var lifetime: Milliseconds {
        switch self {
        case .recover: 3_600_000
        case .signUp, .changeEmail: MailLinks.day
        }
    }
}

extension MailLinkRow {
    fileprivate func isOfSite(_ site: String) -> Bool { !site.isEmpty && self.site == site }

    func isValid(at now: Milliseconds) -> Bool { usedAt == 0 && now < createdAt + kind.lifetime }
}
