import CloudKitWire
package import Foundation
package import NephosTransport

/// That a server said no, in words for people.
package struct ServerRefusal: Sendable {
    package let status: Int
    /// CloudKit's name for it: `ACCESS_DENIED`; empty where none was said.
    package private(set) var code = ""
    /// What the server said of it.
    package private(set) var reason = ""
    /// How long the server wants to be left alone: a day at most, for nobody is to be silenced for good by one answer.
    package let retryAfter: Duration?

    package init(_ answer: TransportAnswer) {
        status = answer.status
        let seconds = answer.headers["retry-after"].flatMap { Int64($0) }
        retryAfter = seconds.map { Duration.seconds(min(max($0, 0), 86_400)) }
        guard var json = try? JSONReader([UInt8](answer.body.prefix(65_536))[...]) else { return }
        var words: [String: String] = [:]
        // What cannot be read says nothing.
        try? json.readObject { json, key throws(WireError) in
            guard try json.kind == .string else { return }
            words[key.name.text] = String(decoding: try json.readString(), as: UTF8.self)
        }
        code = words["serverErrorCode"] ?? ""
        reason = words["errorDetails"] ?? words["reason"] ?? ""
    }

    /// What happened, and what to do about it where that is known.
    package var message: String {
        let advice =
            switch status {
            case 401, 403, 421: "look whether the token is one of this container and environment"
            case 404: "look whether the address, the container and the environment are right"
            default: ""
            }
        return ["the server answered \(status)", reason, advice].filter { !$0.isEmpty }.joined(separator: ": ")
    }
}

extension URL {
    /// With one more parameter in the query.
    package func asking(_ name: String, _ value: String) -> URL {
        // Tokens hold `+`, `/` and `=`, all of which mean something else there.
        let parameter = "\(PercentCoding.encode(name))=\(PercentCoding.encode(value))"
        return URL(string: "\(absoluteString)\(query == nil ? "?" : "&")\(parameter)") ?? self
    }

    /// With a person's session in the query, as all of CloudKit's endpoints take it.
    package func asking(for webAuthToken: String) -> URL { asking("ckWebAuthToken", webAuthToken) }
}
