import Foundation
import NephosTesting
import Testing

@testable import NephosKit
@testable import NephosTransport

/// A function of the library that sends one request to a server.
struct Question: Sendable, CustomTestStringConvertible {
    var name: String
    /// Entity and action of its request.
    var path: String
    /// Whether it is unknown after a lost response what the server did.
    var isChange = false
    /// A valid response of a server.
    var good: JSON
    /// Sends the request, and returns the program's result, in words.
    var ask: @Sendable (CKContainer) async throws -> String

    var testDescription: String { name }
}

/// The result of a program.
enum Outcome: Equatable, CustomStringConvertible {
    case result(String)
    case error(CKError.Code)
    /// An error other than `CKError`, or one without a description.
    case unfit(String)

    var description: String {
        switch self {
        case .result(let text): "the result \(text)"
        case .error(let code): "the error \(code)"
        case .unfit(let text): "something unfit: \(text)"
        }
    }

    var isFit: Bool { if case .unfit = self { false } else { true } }
    var isResult: Bool { if case .result = self { true } else { false } }

    init(_ body: () async throws -> String) async {
        do {
            self = .result(try await body())
        } catch {
            guard let error = error as? CKError, error.localizedDescription.count > 10 else {
                self = .unfit("\(error)")
                return
            }
            self = .error(error.code)
        }
    }
}

extension Question {
    func outcome(_ container: CKContainer) async -> Outcome { await Outcome { try await ask(container) } }

    /// The program's result when a server gives this response, and a valid one to the request for the user.
    func outcome(
        _ answer: @escaping @Sendable (TransportRequest) -> Result<TransportAnswer, TransportFault>
    ) async -> Outcome {
        await outcome(
            .test(
                ScriptedTransport { [path] request in
                    if request.path == path { return answer(request) }
                    return .json(#"{"userRecordName":"_me"}"#)
                }))
    }

    func outcome(_ body: some Collection<UInt8>, status: Int = 200) async -> Outcome {
        let bytes = Data(body)
        return await outcome { _ in .answer(status, bytes) }
    }

    /// The result for a valid response.
    var goodOutcome: Outcome { get async { await outcome(good.bytes) } }

    /// The error for a response that is unreadable, or was lost.
    var unreadable: Outcome { .error(isChange ? .serverResponseLost : .internalError) }
    var lost: Outcome { .error(isChange ? .serverResponseLost : .networkFailure) }
}
