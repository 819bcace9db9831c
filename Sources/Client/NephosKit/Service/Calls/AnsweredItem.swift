/// The result for one zone or subscription in a response.
enum AnsweredItem<ID: Hashable & Sendable, Value: Sendable>: Sendable {
    case there(ID, Value)
    case deleted(ID)
    /// The ID is nil if the response does not contain it.
    case failed(ID?, ServerError)
}

/// The results of a response by ID. A response may have another order than the request, omit items, contain an item twice (the last
/// value counts, and a value takes precedence over an error), and contain items that were not requested, which are ignored.
struct Answers<ID: Hashable & Sendable, Value: Sendable>: Sendable {
    /// The IDs in the response, each once, in the order of the response.
    private(set) var ids: [ID] = []
    private var there: [ID: Value] = [:]
    private var deleted: Set<ID> = []
    private var failed: [ID: ServerError] = [:]

    init(_ items: [AnsweredItem<ID, Value>]) {
        var all: [ID] = []
        for item in items {
            switch item {
            case .there(let id, let value):
                there[id] = value
                all.append(id)
            case .deleted(let id):
                deleted.insert(id)
                all.append(id)
            case .failed(let id?, let error):
                failed[id] = error
                all.append(id)
            case .failed(nil, _): continue
            }
        }
        ids = all.unique
    }

    /// - Parameter gone: The error for an item that was deleted.
    func fetched(_ id: ID, gone: @autoclosure () -> CKError) -> Result<Value, any Error> {
        if let value = there[id] { return .success(value) }
        return .failure(failed[id]?.ckError ?? (deleted.contains(id) ? gone() : .unanswered))
    }

    func saved(_ id: ID) -> Result<Value, any Error> {
        if let value = there[id] { return .success(value) }
        return .failure(failed[id]?.ckError ?? .unansweredChange)
    }

    func deleted(_ id: ID) -> Result<Void, any Error> {
        if deleted.contains(id) { return .success(()) }
        return .failure(failed[id]?.ckError ?? .unansweredChange)
    }
}
