import CloudKitWire
public import Foundation
public import KitSupport
package import NephosTransport

/// Flags that a server evaluates, by OFREP: all of them in one request, with an entity tag so that unchanged values are not sent
/// again, and an event stream of changes if the server has one (docs/flags.md, "Over HTTP").
public struct OFREPProvider: FlagProvider {
    /// The URL below which OFREP's own paths are.
    public let base: URL
    /// The credentials. Their closures are called for each request.
    public var credentials: Credentials
    let transport: any Transport

    /// A container on a Nephos server.
    ///
    /// - Parameters:
    ///   - server: The server's address: `https://cloud.example.org`.
    ///   - environment: `development` or `production`.
    public init(server: URL, container: String, environment: String, credentials: Credentials) {
        let path = "nephos/1/\(container)/\(environment)/flags"
        self.init(base: server.appending(path: path), credentials: credentials)
    }

    /// Any other server that speaks OFREP.
    ///
    /// - Parameter base: The URL to which `/ofrep/v1/evaluate/flags` is appended.
    public init(base: URL, credentials: Credentials) {
        self.init(base: base, credentials: credentials, transport: Network.transport)
    }

    package init(base: URL, credentials: Credentials, transport: any Transport) {
        (self.base, self.credentials, self.transport) = (base, credentials, transport)
    }

    public var source: String { "ofrep \(base.absoluteString)" }

    private var address: URL { base.appending(path: "ofrep/v1/evaluate/flags") }

    /// Maximum response size in bytes.
    private static let answerBytesMax = 16 << 20

    public func fetch(_ question: FlagQuestion) async throws(FlagFault) -> FlagFetch {
        var request = TransportRequest.posting(to: address) { body in
            body.key("context")
            question.context.write(to: &body)
        }
        request.sink = .memory(limit: Self.answerBytesMax)
        let answer: TransportAnswer?
        do throws(KitFault) {
            answer = try await ServerCaller(credentials, transport).fetch(request, tag: question.tag)
        } catch {
            throw FlagFault(error)
        }
        guard let answer else { return .unchanged }
        do throws(WireError) {
            return .values(
                try FlagValues(ofrep: [UInt8](answer.body), tag: answer.entityTag, base: address))
        } catch {
            throw FlagFault(.unreadable, "the server's answer cannot be read: \(error)")
        }
    }
}
