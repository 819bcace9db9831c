import Foundation
import NIOCore
import NIOPosix
import NephosRunner

extension MailServer {
    /// Why the server cannot be reached, in words for the log.
    func words(for error: any Error) -> String {
        switch error {
        case let error as NIOConnectionError:
            // Without attempts, the lookup of the name had no results.
            guard let attempt = error.connectionErrors.first else { return "no address was found for \(host)" }
            return words(for: attempt.error)
        case let error as IOError where error.errnoCode == ECONNREFUSED: return "connection refused by \(host):\(port)"
        case ChannelError.connectTimeout: return "no answer from \(host):\(port)"
        default: return "\(error)"
        }
    }
}
