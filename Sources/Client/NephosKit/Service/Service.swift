import CloudKitWire
import Foundation
import NephosTransport

/// One container at one server: who asks, and how a request becomes an answer or a ``CKError``.
final class Service: Sendable {
    /// What an operation wants of its requests.
    struct Terms: Sendable {
        /// Seconds in which nothing moves, after which a request is given up.
        var timeout: TimeInterval = 60
        /// Until when a request that the service cannot take now is tried again; nil fails at once.
        var patience: Date?
        /// Who asks: nothing is sent for anybody else. Nil for whoever is signed in then.
        var session: UUID?
        /// Whether the operation's time is over: what is cancelled then was not cancelled by the program.
        var isOver: @Sendable () -> Bool = { false }
    }

    let container: String
    /// Names this program to the server, so that it is not told of its own changes.
    let clientID = UUID().uuidString
    /// Why nothing can be asked, where the configuration is at fault.
    let configuration: Result<NephosConfiguration, ConfigurationFault>
    private let transport: any Transport
    private let credentials: CredentialsFile?
    /// Waits some seconds; throws when the task is cancelled.
    private let pause: @Sendable (Double) async throws -> Void
    /// Waits until the time of an operation is over; throws when the task is cancelled.
    let countdown: @Sendable (Double) async throws -> Void
    private let account: Locked<Account>
    /// Removes what was kept of whoever is not signed in any more; of everybody where it is not known who that was.
    let forget = Locked<(@Sendable (Identity?) -> Void)?>(nil)

    private struct Account {
        var webAuthToken: String?
        /// Who that is, or whom the key acts for, once it was asked for.
        var identity: Identity?
        /// Made of the passphrase, for that identity.
        var cipher: FieldCipher?
        /// Tells an answer that comes late from one of the session that is there now.
        let session = UUID()
    }

    /// - Parameter credentials: Where tokens are kept that change with every answer, as those of Apple's service do.
    init(
        container: String, configuration: Result<NephosConfiguration, ConfigurationFault>,
        transport: any Transport = Network.transport, credentials: CredentialsFile? = nil,
        pause: @escaping @Sendable (Double) async throws -> Void = { try await Task.sleep(for: .seconds($0)) },
        countdown: @escaping @Sendable (Double) async throws -> Void = { try await Task.sleep(for: .seconds($0)) }
    ) {
        self.container = container
        self.configuration = configuration
        self.transport = transport
        self.credentials = credentials
        self.pause = pause
        self.countdown = countdown
        account = Locked(Account(webAuthToken: (try? configuration.get())?.webAuthToken))
    }

    // MARK: Who asks

    var isSignedIn: Bool { account.value.webAuthToken != nil }
    var webAuthToken: String? { account.value.webAuthToken }
    private var hasKey: Bool { (try? configuration.get())?.serverKey != nil }
    /// Tells who is signed in now, or that nobody is, from who was before and who comes after.
    var session: UUID { account.value.session }

    /// Another person, or nobody. Tells those who listen for `CKAccountChanged`, once what was kept of the former person is gone.
    func signIn(webAuthToken: String?) {
        let former = account.withLock { account in
            defer { account = Account(webAuthToken: webAuthToken) }
            return account
        }
        // A session may have ended before, so that it is not known any more whose it was.
        if former.webAuthToken != nil || webAuthToken == nil { forget.value?(former.identity) }
        NotificationCenter.default.post(name: .CKAccountChanged, object: nil)
    }

    /// - Throws: `notAuthenticated` where somebody has signed in or out since these terms were bound.
    func checkStill(_ terms: Terms) throws(CKError) { _ = try account(terms) }

    /// Who is signed in, or whom the key acts for; asked once. Nil for nobody.
    func user(_ terms: Terms) async throws(CKError) -> Identity? {
        let account = try account(terms)
        guard account.webAuthToken != nil || hasKey else { return nil }
        if let identity = account.identity { return identity }
        return try await confirmUser(terms)
    }

