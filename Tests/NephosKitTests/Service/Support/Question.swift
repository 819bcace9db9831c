import Foundation
import NephosTesting
import Testing

@testable import NephosKit
@testable import NephosTransport

/// A function of the library that asks a server one thing.
struct Question: Sendable, CustomTestStringConvertible {
    var name: String
    /// Entity and action of its request.
    var path: String
    /// Whether a lost answer leaves open what the server did.
    var isChange = false
    /// What a good server answers.
    var good: JSON
    /// Asks, and tells what the program got, in words.
    var ask: @Sendable (CKContainer) async throws -> String

    var testDescription: String { name }
}

/// What a program got.
enum Outcome: Equatable, CustomStringConvertible {
    case result(String)
    case error(CKError.Code)
    /// Something that is no `CKError`, or one that says nothing.
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

    /// What a program gets when a server answers so, and well to the question who is signed in.
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

    /// What a good answer becomes.
    var goodOutcome: Outcome { get async { await outcome(good.bytes) } }

    /// The error of an answer that cannot be read, or that was lost on the way.
    var unreadable: Outcome { .error(isChange ? .serverResponseLost : .internalError) }
    var lost: Outcome { .error(isChange ? .serverResponseLost : .networkFailure) }
}
