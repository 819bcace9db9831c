import CloudKitWire
import Foundation
import NephosTransport

extension CKError {
    static let cancelled = CKError(.operationCancelled, "the operation was cancelled")

    /// - Parameter what: What there is not therefore.
    static func signedOut(_ what: String) -> CKError {
        CKError(
            .notAuthenticated,
            "no user is signed in, so there is no \(what): call CKContainer.signIn(webAuthToken:), or set NEPHOS_WEB_AUTH_TOKEN "
                + "to a token that 'nephos session create' prints, or write it to the credentials file")
    }

    /// - Parameter isChange: Whether the server may have done what it was asked although no answer came.
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

    /// An answer that says no, whoever wrote it: a server of CloudKit's kind, or something in between.
    init(_ answer: TransportAnswer, isChange: Bool) {
        // It waited in vain for the rest of a request, which may be another try of one that it had taken.
        if answer.status == 408 {
            self.init(
                isChange ? .serverResponseLost : .networkFailure, "the request did not arrive completely (HTTP 408)")
            return
        }
        if var error = Self.dictionary(answer.body) {
            error.retryAfter = error.retryAfter ?? answer.retryAfter
            // Ours and Apple's call it a bad request.
            if answer.status == 413, error.code == "BAD_REQUEST" { error.ckErrorCode = Code.limitExceeded.rawValue }
            self = error.ckError
            return
        }
        let wait = answer.retryAfter.map { [CKErrorRetryAfterKey: NSNumber(value: $0)] } ?? [:]
        let place = answer.headers["location"].map { " to \($0)" } ?? ""
        switch answer.status {
        case 200..<300: self.init(isChange ? .serverResponseLost : .internalError, "the answer cannot be read")
        case 300..<400:
            self.init(
                .networkFailure,
                "the server redirects\(place), which is not followed: set serverURL to the address of the service")
        case 413: self.init(.limitExceeded, "the request is too long for the server (HTTP 413)")
        case 429: self.init(.requestRateLimited, "too many requests (HTTP 429)", wait)
        // Who says 503 did nothing. Others may have done it, or do not know whether the one behind them did.
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

    /// Runs what reads an answer; one that cannot be read is an error as well.
    ///
    /// - Parameter isChange: Whether what was asked is done although its answer cannot be read.
    static func reading<Value>(
        isChange: Bool = false, _ body: () throws(WireError) -> Value
    ) throws(CKError) -> Value {
        do throws(WireError) {
            return try body()
        } catch {
            throw CKError(isChange ? .serverResponseLost : .internalError, "the answer cannot be read: \(error)")
        }
    }

    /// Whether the same request may pass later. An answer that was lost is none of these: what it was about may be done.
    var mayPass: Bool {
        switch code {
        case .networkUnavailable, .networkFailure, .serviceUnavailable, .requestRateLimited, .zoneBusy: true
        default: false
        }
    }
}

extension TransportAnswer {
    /// In seconds. A date is not read.
    fileprivate var retryAfter: Double? {
        guard let seconds = headers["retry-after"].flatMap(Double.init), seconds >= 0 else { return nil }
        return min(seconds, ServerError.longestWait)
    }
}