    /// Who reads answers, with the key of what they encrypted, which takes a moment to make the first time.
    func viewer(_ terms: Terms) async throws(CKError) -> Viewer {
        guard let user = try await user(terms)?.userRecordName else { return Viewer() }
        let settings = try settings()
        guard let passphrase = settings.passphrase else { return Viewer(user: user) }
        if let cipher = try account(terms).cipher { return Viewer(user: user, cipher: cipher) }
        let environment = (settings.environment ?? .development).rawValue
        do {
            let cipher = try FieldCipher(passphrase: passphrase, salt: "\(container)\u{0}\(environment)\u{0}\(user)")
            account.withLock { if $0.identity?.userRecordName == user { $0.cipher = cipher } }
            return Viewer(user: user, cipher: cipher)
        } catch {
            throw CKError(.internalError, "no key can be derived from the passphrase: \(error)")
        }
    }

    /// Asks the server who is signed in.
    @discardableResult
    func confirmUser(_ terms: Terms) async throws(CKError) -> Identity {
        let terms = bound(terms)
        let answer = try await answer(to: Request("users/caller", .public, Array("{}".utf8)), terms)
        let identity = try CKError.reading { () throws(WireError) in try Identity(answer) }
        account.withLock { if $0.session == terms.session { $0.identity = identity } }
        return identity
    }

