import CloudKitWire
import NephosAssets
import NephosDomain
import NephosStorage

/// Answers about files that are no files.
enum AssetAnswers {
    static let endpoint = "asset"

    static func work(_ error: any Error, _ request: RawRequest) -> Work {
        switch error {
        case let refusal as Refusal:
            switch refusal {
            case .failed: return .failed(refusal)
            case .limitExceeded: return .answer(self.refusal(refusal, request, status: 413))
            default: return .answer(self.refusal(refusal, request))
            }
        case let error as StorageError:
            let unknown =
                request.method == .get || request.method == .head ? DownloadLink.unknown : UploadTicket.unknown
            guard let refusal = Refusal(error, unknown: unknown) else { return .failed(error) }
            return .answer(self.refusal(refusal, request))
        case AssetError.full: return .answer(refusal(.full, request))
        case let error as MultipartReader.Problem:
            return .answer(
                refusal(.badRequest("the form that holds the file cannot be read: \(error.reason)"), request))
        default: return .failed(error)
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
