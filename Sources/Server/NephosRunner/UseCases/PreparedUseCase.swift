import CloudKitWire
import NephosDomain
import NephosStorage

/// A use case with its typed inputs.
package struct PreparedUseCase: Sendable {
    package let useCase: UseCase
    let body: UseCase.Body

    /// The single place where use cases run: here it is known who runs what, and its effect on the store.
    ///
    /// - Throws: ``Failure`` for every expected error.
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

/// An error that describes to an operator what happened, and what to do next.
package protocol OperatorError: Error {
    /// - Parameter command: Returns the command line of a use case with its arguments, for the same store.
    func failure(proposing command: (String) -> String) -> Failure
}

extension Failure {
    /// The failure that an operator sees for an error; nil for an unexpected one.
    package init?(_ error: any Error, proposing command: (String) -> String) {
        switch error {
        case let failure as Failure: self = failure
        case let error as any OperatorError: self = error.failure(proposing: command)
        case let error as StorageError: self.init(error.description)
        case Refusal.failed:
            // What a client gets names the log of a server.
            self.init(
                "The operation ended without a result, which is a bug in Nephos. See what was saved before you repeat it."
            )
        case let refusal as Refusal: self.init(refusal.reason)
        case let error as WireError: self.init(error.reason)
        default: return nil
        }
    }
}
