import CloudKitWire
import Foundation
import NephosTransport

/// A container at a server: holds who is signed in, sends requests, and turns each response into a result or a ``CKError``.
final class Service: Sendable {
    /// The settings of an operation for its requests.
    struct Terms: Sendable {
        /// Seconds without any data transfer after which a request fails.
        var timeout: TimeInterval = 60
        /// Until when a request is retried after a temporary failure; nil fails immediately.
        var patience: Date?
        /// The session that the requests belong to: they are not sent once another user is signed in. Nil for the session that
        /// is current when the terms are bound.
        var session: UUID?
        /// Whether the operation's time limit has passed: a cancellation then does not come from the program.
        var isOver: @Sendable () -> Bool = { false }
    }

    let container: String
    /// Identifies this program to the server, so that it is not notified of its own changes.
    let clientID = UUID().uuidString
    /// The configuration, or why it cannot be used; every request fails then.
    let configuration: Result<NephosConfiguration, ConfigurationFault>
    private let transport: any Transport
    private let credentials: CredentialsFile?
    /// Waits some seconds; throws when the task is cancelled.
    private let pause: @Sendable (Double) async throws -> Void
    /// The time of a clock that is never set.
    let now: @Sendable () -> ContinuousClock.Instant
    /// Waits until the time limit of an operation has passed; throws when the task is cancelled.
    let countdown: @Sendable (Double) async throws -> Void
    private let account: Locked<Account>
    /// Removes what was stored for a person who is no longer signed in; for all people if that person is unknown.
    let forget = Locked<(@Sendable (Identity?) -> Void)?>(nil)

    private struct Account {
        var webAuthToken: String?
        /// The person who is signed in, or whom the key acts for, once the server has reported it.
        var identity: Identity?
        /// Derived from the passphrase, for that identity.
        var cipher: FieldCipher?
        /// Distinguishes late responses to requests of an earlier session from those of the current one.
        let session = UUID()
    }

    /// - Parameter credentials: The file for tokens that change with every response, as those of Apple's service do.
    init(
        container: String, configuration: Result<NephosConfiguration, ConfigurationFault>,
        transport: any Transport = Network.transport, credentials: CredentialsFile? = nil,
        pause: @escaping @Sendable (Double) async throws -> Void = { try await Task.sleep(for: .seconds($0)) },
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        countdown: @escaping @Sendable (Double) async throws -> Void = { try await Task.sleep(for: .seconds($0)) }
    ) {
        self.container = container
        self.configuration = configuration
        self.transport = transport
        self.credentials = credentials
        self.pause = pause
        self.now = now
        self.countdown = countdown
        account = Locked(Account(webAuthToken: (try? configuration.get())?.webAuthToken))
    }

    // MARK: The signed-in user

    var isSignedIn: Bool { account.value.webAuthToken != nil }
    var webAuthToken: String? { account.value.webAuthToken }
    private var hasKey: Bool { (try? configuration.get())?.serverKey != nil }
    /// Identifies the current session. It changes whenever somebody signs in or out.
    var session: UUID { account.value.session }

    /// Signs another person in, or, with nil, nobody. Posts `CKAccountChanged` after everything that was stored for the previous
    /// person was removed.
    func signIn(webAuthToken: String?) {
        let former = account.withLock { account in
            defer { account = Account(webAuthToken: webAuthToken) }
            return account
        }
        // An earlier session may have ended already, and its person is then unknown.
        if former.webAuthToken != nil || webAuthToken == nil { forget.value?(former.identity) }
        NotificationCenter.default.post(name: .CKAccountChanged, object: nil)
    }

    /// - Throws: `notAuthenticated` if somebody has signed in or out since these terms were bound.
    func checkStill(_ terms: Terms) throws(CKError) { _ = try account(terms) }

    /// The person who is signed in, or whom the key acts for; fetched once. Nil for nobody.
    func user(_ terms: Terms) async throws(CKError) -> Identity? {
        let account = try account(terms)
        guard account.webAuthToken != nil || hasKey else { return nil }
        if let identity = account.identity { return identity }
        return try await confirmUser(terms)
    }

