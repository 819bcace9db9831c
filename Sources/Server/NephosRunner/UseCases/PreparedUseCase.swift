import CloudKitWire
import NephosDomain
import NephosStorage

/// A use case with what was typed for it.
package struct PreparedUseCase: Sendable {
    package let useCase: UseCase
    let body: UseCase.Body

    /// The one place where use cases run: here it is known who has what done, and what it does to what is stored.
    ///
    /// - Throws: ``Failure`` for whatever went wrong in a way that can be foreseen.
    package func run(_ call: any UseCaseCall) async throws -> UseCaseAnswer {
        do {
            let answer = try await body(call)
            assert(!answer.hasTable || useCase.takesOutput, "\(useCase.path) answers a table, and takes no --output")
            return answer
        } catch {
            if let failure = Failure(error, proposing: call.command) { throw failure }
            throw error
        }
    }
}

/// An error that says to an operator what happened, and what to do next.
package protocol OperatorError: Error {
    /// - Parameter command: How a use case is called, with its arguments, so that it means the same store.
    func failure(proposing command: (String) -> String) -> Failure
}

extension Failure {
    /// What an operator is told of an error; nil for one that nobody foresaw.
    package init?(_ error: any Error, proposing command: (String) -> String) {
        switch error {
        case let failure as Failure: self = failure
        case let error as any OperatorError: self = error.failure(proposing: command)
        case let error as StorageError: self.init(error.sentence)
        case let refusal as Refusal: self.init(refusal.reason)
        case let error as WireError: self.init(error.reason)
        default: return nil
        }
    }
}
