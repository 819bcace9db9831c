/// What an answer says of one zone or subscription.
enum AnsweredItem<ID: Hashable & Sendable, Value: Sendable>: Sendable {
    case there(ID, Value)
    case deleted(ID)
    /// Nil where it does not say of which.
    case failed(ID?, ServerError)
}

/// What an answer says of each item that was asked for. It may have another order, lack some, hold some twice (the last counts),
/// and hold others, which are nobody's result.
struct Answers<ID: Hashable & Sendable, Value: Sendable>: Sendable {
    /// All of which it says something, each once, in its order.
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

    /// - Parameter gone: The error of one that is not there any more.
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
