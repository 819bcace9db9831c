import Foundation

/// The most that is accepted from a server, whatever it sends (docs/client.md, "What is accepted from a server"). The limits of bytes
/// and of time of a response are those of ``TransportRequest``.
enum AnswerLimits {
    /// The items of each list of a response: records, zones, subscriptions. A page has 200.
    static let items = 10_000
    /// The elements of all lists in the fields of a response.
    static let elements = 1_000_000
    /// The bytes of a fetched file: the most that a server can be set to store.
    static let fileBytes: Int64 = 10_240 << 20
    /// The files of a record.
    static let files = 1_000
}

/// The limits of one request (docs/protocol.md, "Limits").
enum RequestLimits {
    /// The items of a request; of one that changes them, at Apple's service.
    static let items = 200
    /// The items that one request to a Nephos server may change: as many as an operation of Apple's framework, since the
    /// changes of an atomic zone cannot be divided.
    static let changes = 400
    static let bytes = 16 << 20
    static let clientTokenBytes = 1 << 10

    /// Checks the size of a request. A server would abort a longer one, and the program would not learn the reason.
    ///
    /// - Throws: `limitExceeded`.
    static func check(bytes count: Int) throws(CKError) {
        guard count <= bytes else {
            throw CKError(
                .limitExceeded, "\(count) bytes exceed the limit of \(bytes) for one request: split it and try again")
        }
    }

    /// Checks the number of items of a request.
    ///
    /// - Throws: `limitExceeded`.
    static func check(_ count: Int, limit: Int = items) throws(CKError) {
        guard count <= limit else {
            throw CKError(
                .limitExceeded, "\(count) items exceed the limit of \(limit) for one request: split them and try again")
        }
    }

    /// Checks the number of items that a request changes.
    ///
    /// - Throws: `limitExceeded`; `missingEntitlement` if the settings cannot be read.
    static func check(changes count: Int, of service: Service) throws(CKError) {
        if count > items { try check(count, limit: try service.settings().speaksNephos ? changes : items) }
    }

    /// The size of a page to request, for a program's limit; nil leaves it to the server.
    static func page(_ limit: Int?) -> Int? { limit.flatMap { $0 > 0 ? min($0, items) : nil } }
}

extension Result {
    var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
    var isSuccess: Bool { if case .success = self { true } else { false } }
}

extension Sequence where Element: Hashable {
    /// Each element once, at its first position.
    var unique: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}

extension Sequence {
    /// The errors, by the IDs of items.
    func failures<ID: Hashable, Value>() -> [AnyHashable: any Error]
    where Element == (key: ID, value: Result<Value, any Error>) {
        var failures: [AnyHashable: any Error] = [:]
        for (id, result) in self { failures[id] = result.failure }
        return failures
    }
}

extension CKError {
    /// The error that older blocks receive if items failed; nil if none did.
    ///
    /// - Parameter failures: The errors, by the IDs of items.
    static func partial(_ failures: [AnyHashable: any Error], _ message: String) -> CKError? {
        guard !failures.isEmpty else { return nil }
        return CKError(.partialFailure, message, [CKPartialErrorsByItemIDKey: failures])
    }

    /// The error of an item that the response does not contain.
    static let unanswered = CKError(.internalError, "the answer does not contain this item")
    /// The error of an item that was to be changed and that the response does not contain. The change may have been
    /// made, as when no response arrives at all.
    static let unansweredChange = CKError(
        .serverResponseLost, "the answer does not contain this item, so it is not known whether it was changed")
}
