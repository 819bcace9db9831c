import CloudKitWire
import Foundation
import NephosTransport

extension CKError {
    static let cancelled = CKError(.operationCancelled, "the operation was cancelled")

    /// - Parameter what: What is not available because nobody is signed in, for the message.
    static func signedOut(_ what: String) -> CKError {
        CKError(
            .notAuthenticated,
            "no user is signed in, so there is no \(what): call CKContainer.signIn(webAuthToken:), or set NEPHOS_WEB_AUTH_TOKEN "
                + "to a token that 'nephos session create' prints, or write it to the credentials file")
    }

    /// - Parameter isChange: Whether the request may have changed something although no response arrived.
    init(_ fault: TransportFault, isChange: Bool) {
        let code: Code =
            switch fault.kind {
            case .noNetwork: .networkUnavailable
            case .unreachable: .networkFailure
            case .lost: isChange ? .serverResponseLost : .networkFailure
            case .cancelled: .operationCancelled
            case .unusable: isChange ? .serverResponseLost : .internalError
            case .local: .internalError
            }
        self.init(code, fault.message)
    }

    /// Creates the error of a response that is not a success, whether a CloudKit server or a proxy sent it.
    init(_ answer: TransportAnswer, isChange: Bool) {
        // The server did not receive the whole request in time. If this was a retry, it may have accepted an earlier
        // attempt.
        if answer.status == 408 {
            self.init(
                isChange ? .serverResponseLost : .networkFailure, "the request did not arrive completely (HTTP 408)")
            return
        }
        if var error = Self.dictionary(answer.body) {
            error.retryAfter = error.retryAfter ?? answer.retryAfter
            // Nephos and Apple's service report a request that is too long as BAD_REQUEST.
            if answer.status == 413, error.code == "BAD_REQUEST" { error.ckErrorCode = Code.limitExceeded.rawValue }
            self = error.ckError
            return
        }
        let wait = answer.retryAfter.map { [CKErrorRetryAfterKey: NSNumber(value: $0)] } ?? [:]
        let target = answer.redirectTarget.map { " to \($0)" } ?? ""
        switch answer.status {
        case 200..<300: self.init(isChange ? .serverResponseLost : .internalError, "the answer cannot be read")
        case 300..<400:
            self.init(
                .networkFailure,
                "the server redirects\(target), which is not followed: set serverURL to the address of the service")
        case 413: self.init(.limitExceeded, "the request is too long for the server (HTTP 413)")
        case 429: self.init(.requestRateLimited, "too many requests (HTTP 429)", wait)
        // A server that responds with 503 has changed nothing. With any other 5xx status, the server may have made the
        // change, or is a proxy that does not know whether the server did.
        case 500... where isChange && answer.status != 503:
            self.init(.serverResponseLost, "the service failed during the request (HTTP \(answer.status))")
        case 500...: self.init(.serviceUnavailable, "the service is not available (HTTP \(answer.status))", wait)
        default:
            self.init(
                .serverRejectedRequest, "the server answered HTTP \(answer.status) without an error that can be read")
        }
    }

    private static func dictionary(_ body: Data) -> ServerError? {
        var members = ServerError.Members()
        do throws(WireError) {
            var reader = try JSONReader(ArraySlice(body))
            try reader.readMembers { reader, key throws(WireError) in try members.read(&reader, key) }
        } catch {
            return nil
        }
        return members.error
    }

    /// Runs a closure that reads a response, and converts a failure to read it to a ``CKError``.
    ///
    /// - Parameter isChange: Whether the request has changed something although its response cannot be read.
    /// - Throws: `serverResponseLost` for a change, otherwise `internalError`.
    static func reading<Value>(
        isChange: Bool = false, _ body: () throws(WireError) -> Value
    ) throws(CKError) -> Value {
        do throws(WireError) {
            return try body()
        } catch {
            throw CKError(isChange ? .serverResponseLost : .internalError, "the answer cannot be read: \(error)")
        }
    }

    /// Whether the same request may succeed later. False for `serverResponseLost`: the change may have been made.
    var mayPass: Bool {
        switch code {
        case .networkUnavailable, .networkFailure, .serviceUnavailable, .requestRateLimited, .zoneBusy: true
        default: false
        }
    }
}

extension TransportAnswer {
    /// The value of the header `Retry-After` in seconds; nil if it is missing or a date.
    fileprivate var retryAfter: Double? {
        guard let seconds = headers["retry-after"].flatMap(Double.init), seconds >= 0 else { return nil }
        return min(seconds, ServerError.longestWait)
    }

    /// Where a redirect leads, for a message: scheme, host, port and path of the header `Location`; nil unless it is a web
    /// URL.
    ///
    /// A proxy that redirects repeats the query, which contains the API token and the web auth token of the person.
    fileprivate var redirectTarget: String? {
        guard let url = headers["location"].flatMap({ URL(web: $0) }),
            var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else { return nil }
        parts.user = nil
        parts.password = nil
        parts.query = nil
        parts.fragment = nil
        guard let text = parts.string, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        return String(text.prefix(200))
    }
}
