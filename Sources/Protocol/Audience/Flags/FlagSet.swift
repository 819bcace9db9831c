/// All flags of a container, made ready to be asked: what they need of each other is in order, and when time alone changes one is known.
public final class FlagSet: Sendable {
    /// Flags that need each other in a row.
    public static let chainMax = 32
    /// Moments that are known ahead.
    public static let edgesMax = 400

    struct Entry: Sendable {
        let id: String
        let flag: Result<Flag, Evaluation.Failure>
    }

    /// By their ids.
    let entries: [Entry]
    private let places: [String: Int]
    let audiences: AudienceBook
    /// When time alone may change what somebody is served, after ``preparedAt``.
    public let edges: [Int64]
    public let preparedAt: Int64

    /// - Parameters:
    ///   - flags: With ids that are all different; a failure stands for a record that is no flag.
    ///   - now: From when on moments are worked out.
    public init(_ flags: [(id: String, flag: Result<Flag, FlagFailure>)], _ audiences: AudienceBook, now: Int64) {
        let audiences = audiences.prepared(at: now)
        let sorted = flags.sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }
        let places = Dictionary(sorted.enumerated().map { ($1.id, $0) }) { first, _ in first }
        var entries = sorted.map { id, flag in
            Entry(id: id, flag: flag.map { $0.prepared(at: now) }.mapError { .broken($0.description) })
        }
        var chains = FlagChains(entries: entries, places: places, audiences: audiences)
        for (place, reason) in chains.broken() {
            entries[place] = Entry(id: entries[place].id, flag: .failure(.broken(reason)))
        }
        var edges: Set<Int64> = []
        for case .success(let flag) in entries.map(\.flag) { flag.addEdges(after: now, to: &edges) }
        for name in audiences.names { audiences[name]?.addEdges(after: now, to: &edges) }
        (self.entries, self.places, self.audiences) = (entries, places, audiences)
        self.edges = Array(edges.sorted().prefix(Self.edgesMax))
        preparedAt = now
    }

    public var ids: [String] { entries.map(\.id) }

    func place(of id: String) -> Int? { places[id] }

    /// How many of ``edges`` have come: as long as it is the same, time changes nothing.
    public func edge(at now: Int64) -> Int {
        var (low, high) = (0, edges.count)
        while low < high {
            let middle = (low + high) / 2
            if edges[middle] <= now { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// When time alone may change something next; nil for as far as is known.
    public func nextEdge(after now: Int64) -> Int64? {
        let place = edge(at: now)
        return place < edges.count ? edges[place] : nil
    }

    /// Whether what was worked out reaches a moment: else a set must be made anew.
    public func reaches(_ now: Int64) -> Bool {
        now >= preparedAt && (edges.count < Self.edgesMax || now < edges[edges.count - 1])
    }
}

extension Condition {
    fileprivate func addEdges(after now: Int64, to edges: inout Set<Int64>) {
        forEach { condition in
            switch condition {
            case .from(let time), .until(let time): if time > now { edges.insert(time) }
            case .every(let recurrence): edges.formUnion(recurrence.edges(after: now))
            default: return
            }
        }
    }
}

extension Flag {
    fileprivate func addEdges(after now: Int64, to edges: inout Set<Int64>) {
        for time in schedule.map(\.at) where time > now { edges.insert(time) }
        for rule in rules { rule.when?.addEdges(after: now, to: &edges) }
    }

    fileprivate func prepared(at now: Int64) -> Flag {
        var flag = self
        flag.rules = rules.map { FlagRule(id: $0.id, when: $0.when?.prepared(at: now), serving: $0.serving) }
        return flag
    }
}
