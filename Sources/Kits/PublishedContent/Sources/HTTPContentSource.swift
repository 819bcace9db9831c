import CloudKitWire
public import Foundation
public import KitSupport
package import NephosTransport

/// Content that a Nephos server picks and lists (docs/content.md): times by its clock, audiences by what it knows, both applied
/// before any limit.
public struct HTTPContentSource: ContentSource {
    /// The server's address: `https://cloud.example.org`.
    public let server: URL
    public let container: String
    /// `development` or `production`.
    public let environment: String
    /// The credentials. Their closures are called for each request.
    public var credentials: Credentials
    /// Whether requests identify the app and the device (``ContentAudience``, with `installation` for the device), so that they can
    /// be counted if the server's operator enables that (docs/clients.md).
    public var reportsApp = false
    let transport: any Transport

    /// Credentials for a server, as far as they are known. Publishing requires a user.
    public typealias Credentials = ServerCredentials

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
        request.sink = .memory(limit: question.bytesMax)
        guard let answer = try await caller.fetch(request, tag: question.tag) else { return .unchanged }
        do throws(WireError) {
            var content = try ContentAnswer(json: [UInt8](answer.body), count: question.count)
            content.tag = answer.entityTag
            return .answer(content)
        } catch {
            throw ContentFault(.unreadable, "the server's answer cannot be read: \(error)")
        }
    }

    // MARK: Requests

    func address(of type: ContentType, _ what: String) -> URL {
        server.appending(path: "nephos/1/\(container)/\(environment)/content/\(type.name)/\(what)")
    }

    /// - Parameter endpoint: An endpoint of CloudKit Web Services.
    func address(_ endpoint: String) -> URL {
        server.appending(path: "database/1/\(container)/\(environment)/public/records/\(endpoint)")
            .asking("ckAPIToken", credentials.token)
    }

    var caller: ServerCaller { ServerCaller(credentials, transport) }
}
