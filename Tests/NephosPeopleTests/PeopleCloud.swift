import CloudKitWire
import NephosAdmin
import NephosDomain
import NephosNetwork
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import TestEngines
import Testing

@testable import NephosPeople

/// A ``SmallCloud`` with the engine that the run tests, where Ada has a password, and an app may sign people in on its own page.
final class PeopleCloud {
    static let email = "ada@example.org"
    static let password = "correct horse battery"
    static let origin = "https://app.example.org"
    /// The origin of this server's pages in browsers.
    static let own = "http://localhost"
    /// Inexpensive, unlike the program's.
    static let cheap = PasswordHash.Cost(rounds: 4, blockSize: 8, lanes: 1)

    let cloud: SmallCloud
    let features: [Feature]
    let administration: Administration
    let stored: TestStore
    /// A browser's cookies, by name.
    var jar: [String: String] = [:]
    /// Headers that an attacker adds to each submitted form.
    var forged: [(String, String)] = []
    /// The other end of the connections of its browsers.
    var peer = Peer.none
    /// A trusted proxy, which passes on the headers of its clients.
    static let proxy = Peer(isProxy: true, address: NetworkAddress("10.0.0.7"), origin: "http://10.0.0.1:8080")

    /// - Parameter others: Features in addition to that of people.
    init(
        cost: PasswordHash.Cost = cheap, origins: String? = origin, isMailing: Bool = true, publicURL: String? = nil,
        isLocal: Bool = true, with others: [Feature] = []
    ) async throws {
        let features = others + [Feature.people(cost: cost)]
        self.features = features
        stored = try TestStore.withTables(nil, SmallCloud.tables(with: features))
        cloud = try await SmallCloud(
            features: features, mail: isMailing ? Outbox() : NoOutgoingMail(), publicURL: publicURL, isLocal: isLocal,
            on: OtherEngine { [stored] in try stored.open(tables: $0) })
        administration = Administration(engine: cloud.engine, inputs: cloud.inputs.ofOperator, features: features)
        try administration.setPassword(of: Self.email, to: Self.password, cost: Self.cheap)
        if let origins { try await allow(origins) }
    }

    func allow(_ origins: String) async throws {
        let id = Hexadecimal.text(APIToken.hash(cloud.apiToken))
        let origins = try AllowedOrigins(origins).stored
        try await administration.setTerms(of: id, in: SmallCloud.tenant) { $0.origins = origins }
    }

