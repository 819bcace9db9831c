import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import NephosRunner

/// Why a connection to a mail server failed, in words for the log: without the calls and source files that reported it.
enum ConnectionFailure {
    /// - Parameter server: The server that was to be reached.
    static func reason(of error: any Error, reaching server: MailServer) -> String {
        switch error {
        case let error as NIOConnectionError:
            // Without attempts, the lookup of the name had no results.
            guard let attempt = error.connectionErrors.first else { return "no address was found for \(server.host)" }
            return reason(of: attempt.error, reaching: server)
        case let error as IOError where error.errnoCode == ECONNREFUSED:
            return "connection refused by \(server.host):\(server.port)"
        case ChannelError.connectTimeout: return "no answer from \(server.host):\(server.port)"
        default: return reason(of: error)
        }
    }

    /// Of a connection that was open.
    static func reason(of error: any Error) -> String {
        switch error {
        case let error as IOError: String(cString: strerror(error.errnoCode)).lowercased()
        case NIOSSLError.uncleanShutdown: "the mail server closed it"
        case let error as NIOSSLExtraError where error == .failedToValidateHostname:
            "its certificate is for another name"
        case is NIOSSLError, is BoringSSLError: tlsReason(code: tlsCode(in: error))
        default: "\(error)"
        }
    }

    private static func tlsReason(code: Substring?) -> String {
        switch code {
        case "CERTIFICATE_VERIFY_FAILED":
            "its certificate is not valid, or not issued by an authority in the system's list or in NEPHOS_MAIL_ROOTS"
        case "WRONG_VERSION_NUMBER": "it does not begin with TLS on this port; does it expect STARTTLS?"
        case let code?: "\(code)"
        case nil: "it does not continue the handshake"
        }
    }

    /// The name of a TLS error, such as `CERTIFICATE_VERIFY_FAILED`. It is only in the text, where the path of a source file follows it.
    private static func tlsCode(in error: any Error) -> Substring? {
        "\(error)".firstMatch(of: /:([A-Z][A-Z0-9_]+)\sat\s/)?.1
    }
}
