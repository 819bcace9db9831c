import CloudKitWire
public import Foundation
import KitSupport
package import NephosTransport

/// Messages that a Nephos server selects (docs/messages.md): by its clock, in the user's language, with the buttons that follow
/// from the app's version and the user's purchases, and without messages that the user has seen on any of their devices.
public struct HTTPCommunGetter: CommunGetter {
    /// The server's address: `https://cloud.example.org`.
    public let server: URL
    public let container: String
    /// `development` or `production`.
    public let environment: String
    /// The credentials. Their closures are called for each request.
    public var credentials: Credentials
    /// The place in the app whose message is requested; nil for the first one in the container's settings.
    public var slot: String?
    private let transport: any Transport

    /// Credentials for a server, as far as they are known.
    public typealias Credentials = CommunCredentials

    /// Maximum response size in bytes: texts in one language.
    private static let answerBytesMax = 1 << 20

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

    public var keepsSeen: Bool { true }

    public func getCommunication(_ question: CommunQuestion) async throws(CommunFault) -> Commun? {
        var url = address("current")
        for (name, value) in question.audience.parameters { url = url.asking(name, value) }
        if let slot { url = url.asking("slot", slot) }
        if !question.state.isEmpty { url = url.asking("state", question.state.sorted().joined(separator: ",")) }
        var request = TransportRequest(method: "GET", url: url)
        request.sink = .memory(limit: Self.answerBytesMax)
        guard let answer = try await caller.fetch(request, tag: nil) else { return nil }
        do {
            var commun = try JSONDecoder().decode(CurrentAnswer.self, from: answer.body).commun
            if case .url(let url) = commun?.image, !url.mayFollow(server) { commun?.image = nil }
            return commun
        } catch {
            throw CommunFault(.unreadable, "the server's answer cannot be read: \(error)")
        }
    }

    public func tell(_ report: CommunReport) async throws(CommunFault) {
        _ = try await caller.post(address("seen")) { json in
            json.member("id", report.id)
            json.member("event", report.event.rawValue)
            json.member("device", report.device)
            if let round = report.round { json.member("round", Int64(round)) }
            if let button = report.button { json.member("button", button.rawValue) }
        }
    }

    private var caller: ServerCaller { ServerCaller(credentials, transport) }

    private func address(_ what: String) -> URL {
        server.appending(path: "nephos/1/\(container)/\(environment)/messages/\(what)")
    }
}
