import Foundation
import NIOCore
import NIOPosix
import NIOSSL
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
        default: return connectionWords(for: error)
        }
    }
}

/// Why a connection failed, in words for the log: those of the system and of TLS, without the calls that reported them.
func connectionWords(for error: any Error) -> String {
    switch error {
    case let error as IOError: String(cString: strerror(error.errnoCode)).lowercased()
    case let error as NIOSSLExtraError where error == .failedToValidateHostname: "its certificate is for another name"
    case is NIOSSLError, is BoringSSLError:
        "is its certificate valid, and issued by an authority in the system's list or in NEPHOS_MAIL_ROOTS?"
            + (tlsCode(in: error).map { " (\($0))" } ?? "")
    default: "\(error)"
    }
}

/// The name of a TLS error, such as `CERTIFICATE_VERIFY_FAILED`. It is only in the text, where the path of a source file follows it.
private func tlsCode(in error: any Error) -> Substring? {
    "\(error)".firstMatch(of: /:([A-Z][A-Z0-9_]+)\sat\s/)?.1
}