    /// Has the server end the session of who is signed in, if there is one still.
    func endSession(everywhere: Bool) async throws(CKError) {
        guard isSignedIn, try settings().speaksNephos, try settings().serverKey == nil else { return }
        let body = Array(everywhere ? #"{"everywhere":true}"#.utf8 : "{}".utf8)
        do throws(CKError) {
            _ = try await answer(to: Request("sign-in/sign-out", nil, body, isChange: true), Terms())
        } catch {
            guard error.code == .notAuthenticated else { throw error }
        }
    }

    /// The newest token of who asks; nil for nobody.
    func webAuthToken(_ terms: Terms) throws(CKError) -> String? { try account(terms).webAuthToken }

    /// For what consists of several requests: all of them are for who is signed in now, where nobody else was named.
    func bound(_ terms: Terms) -> Terms {
        var bound = terms
        bound.session = terms.session ?? session
        return bound
    }

    /// - Throws: `notAuthenticated` when who asks is not signed in any more. What somebody wanted is never asked for, nor saved, as
    ///   somebody else.
    private func account(_ terms: Terms) throws(CKError) -> Account {
        let account = account.value
        guard terms.session == nil || terms.session == account.session else {
            throw CKError(.notAuthenticated, "the signed-in user has changed: the request is not sent as another user")
        }
        return account
    }

    // MARK: Requests

    struct Request: Sendable {
        var path: String
        /// Nil for endpoints that belong to no database.
        var scope: CKDatabaseScope?
        var body: [UInt8]
        /// Whether it may have changed something although no answer came.
        var isChange: Bool
        /// Whether it is a form of the app's, in place of JSON of who is signed in.
        var isForm = false

        init(_ path: String, _ scope: CKDatabaseScope?, _ body: [UInt8], isChange: Bool = false) {
            self.path = path
            self.scope = scope
            self.body = body
            self.isChange = isChange
        }
    }

    /// - Returns: The JSON of an answer that is no error.
    func answer(to request: Request, _ terms: Terms) async throws(CKError) -> ArraySlice<UInt8> {
        let terms = bound(terms)
        return try await patiently(terms) { () async throws(CKError) in try await self.once(request, terms) }
    }

    /// Sends what is no endpoint: an upload or a download, whose address holds what lets it in.
    ///
    /// - Returns: An answer that is no error.
    func exchange(
        _ request: TransportRequest, isChange: Bool, _ terms: Terms
    ) async throws(CKError) -> TransportAnswer {
        var request = request
        request.timeout = terms.timeout
        let sent = request
        return try await patiently(terms) { () async throws(CKError) in
            let answer: TransportAnswer
            do throws(TransportFault) {
                answer = try await self.transport.send(sent)
            } catch {
                throw CKError(error, isChange: isChange)
            }
            guard answer.status == 200 else { throw CKError(answer, isChange: isChange) }
            return answer
        }
    }

    /// Tries again, after a pause, what the service did not take and may take later.
    private func patiently<Value: Sendable>(
        _ terms: Terms, _ body: @Sendable () async throws(CKError) -> Value
    ) async throws(CKError) -> Value {
        var wait = 1.0
        while true {
            do throws(CKError) {
                return try await body()
            } catch {
                guard error.mayPass, let patience = terms.patience else { throw error }
                let seconds = max(error.retryAfterSeconds ?? 0, wait)
                guard Date().addingTimeInterval(seconds) < patience else { throw error }
                try await self.wait(seconds)
                wait = min(wait * 2, 300)
            }
        }
    }

    func wait(_ seconds: Double) async throws(CKError) {
        do {
            try await pause(seconds)
        } catch {
            throw .cancelled
        }
    }

    private func once(_ request: Request, _ terms: Terms) async throws(CKError) -> ArraySlice<UInt8> {
        let used = try account(terms)
        var sent = try address(request, request.isForm ? nil : used.webAuthToken)
        sent.timeout = terms.timeout
        // Then nothing is sent, and nobody need wonder whether it was done.
        if Task.isCancelled { throw .cancelled }
        let answer: TransportAnswer
        do throws(TransportFault) {
            answer = try await transport.send(sent)
        } catch {
            if error.kind == .cancelled, request.isChange, terms.isOver() {
                throw CKError(.serverResponseLost, "the operation timed out before the answer arrived")
            }
            throw CKError(error, isChange: request.isChange)
        }
        let error = answer.status == 200 ? nil : CKError(answer, isChange: request.isChange)
        // Not everything that answers 421 is a service of CloudKit's kind.
        if answer.status == 421, error?.code == .notAuthenticated, used.webAuthToken != nil {
            end(used)
        } else {
            keep(answer.headers["x-apple-cloudkit-web-auth-token"], used)
        }
        if let error { throw error }
        return ArraySlice(answer.body)
    }

    private func address(_ request: Request, _ webAuthToken: String?) throws(CKError) -> TransportRequest {
        let configuration = try settings()
        let server = try server()
        let environment = (configuration.environment ?? .development).rawValue
        let database = request.scope.map { "/\($0.wireName)" } ?? ""
        let module =
            switch request.path.prefix(while: { $0 != "/" }) {
            case "tokens": "device"
            case "sign-in": "nephos"
            default: "database"
            }
        let base = server.path.hasSuffix("/") ? String(server.path.dropLast()) : server.path
        let path = "\(base)/\(module)/1/\(container)/\(environment)\(database)/\(request.path)"
        var headers = ["Content-Type": request.isForm ? "application/x-www-form-urlencoded" : "application/json"]
        if configuration.speaksNephos {
            headers["X-Nephos-Client"] = "1"
            if let app = configuration.app { headers[AppHeader.name] = app.header }
        }
        let body = Data(request.body)
        var query: [(String, String)] = []
        if let key = configuration.serverKey {
            do {
                headers.merge(try key.headers(path: path.percentEncodedPath, body: body)) { $1 }
            } catch {
                throw CKError(.notAuthenticated, "the server-to-server key \(key.keyID) cannot be used: \(error)")
            }
        } else {
            if let token = configuration.apiToken { query.append(("ckAPIToken", token)) }
            if let token = webAuthToken { query += [("ckWebAuthToken", token), ("clientId", clientID)] }
        }
        // Tokens hold `+`, `/` and `=`, all of which mean something else in a query.
        let text = query.map { "\($0)=\(PercentCoding.encode($1))" }.joined(separator: "&")
        var parts = "\(server.scheme ?? "http")://\(server.authority)\(path.percentEncodedPath)"
        if !text.isEmpty { parts += "?\(text)" }
        guard let url = URL(string: parts) else {
            throw CKError(.badContainer, "the id of the container \(container) cannot be part of a URL")
        }
        return TransportRequest(method: "POST", url: url, headers: headers, body: .bytes(body))
    }

    /// - Throws: What to set, where nobody has said which server it is.
    @discardableResult
    func server() throws(CKError) -> URL {
        guard let server = try settings().serverURL else {
            throw CKError(
                .missingEntitlement,
                "no server is set for the container \(container): set NEPHOS_URL, or serverURL in nephos.json")
        }
        guard URL(web: server.absoluteString) != nil else {
            throw CKError(
                .missingEntitlement, "serverURL is '\(server)': set an address such as https://cloud.example.org")
        }
        return server
    }

    func settings() throws(CKError) -> NephosConfiguration {
        switch configuration {
        case .success(let configuration): return configuration
        case .failure(let fault): throw CKError(.missingEntitlement, fault.message)
        }
    }

    // MARK: Sessions

    /// Every answer brings a new token. Those of our servers all stay good; of Apple's only the last does, so it is kept for
    /// the next start.
    private func keep(_ token: String?, _ used: Account) {
        guard let token, !token.isEmpty, let old = used.webAuthToken, token != old else { return }
        let isCurrent = account.withLock { account in
            guard account.session == used.session else { return false }
            account.webAuthToken = token
            return true
        }
        guard isCurrent, (try? settings())?.speaksNephos == false, let place, let credentials,
            (try? credentials.read()[place]?.webAuthToken) != nil
        else { return }
        // A token that cannot be kept is still good until the program ends.
        try? credentials.update(place) { entry in
            let now = account.value
            // Answers may come here in another order than they came.
            guard entry.webAuthToken != nil, now.session == used.session, let last = now.webAuthToken else { return }
            entry.webAuthToken = last
        }
    }

    /// Writes a session's token to the file of credentials, or removes the one that is there.
    func remember(_ token: String?) throws(CKError) {
        guard let place, let credentials else { return }
        do throws(ConfigurationFault) {
            if token == nil, try credentials.read()[place] == nil { return }
            try credentials.update(place) { $0.webAuthToken = token }
        } catch {
            throw CKError(.internalError, error.message)
        }
    }

    /// Where its secrets are in the file of credentials.
    private var place: CredentialsFile.Place? {
        guard let configuration = try? settings(), let server = configuration.serverURL else { return nil }
        return CredentialsFile.Place(
            server: server, container: container, environment: configuration.environment ?? .development)
    }

    private func end(_ used: Account) {
        let former = account.withLock { account -> Account? in
            // A token that was refused says nothing of one that came meanwhile.
            guard account.session == used.session, account.webAuthToken == used.webAuthToken else { return nil }
            defer { account = Account() }
            return account
        }
        guard let former else { return }
        forget.value?(former.identity)
        NotificationCenter.default.post(name: .CKAccountChanged, object: nil)
    }
}

extension NephosConfiguration {
    var speaksNephos: Bool {
        (service ?? (serverURL?.host?.lowercased() == "api.apple-cloudkit.com" ? .apple : .nephos)) == .nephos
    }
}

extension CKDatabaseScope {
    var wireName: String {
        switch self {
        case .public: "public"
        case .private: "private"
        case .shared: "shared"
        }
    }
}

extension URL {
    /// An address that an answer names. Others than of the web are none: what an answer says must not open files.
    init?(web text: String) {
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme), url.host?.isEmpty == false else {
            return nil
        }
        self = url
    }

    /// Host and port, as they stand in an address.
    fileprivate var authority: String {
        let name = host ?? ""
        let host = name.contains(":") && !name.hasPrefix("[") ? "[\(name)]" : name
        return port.map { "\(host):\($0)" } ?? host
    }
}

extension String {
    fileprivate var percentEncodedPath: String {
        addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? self
    }
}
