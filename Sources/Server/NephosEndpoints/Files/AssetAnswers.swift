import CloudKitWire
import NephosAssets
import NephosDomain
import NephosRunner
import NephosStorage

/// Answers about files that are no files.
enum AssetAnswers {
    static let endpoint = "asset"

    static func work(_ error: any Error, _ request: RawRequest, _ runner: Runner) -> Work {
        guard let refusal = refusal(of: error, request, runner) else { return .failed(error) }
        if case .limitExceeded = refusal { return .answer(self.refusal(refusal, request, status: 413)) }
        return .answer(self.refusal(refusal, request))
    }

    /// What only files can fail of, and everything else as everywhere.
    private static func refusal(of error: any Error, _ request: RawRequest, _ runner: Runner) -> Refusal? {
        switch error {
        case AssetError.full:
            runner.outage.noteFull()
            return .full
        case let error as MultipartReader.Problem:
            return .badRequest("the form that holds the file cannot be read: \(error.reason)")
        default:
            let isDownload = request.method == .get || request.method == .head
            return runner.refusal(
                of: error, unknown: isDownload ? DownloadLink.unknown : UploadTicket.unknown)
        }
    }

    /// - Parameter status: In place of the refusal's own.
    static func refusal(_ refusal: Refusal, _ request: RawRequest, status: Int? = nil) -> RawResponse {
        var error = ErrorDictionary(refusal, extras: request.headers.first(.client) == "1")
        error.uuid = request.id.text
        var writer = JSONWriter()
        error.write(to: &writer)
        return RawResponse(
            status: status ?? refusal.serverErrorCode.httpStatus, body: writer.bytes,
            headers: refusal.retryAfter.map { [("Retry-After", String($0))] } ?? [], endpoint: endpoint)
    }

    static func methodNotAllowed(_ request: RawRequest) -> RawResponse {
        var answer = refusal(
            .badRequest("a downloadURL is for GET and HEAD, an upload URL for POST and PUT"), request, status: 405)
        answer.headers.append(("Allow", "GET, HEAD, POST, PUT, OPTIONS"))
        return answer
    }
}

extension MultipartReader.Problem {
    fileprivate var reason: String {
        switch self {
        case .noBoundary: "its Content-Type names no boundary"
        case .notMultipart: "its boundary does not stand at its beginning"
        case .malformedPart: "its first part is none"
        case .headersTooLarge(let bytes): "the headers of its first part are longer than \(bytes) bytes"
        case .endedEarly: "it ends before its first part does"
        }
    }
}