    /// The user for whom responses are read, with the key of their encrypted values. Deriving it takes a moment the first time.
    func viewer(_ terms: Terms) async throws(CKError) -> Viewer {
        let user = try await user(terms)?.userRecordName
        let settings = try settings()
        var viewer = Viewer(user: user, readsUnsealed: settings.readsUnsealedValues ?? false)
        viewer.sharesAt = settings.sharesAt(of: container)
        guard let user, let passphrase = settings.passphrase else { return viewer }
        viewer.cipher = try account(terms).cipher
        guard viewer.cipher == nil else { return viewer }
        let environment = (settings.environment ?? .development).rawValue
        do {
            let cipher = try FieldCipher(
                passphrase: passphrase, container: container, environment: environment, user: user)
            account.withLock { if $0.identity?.userRecordName == user { $0.cipher = cipher } }
            viewer.cipher = cipher
            return viewer
        } catch {
            throw CKError(.internalError, "no key can be derived from the passphrase: \(error)")
        }
    }

    /// Fetches from the server who is signed in.
    @discardableResult
    func confirmUser(_ terms: Terms) async throws(CKError) -> Identity {
        let terms = bound(terms)
        let answer = try await answer(to: Request("users/caller", .public, Array("{}".utf8)), terms)
        let identity = try CKError.reading { () throws(WireError) in try Identity(answer) }
        account.withLock { if $0.session == terms.session { $0.identity = identity } }
        return identity
    }

    /// Has the server end the session of the person who is signed in, unless it has ended already.
    func endSession(everywhere: Bool) async throws(CKError) {
        guard isSignedIn, try settings().speaksNephos, try settings().serverKey == nil else { return }
        let body = Array(everywhere ? #"{"everywhere":true}"#.utf8 : "{}".utf8)
        do throws(CKError) {
            _ = try await answer(to: Request("sign-in/sign-out", nil, body, isChange: true), Terms())
        } catch {
            guard error.code == .notAuthenticated else { throw error }
        }
    }

    /// The newest token of the person who is signed in; nil for nobody.
    func webAuthToken(_ terms: Terms) throws(CKError) -> String? { try account(terms).webAuthToken }

    /// Returns the terms for several requests, all of which belong to the current session unless the terms specify another.
    func bound(_ terms: Terms) -> Terms {
        var bound = terms
        bound.session = terms.session ?? session
        return bound
    }

    /// - Throws: `notAuthenticated` if the person of the terms is no longer signed in. A person's requests are never sent as another
    ///   person.
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
        /// Nil for an endpoint that belongs to no database.
        var scope: CKDatabaseScope?
        var body: [UInt8]
        /// Whether the server may have changed something even if no response arrives.
        var isChange: Bool
        /// Whether the body is a form, sent without the web auth token of the person who is signed in, instead of JSON.
        var isForm = false

        init(_ path: String, _ scope: CKDatabaseScope?, _ body: [UInt8], isChange: Bool = false) {
            self.path = path
            self.scope = scope
            self.body = body
            self.isChange = isChange
        }
    }

    /// - Returns: The JSON of a successful response.
    func answer(to request: Request, _ terms: Terms) async throws(CKError) -> ArraySlice<UInt8> {
        let terms = bound(terms)
        return try await patiently(terms) { () async throws(CKError) in try await self.once(request, terms) }
    }

    /// Sends a request that is not for an endpoint: an upload or a download, whose URL contains its authorization.
    ///
    /// - Returns: A successful response.
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