    /// Configures the cloud's app to accept people without an account.
    func takePeople(_ policy: String, signsUp: Bool = true, app: String = "{}", verifies: Bool = true) async throws {
        let document = Bytes(#"{"signUp":"\#(policy)","verifyEmail":\#(verifies),"app":\#(app)}"#.utf8)
        _ = try await administration.commit(to: store, ReadSet()) { reading in
            var writes = WriteSet()
            let row = SectionRow(name: People.name, document: document, isDeployed: false, changedAt: 1)
            writes.catalog = [
                CatalogWrite(old: reading.catalog.sections[People.name].map { .section($0) }, new: .section(row))
            ]
            return .write(writes, ())
        }
        let id = Hexadecimal.text(APIToken.hash(cloud.apiToken))
        try await administration.setTerms(of: id, in: SmallCloud.tenant) { $0.signsUp = signsUp }
    }

    // MARK: As a mailbox

    /// Texts of the pending mails for an address, oldest first.
    func mails(to address: String) throws -> [String] {
        try cloud.engine.directory.rows(MailRow.due(by: .max, limit: 1_000)).filter { $0.address == address }
            .sorted { $0.createdAt < $1.createdAt }.map { try #require($0.text) }
    }

    /// Path and query of the link in the last mail to an address.
    func link(to address: String) throws -> String { try link(in: try #require(try mails(to: address).last)) }

    func link(in mail: String) throws -> String {
        let start = try #require(mail.firstRange(of: "\(Self.own)/verify?link=")).lowerBound
        return String(mail[start...].dropFirst(Self.own.utf8.count).prefix { !$0.isWhitespace })
    }

    var now: Milliseconds {
        get { cloud.inputs.now }
        set { cloud.inputs.now = newValue }
    }

    var store: any TenantStore { get throws { try #require(try cloud.engine.open(SmallCloud.tenant)) } }

    var method: SignInMethodRow? {
        get throws {
            let account = try #require(try cloud.engine.account(email: Self.email))
            return try cloud.engine.directory.rows(SignInMethodRow.password(of: account.id)).first
        }
    }

    // MARK: As an app

    static let caller = "/database/1/\(SmallCloud.container)/development/public/users/caller"

    /// Path and query of the URL to which a 421 leads.
    func redirect(from origin: String? = origin) throws -> String {
        let headers = origin.map { [("Origin", $0)] } ?? []
        return try redirect(by: cloud.ask("GET", Self.caller, headers: headers, as: .app))
    }

    private func redirect(by answer: RawResponse) throws -> String {
        #expect(answer.status == 421)
        let url = try #require(try JSON(reading: answer.body)["redirectURL"].string)
        let start = try #require(url.firstRange(of: "/sign-in?"))
        #expect(url[..<start.lowerBound] == Self.own)
        return String(url[start.lowerBound...])
    }

    /// The status of a request with a token.
    func status(of token: String) throws -> Int {
        try cloud.ask(
            "GET", "\(Self.caller)?ckAPIToken=\(cloud.apiToken)&ckWebAuthToken=\(token)", as: .stranger
        ).status
    }

    // MARK: As an app that serves people

    static let production = Tenant(container: SmallCloud.container, environment: .production)

    /// The same app in production.
    struct Served {
        let own: PeopleCloud
        private let caller: String

        fileprivate init(_ own: PeopleCloud) async throws {
            self.own = own
            let token = try await own.administration.createAPIToken(in: production)
            let origins = try AllowedOrigins(origin).stored
            try await own.administration.setTerms(of: Hexadecimal.text(APIToken.hash(token)), in: production) {
                $0.origins = origins
            }
            caller = "/database/1/\(SmallCloud.container)/production/public/users/caller?ckAPIToken=\(token)"
        }

        /// Path and query of the URL to which a 421 leads.
        func redirect() throws -> String {
            try own.redirect(by: own.cloud.ask("GET", caller, headers: [("Origin", origin)], as: .stranger))
        }

        /// The status of a request with a token.
        func status(of token: String) throws -> Int {
            try own.cloud.ask("GET", "\(caller)&ckWebAuthToken=\(percentEncoded(token))", as: .stranger).status
        }
    }

    func serving() async throws -> Served { try await Served(self) }

    // MARK: As a browser

    @discardableResult
    func get(_ target: String, language: String? = nil) throws -> RawResponse {
        var headers = [("Host", "localhost")] + cookies + forged
        if let language { headers.append(("Accept-Language", language)) }
        var request = cloud.request("GET", target, headers: headers, as: .stranger)
        request.peer = peer
        return try keeping(cloud.answer(to: request))
    }

    /// Submits a form from a page of an origin.
    func post(
        _ target: String, _ fields: [(String, String)], from origin: String? = own,
        network: ClientNetwork? = nil, type: String = "application/x-www-form-urlencoded"
    ) throws -> RawResponse {
        var request = form(target, fields, from: origin, type: type)
        request.network = network
        return try keeping(cloud.answer(to: request))
    }

    private func form(_ target: String, _ fields: [(String, String)], from origin: String?, type: String) -> RawRequest
    {
        let body = fields.map { "\($0)=\(PercentCoding.encode($1))" }.joined(separator: "&")
        var headers = [("Host", "localhost"), ("Content-Type", type)] + cookies + forged
        if let origin { headers.append(("Origin", origin)) }
        var request = cloud.request("POST", target, headers: headers, body: Array(body.utf8), as: .stranger)
        request.peer = peer
        return request
    }

    /// Submits a form with a streamed response, and receives all of it.
    func download(_ target: String, _ fields: [(String, String)]) async throws -> [UInt8] {
        let request = form(target, fields, from: Self.own, type: "application/x-www-form-urlencoded")
        return try await Self.taken(from: cloud, request)
    }

    /// Receives a streamed response. Blocks a thread that no task of a server needs.
    static func taken(from cloud: SmallCloud, _ request: RawRequest) async throws -> [UInt8] {
        try await withTaskExecutorPreference(OwnThreads.ofTests) {
            let exchange = cloud.begin(request) { error, _ in Issue.record(error) }
            let head = try exchange.head()
            #expect(head.status == 200)
            var bytes = head.body
            while let piece = try exchange.piece() { bytes += piece }
            return bytes
        }
    }

    /// Enters an address and a password in the form of a page, in a browser where nobody is signed in.
    func signIn(
        _ target: String, _ email: String = email, _ password: String = password, keep: Bool = false,
        network: ClientNetwork? = nil
    ) throws -> RawResponse {
        jar = jar.filter { $0.key == "nephos-form" }
        let form = try get(target).field("form")
        return try post(
            target,
            [("form", form), ("email", email), ("password", password), ("answer", "yes")]
                + (keep ? [("keep", "yes")] : []),
            network: network)
    }

    private var cookies: [(String, String)] {
        jar.isEmpty ? [] : [("Cookie", "other=1; " + jar.map { "\($0)=\($1)" }.sorted().joined(separator: "; "))]
    }

    private func keeping(_ answer: RawResponse) -> RawResponse {
        for (name, value) in answer.headers where name == "Set-Cookie" {
            let pair = value.prefix { $0 != ";" }.split(separator: "=", omittingEmptySubsequences: false)
            jar[String(pair[0])] = value.contains("Max-Age=0") ? nil : String(pair[1])
        }
        return answer
    }

    /// Presses a button of a form without other fields.
    func press(_ button: String, on page: RawResponse, _ target: String) throws -> RawResponse {
        var fields = [("form", try page.field("form")), ("answer", button)]
        if page.text.contains("name=\"step\"") { fields.append(("step", try page.field("step"))) }
        return try post(target, fields)
    }
}

extension RawResponse {
    /// The value of a hidden field.
    func field(_ name: String) throws -> String {
        let mark = "name=\"\(name)\" value=\""
        let start = try #require(text.firstRange(of: mark), "\(status) \(text)").upperBound
        return String(text[start...].prefix { $0 != "\"" })
    }

    /// The message that the page posts to its opener, and the required origin; nil if it posts none.
    var told: (message: String, origin: String)? {
        guard let origin = attribute("data-origin"), let message = attribute("data-message") else { return nil }
        return (message.replacing("&quot;", with: "\""), origin)
    }

    func attribute(_ name: String) -> String? {
        text.firstRange(of: "\(name)=\"").map { String(text[$0.upperBound...].prefix { $0 != "\"" }) }
    }

    /// Without the parts that differ each time, for comparison of pages.
    var textWithoutChallenge: String {
        get throws {
            let options = try #require(attribute("data-passkey")).replacing("&quot;", with: "\"")
            return text.replacing(try SoftwarePasskey.challenge(options), with: "CHALLENGE")
        }
    }

    /// The web auth token that it posts.
    func token() throws -> String {
        let told = try #require(told, "\(status) \(text)")
        let json = try JSON(reading: Array(told.message.utf8))
        let token = try #require(json["ckWebAuthToken"].string)
        #expect(told.message == #"{"ckWebAuthToken":"\#(token)","ckSession":"\#(token)"}"#)
        return token
    }
}

/// Accepts mails, which stay in the outbox because no job runs.
private struct Outbox: OutgoingMail {
    var setup: MailSetup? { MailSetup(.folder, from: nil) }

    func send(_ mail: MailMessage, by way: MailWay) async throws(MailFailure) -> String { "" }
}
