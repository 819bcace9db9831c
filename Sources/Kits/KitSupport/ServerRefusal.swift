import CloudKitWire
package import Foundation
package import NephosTransport

/// A refusal by a server, with a message for people.
package struct ServerRefusal: Sendable {
    package let status: Int
    /// CloudKit's error code: `ACCESS_DENIED`; empty if there is none.
    package private(set) var code = ""
    /// The server's `reason`.
    package private(set) var reason = ""
    /// How long to wait before the next request: a day at most, so that no single response silences a client permanently.
    package let retryAfter: Duration?

    package init(_ answer: TransportAnswer) {
        status = answer.status
        let seconds = answer.headers["retry-after"].flatMap { Int64($0) }
        retryAfter = seconds.map { Duration.seconds(min(max($0, 0), 86_400)) }
        guard var json = try? JSONReader([UInt8](answer.body.prefix(65_536))[...]) else { return }
        var words: [String: String] = [:]
        // A body that cannot be parsed is ignored.
        try? json.readObject { json, key throws(WireError) in
            guard try json.kind == .string else { return }
            words[key.name.text] = String(decoding: try json.readString(), as: UTF8.self)
        }
        code = words["serverErrorCode"] ?? ""
        reason = words["errorDetails"] ?? words["reason"] ?? ""
    }

    /// What happened, and what to do about it if that is known.
    package var message: String {
        let advice =
            switch status {
            case 401, 403, 421: "check that the token belongs to this container and environment"
            case 404: "check the address, the container and the environment"
            default: ""
            }
        return ["the server answered \(status)", reason, advice].filter { !$0.isEmpty }.joined(separator: ": ")
    }
}

extension URL {
    /// The URL with one more query parameter.
    package func asking(_ name: String, _ value: String) -> URL {
        // Tokens contain `+`, `/` and `=`, which are special in a query.
        let parameter = "\(PercentCoding.encode(name))=\(PercentCoding.encode(value))"
        return URL(string: "\(absoluteString)\(query == nil ? "?" : "&")\(parameter)") ?? self
    }

    /// The URL with a user's session in the query, as all of CloudKit's endpoints accept it.
    package func asking(for webAuthToken: String) -> URL { asking("ckWebAuthToken", webAuthToken) }
}