    /// Retries, with a backoff, what failed temporarily.
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
        // Nothing is sent then, so it is certain that the server has changed nothing.
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
        // A 421 may also come from something other than a CloudKit service.
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
        try RequestLimits.check(bytes: request.body.count)
        let body = Data(request.body)
        var query: [(String, String)] = []
        if let key = configuration.serverKey {
            do {
                headers.merge(try key.headers(path: path.percentEncodedPath, body: body)) { $1 }
            } catch {
                throw CKError(.missingEntitlement, "the server-to-server key \(key.keyID) cannot be used: \(error)")
            }
        } else {
            if let token = configuration.apiToken { query.append(("ckAPIToken", token)) }
            if let token = webAuthToken { query += [("ckWebAuthToken", token), ("clientId", clientID)] }
        }
        // Tokens contain `+`, `/` and `=`, which have other meanings in a query.
        let text = query.map { "\($0)=\(PercentCoding.encode($1))" }.joined(separator: "&")
        var parts = "\(server.scheme ?? "http")://\(server.authority)\(path.percentEncodedPath)"
        if !text.isEmpty { parts += "?\(text)" }
        guard let url = URL(string: parts) else {
            throw CKError(.badContainer, "the id of the container \(container) cannot be part of a URL")
        }
        return TransportRequest(method: "POST", url: url, headers: headers, body: .bytes(body))
    }

    /// - Throws: `missingEntitlement` with the setting that is needed, if no server or an invalid one is configured.
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

    /// The URL in a response to which a file, a credential or a person is sent; nil for one that must not be used.
    func url(_ text: String) -> URL? {
        URL(web: text).flatMap { $0.mayFollow((try? settings())?.serverURL) ? $0 : nil }
    }

    func settings() throws(CKError) -> NephosConfiguration {
        switch configuration {
        case .success(let configuration): return configuration
        case .failure(let fault): throw CKError(.missingEntitlement, fault.message)
        }
    }

    // MARK: Sessions

    /// A longer token would not fit into the URL of a request.
    private static let tokenBytesMax = 4_096

    /// Takes over the new token of a response. All tokens of a Nephos server remain valid; of Apple's only the last one does, so
    /// it is stored for the next start of the program.
    private func keep(_ token: String?, _ used: Account) {
        guard let token, token.isVisibleASCII(atMost: Self.tokenBytesMax), let old = used.webAuthToken, token != old
        else { return }
        let isCurrent = account.withLock { account in
            guard account.session == used.session else { return false }
            account.webAuthToken = token
            return true
        }
        guard isCurrent, (try? settings())?.speaksNephos == false, let place, let credentials,
            (try? credentials.read()[place]?.webAuthToken) != nil
        else { return }
        // A token that cannot be stored is still used until the program ends.
        try? credentials.update(place) { entry in
            let now = account.value
            // Responses may get here in another order than they arrived.
            guard entry.webAuthToken != nil, now.session == used.session, let last = now.webAuthToken else { return }
            entry.webAuthToken = last
        }
    }

    /// Writes a session's token to the credentials file; nil removes the stored one.
    func remember(_ token: String?) throws(CKError) {
        guard let place, let credentials else { return }
        do throws(ConfigurationFault) {
            if token == nil, try credentials.read()[place] == nil { return }
            try credentials.update(place) { $0.webAuthToken = token }
        } catch {
            throw CKError(.internalError, error.message)
        }
    }

    /// Where the secrets of this container are in the credentials file.
    private var place: CredentialsFile.Place? {
        guard let configuration = try? settings(), let server = configuration.serverURL else { return nil }
        return CredentialsFile.Place(
            server: server, container: container, environment: configuration.environment ?? .development)
    }

    private func end(_ used: Account) {
        let former = account.withLock { account -> Account? in
            // A refused token means nothing for one that has arrived in the meantime.
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

extension NephosConfiguration {
    /// Where the URLs of the shares of a container begin.
    fileprivate func sharesAt(of container: String) -> String? {
        guard speaksNephos else { return "https://www.icloud.com/share/" }
        guard let serverURL else { return nil }
        let server = serverURL.absoluteString
        let environment = (environment ?? .development).rawValue
        return "\(server.hasSuffix("/") ? server : server + "/")share/\(container)/\(environment)/"
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
    /// Host and port, as written in a URL.
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
