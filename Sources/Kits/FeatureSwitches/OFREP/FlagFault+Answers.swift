import CloudKitWire
import Foundation
import NephosTransport

extension FlagFault {
    /// That no answer came.
    init(_ fault: TransportFault) {
        switch fault.kind {
        case .cancelled: self.init(.cancelled, fault.message)
        case .unusable: self.init(.unreadable, fault.message)
        case .noNetwork, .unreachable, .lost, .local: self.init(.unreachable, fault.message)
        }
    }

    /// That the server said no.
    init(_ answer: TransportAnswer) {
        let said = FlagValue(json: String(decoding: answer.body.prefix(65_536), as: UTF8.self))
        var reason = ""
        if case .object(let members) = said {
            reason = (members["errorDetails"] ?? members["reason"])?.stringValue ?? ""
        }
        let advice =
            switch answer.status {
            case 401, 403, 421: "look whether the token is one of this container and environment"
            case 404: "look whether the address, the container and the environment are right"
            default: ""
            }
        let words = ["the server answered \(answer.status)", reason, advice].filter { !$0.isEmpty }
        let seconds = answer.headers["retry-after"].flatMap { Int64($0) }
        // A day at most: nobody is to be silenced for good by one answer.
        let wait = seconds.map { Duration.seconds(min(max($0, 0), 86_400)) }
        self.init(.refused, words.joined(separator: ": "), retryAfter: wait)
    }
}
