import CloudKitWire
public import Foundation
import KitSupport
package import NephosTransport

/// Content that a Nephos server picks and lists (docs/content.md): times by its clock, whom for by what it knows, before any limit.
public struct HTTPContentSource: ContentSource {
    /// The server's address: `https://cloud.example.org`.
    public let server: URL
    public let container: String
    /// `development` or `production`.
    public let environment: String
    /// Who asks. Each is asked for anew with every request.
    public var credentials: Credentials
    /// Whether requests say what the app and the device are (``ContentAudience``, with `installation` for the device), to be counted where whoever
    /// runs the server wants that (docs/clients.md).
    public var reportsApp = false
    let transport: any Transport

    /// Who asks, as far as it is known.
    public struct Credentials: Sendable {
        /// The API token of the container and environment.
        public var token: String
        /// A person's session: the web auth token of who is signed in. Publishing needs one.
        public var webAuthToken: (@Sendable () async -> String?)?
        /// What somebody whom the container trusts has proved of the person: goes as `X-Nephos-Facts`.
        public var facts: (@Sendable () async -> String?)?

        public init(
            token: String, webAuthToken: (@Sendable () async -> String?)? = nil,
            facts: (@Sendable () async -> String?)? = nil
        ) {
            (self.token, self.webAuthToken, self.facts) = (token, webAuthToken, facts)
        }
    }

    public init(server: URL, container: String, environment: String, credentials: Credentials) {
        self.init(
            server: server, container: container, environment: environment, credentials: credentials,
            transport: Network.transport)
    }

    package init(
        server: URL, container: String, environment: String, credentials: Credentials, transport: any Transport
    ) {
        (self.server, self.container, self.environment) = (server, container, environment)
        (self.credentials, self.transport) = (credentials, transport)
    }

    public var name: String { "nephos \(server.absoluteString) \(container) \(environment)" }

    public func fetch(_ question: ContentRequest) async throws(ContentFault) -> ContentFetch {
        var url = address(of: question.type, question.order == .newest ? "list" : "pick")
        url = url.asking("count", String(question.count))
        for collection in question.collections { url = url.asking("collection", collection) }
        if let seed = question.seed { url = url.asking("seed", seed) }
        if let after = question.after { url = url.asking("after", after) }
        for (name, value) in question.audience.parameters { url = url.asking(name, value) }
        var request = TransportRequest(method: "GET", url: url)
        if reportsApp { request.headers[AppHeader.name] = question.audience.report }
        if let tag = question.tag { request.headers["If-None-Match"] = tag }
        request.sink = .memory(limit: question.bytesMax)
        let answer = try await send(request)
        switch answer.status {
        case 304 where question.tag != nil: return .unchanged
        case 200: break
        default: throw ContentFault(answer)
        }
        do throws(WireError) {
            var content = try ContentAnswer(json: [UInt8](answer.body))
            content.tag = answer.headers["etag"]
            return .answer(content)
        } catch {
            throw ContentFault(.unreadable, "the server's answer cannot be read: \(error)")
        }
    }

    // MARK: Asking

    func address(of type: ContentType, _ what: String) -> URL {
        server.appending(path: "nephos/1/\(container)/\(environment)/content/\(type.name)/\(what)")
    }

    /// - Parameter endpoint: Of CloudKit Web Services.
    func address(_ endpoint: String) -> URL {
        server.appending(path: "database/1/\(container)/\(environment)/public/records/\(endpoint)")
            .asking("ckAPIToken", credentials.token)
    }

    /// Sends a request as who asks.
    func send(_ request: TransportRequest) async throws(ContentFault) -> TransportAnswer {
        var request = request
        request.headers["Authorization"] = "Bearer \(credentials.token)"
        if let facts = await credentials.facts?() { request.headers["X-Nephos-Facts"] = facts }
        if let person = await credentials.webAuthToken?() { request.url = request.url.asking(for: person) }
        request.timeout = 30
        do throws(TransportFault) { return try await transport.send(request) } catch { throw ContentFault(error) }
    }

    /// - Parameter body: An object.
    func post(_ url: URL, _ body: (inout JSONWriter) -> Void) async throws(ContentFault) -> TransportAnswer {
        var json = JSONWriter()
        json.beginObject()
        body(&json)
        json.endObject()
        var request = TransportRequest(method: "POST", url: url, body: .bytes(Data(json.bytes)))
        request.headers["Content-Type"] = "application/json"
        let answer = try await send(request)
        guard answer.status == 200 else { throw ContentFault(answer) }
        return answer
    }
}
