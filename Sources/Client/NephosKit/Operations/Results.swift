import Foundation

/// What one request may hold (docs/protocol.md, "Limits").
enum RequestLimits {
    static let items = 200
    static let bytes = 16 << 20
    static let clientTokenBytes = 1 << 10

    /// A server would break off such a request, and nobody would know why.
    ///
    /// - Throws: `limitExceeded`.
    static func check(bytes count: Int) throws(CKError) {
        guard count <= bytes else {
            throw CKError(
                .limitExceeded, "\(count) bytes exceed the limit of \(bytes) for one request: split it and try again")
        }
    }

    /// - Throws: `limitExceeded`.
    static func check(_ count: Int) throws(CKError) {
        guard count <= items else {
            throw CKError(
                .limitExceeded, "\(count) items exceed the limit of \(items) for one request: split them and try again")
        }
    }

    /// What a program asks for as a page; nil leaves it to the server.
    static func page(_ limit: Int?) -> Int? { limit.flatMap { $0 > 0 ? min($0, items) : nil } }
}

extension Result {
    var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
    var isSuccess: Bool { if case .success = self { true } else { false } }
}

extension Sequence where Element: Hashable {
    /// Each element once, where it stands first.
    var unique: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}

extension Sequence {
    /// Errors by the ids of items.
    func failures<ID: Hashable, Value>() -> [AnyHashable: any Error]
    where Element == (key: ID, value: Result<Value, any Error>) {
        var failures: [AnyHashable: any Error] = [:]
        for (id, result) in self { failures[id] = result.failure }
        return failures
    }
}

extension CKError {
    /// What older blocks are given when items failed; nil when none did.
    ///
    /// - Parameter failures: By the ids of items.
    static func partial(_ failures: [AnyHashable: any Error], _ message: String) -> CKError? {
        guard !failures.isEmpty else { return nil }
        return CKError(.partialFailure, message, [CKPartialErrorsByItemIDKey: failures])
    }

    /// For an item of which the answer says nothing.
    static let unanswered = CKError(.internalError, "the answer does not contain this item")
    /// For one that was to be changed: it may be, as when no answer comes at all.
    static let unansweredChange = CKError(
        .serverResponseLost, "the answer does not contain this item, so it is not known whether it was changed")
}
