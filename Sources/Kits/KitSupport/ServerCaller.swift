package import CloudKitWire
package import Foundation
package import NephosTransport

/// Credentials for a server, as far as they are known.
public struct ServerCredentials: Sendable {
    /// The API token of the container and environment, sent as `Authorization: Bearer`.
    public var token: String
    /// The web auth token of the signed-in user. Publishing requires one.
    public var webAuthToken: (@Sendable () async -> String?)?
    /// Facts about the user that an issuer trusted by the container has signed, sent as `X-Nephos-Facts`.
    public var facts: (@Sendable () async -> String?)?

    public init(
        token: String, webAuthToken: (@Sendable () async -> String?)? = nil,
        facts: (@Sendable () async -> String?)? = nil
    ) {
        (self.token, self.webAuthToken, self.facts) = (token, webAuthToken, facts)
    }

    /// The value of the header `Authorization`.
    package var authorization: String { "Bearer \(token)" }
}

/// Sends requests with credentials.
package struct ServerCaller: Sendable {
    private let credentials: ServerCredentials
    private let transport: any Transport

    /// Maximum number of seconds without progress.
    private static let timeout = 30.0

    package init(_ credentials: ServerCredentials, _ transport: any Transport) {
        (self.credentials, self.transport) = (credentials, transport)
    }

    /// - Returns: The server's response, whatever its status.
    package func send(_ request: TransportRequest) async throws(KitFault) -> TransportAnswer {
        var request = request
        request.headers["Authorization"] = credentials.authorization
        if let facts = await credentials.facts?() { request.headers["X-Nephos-Facts"] = facts }
        if let person = await credentials.webAuthToken?() { request.url = request.url.asking(for: person) }
        request.timeout = Self.timeout
        do throws(TransportFault) { return try await transport.send(request) } catch { throw KitFault(error) }
    }

    /// - Parameters:
    ///   - tag: The entity tag of the known response.
    /// - Returns: The response; nil if the known one is still valid.
    package func fetch(_ request: TransportRequest, tag: String?) async throws(KitFault) -> TransportAnswer? {
        var request = request
        // A stored tag may be from a version that did not check it.
        let tag = tag.flatMap { $0.isEntityTag ? $0 : nil }
        if let tag { request.headers["If-None-Match"] = tag }
        let answer = try await send(request)
        switch answer.status {
        case 304 where tag != nil: return nil
        case 200: return answer
        default: throw KitFault(answer)
        }
    }

    /// - Parameter body: Writes the members of an object.
    package func post(_ url: URL, _ body: (inout JSONWriter) -> Void) async throws(KitFault) -> TransportAnswer {
        let answer = try await send(.posting(to: url, body))
        guard answer.status == 200 else { throw KitFault(answer) }
        return answer
    }
}

extension TransportAnswer {
    /// The entity tag; nil if there is none that can be sent back.
    package var entityTag: String? { headers["etag"].flatMap { $0.isEntityTag ? $0 : nil } }
}

extension String {
    fileprivate var isEntityTag: Bool { isVisibleASCII(atMost: 256) }
}

extension TransportRequest {
    /// - Parameter body: Writes the members of an object.
    package static func posting(to url: URL, _ body: (inout JSONWriter) -> Void) -> TransportRequest {
        var json = JSONWriter()
        json.beginObject()
        body(&json)
        json.endObject()
        var request = TransportRequest(method: "POST", url: url, body: .bytes(Data(json.bytes)))
        request.headers["Content-Type"] = "application/json"
        return request
    }
}
