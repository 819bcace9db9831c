import CloudKitWire
public import Foundation
import KitSupport
package import NephosTransport

/// Flags that a server evaluates, by OFREP: all of them at once, with a tag by which nothing is sent twice, and a stream that tells of
/// changes where the server has one (docs/flags.md, "Over HTTP").
public struct OFREPProvider: FlagProvider {
    /// Below which OFREP's own paths are.
    public let base: URL
    /// Who asks. Each is asked for anew with every request.
    public var credentials: Credentials
    let transport: any Transport

    /// Who asks, as far as it is known.
    public struct Credentials: Sendable {
        /// Goes as `Authorization: Bearer`.
        public var token: String
        /// A person's session: the web auth token of who is signed in.
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

    /// A container at a Nephos server.
    ///
    /// - Parameters:
    ///   - server: The server's address: `https://cloud.example.org`.
    ///   - environment: `development` or `production`.
    public init(server: URL, container: String, environment: String, credentials: Credentials) {
        let path = "nephos/1/\(container)/\(environment)/flags"
        self.init(base: server.appending(path: path), credentials: credentials)
    }

    /// Another server that speaks OFREP.
    ///
    /// - Parameter base: `/ofrep/v1/evaluate/flags` is what follows it.
    public init(base: URL, credentials: Credentials) {
        self.init(base: base, credentials: credentials, transport: Network.transport)
    }

    package init(base: URL, credentials: Credentials, transport: any Transport) {
        (self.base, self.credentials, self.transport) = (base, credentials, transport)
    }

    public var source: String { "ofrep \(base.absoluteString)" }

    private var address: URL { base.appending(path: "ofrep/v1/evaluate/flags") }

    /// Bytes of an answer.
    private static let answerBytesMax = 16 << 20

    public func fetch(_ question: FlagQuestion) async throws(FlagFault) -> FlagFetch {
        var body = JSONWriter()
        body.beginObject()
        body.key("context")
        question.context.write(to: &body)
        body.endObject()
        var request = TransportRequest(method: "POST", url: address, body: .bytes(Data(body.bytes)))
        request.sink = .memory(limit: Self.answerBytesMax)
        request.timeout = 30
        request.headers = await headers()
        request.headers["Content-Type"] = "application/json"
        if let tag = question.tag { request.headers["If-None-Match"] = tag }
        if let person = await credentials.webAuthToken?() { request.url = address.asking(for: person) }
        let answer: TransportAnswer
        do throws(TransportFault) { answer = try await transport.send(request) } catch { throw FlagFault(error) }
        switch answer.status {
        case 304 where question.tag != nil: return .unchanged
        case 200: break
        default: throw FlagFault(answer)
        }
        do throws(WireError) {
            return .values(
                try FlagValues(ofrep: [UInt8](answer.body), tag: answer.headers["etag"], base: address))
        } catch {
            throw FlagFault(.unreadable, "the server's answer cannot be read: \(error)")
        }
    }

    func headers() async -> [String: String] {
        var headers = ["Authorization": "Bearer \(credentials.token)"]
        if let facts = await credentials.facts?() { headers["X-Nephos-Facts"] = facts }
        return headers
    }
}
