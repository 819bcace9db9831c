import Foundation

/// Runs the operations of convenience functions, and returns a value that is read from the finished operation.
/// Functions with blocks and `async` functions run the same operation.
extension CKDatabase {
    func run<Work: CKDatabaseOperation, Value>(
        _ operation: Work, _ value: @escaping @Sendable (Work) throws -> Value,
        _ completionHandler: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        defaults.apply(to: operation)
        deliver(operation, value, completionHandler)
        add(operation)
    }

    func run<Work: CKDatabaseOperation, Value>(
        _ operation: Work, _ value: @escaping @Sendable (Work) throws -> Value
    ) async throws -> Value {
        try await awaiting(operation) { run(operation, value, $0) }
    }
}

/// The same for operations that belong to no database.
extension CKContainer {
    func run<Work: CKOperation, Value>(
        _ operation: Work, _ value: @escaping @Sendable (Work) throws -> Value,
        _ completionHandler: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        deliver(operation, value, completionHandler)
        start(operation)
    }

    func run<Work: CKOperation, Value>(
        _ operation: Work, _ value: @escaping @Sendable (Work) throws -> Value
    ) async throws -> Value {
        try await awaiting(operation) { run(operation, value, $0) }
    }
}

/// Has an operation pass on its value, or its error, when it is finished. The queue retains the operation until then.
private func deliver<Work: CKOperation, Value>(
    _ operation: Work, _ value: @escaping @Sendable (Work) throws -> Value,
    _ completionHandler: @escaping @Sendable (Result<Value, any Error>) -> Void
) {
    operation.whenConcluded { [unowned operation] error in
        if let error { return completionHandler(.failure(error)) }
        completionHandler(Result { try value(operation) })
    }
}

/// Waits for the result of an operation. Cancelling the task cancels the operation.
private func awaiting<Value>(
    _ operation: CKOperation, _ run: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> Void
) async throws -> Value {
    try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Unchecked<Value>, any Error>) in
            run { continuation.resume(with: $0.map { Unchecked($0) }) }
        }
    } onCancel: {
        operation.cancel()
    }.value
}

extension Dictionary {
    /// Returns the value of one item. - Throws: The error of that item; `internalError` if there is no result for it.
    func one<Item>(_ key: Key) throws -> Item where Value == Result<Item, any Error> {
        guard let result = self[key] else { throw CKError.unanswered }
        return try result.get()
    }

    /// Returns the ID of one item that was deleted. - Throws: As ``one(_:)``.
    func deleted(_ key: Key) throws -> Key where Value == Result<Void, any Error> {
        try one(key) as Void
        return key
    }
}

/// Adapts a block of an older function, which takes a value or an error, to a result.
func pair<Value>(
    _ completionHandler: @escaping @Sendable (Value?, (any Error)?) -> Void
) -> @Sendable (Result<Value, any Error>) -> Void {
    { completionHandler(try? $0.get(), $0.failure) }
}
