import CloudKitWire

/// All flags of a container, made ready to be asked: what they need of each other is in order, and when time alone changes one is known.
public final class FlagSet: Sendable {
    /// Flags that need each other in a row.
    public static let chainMax = 32
    /// Moments that are known ahead.
    public static let edgesMax = 400
    /// Conditions that judging by the rules of one flag may take.
    public static let stepsMax = AudienceBook.stepsMax

    struct Entry: Sendable {
        let id: String
        let flag: Result<Flag, Evaluation.Failure>
        /// Conditions that evaluating it takes at most; nil where it needs others.
        var steps: Int?
    }

    /// By their ids.
    let entries: [Entry]
    private let places: [Name: Int]
    let audiences: AudienceBook
    /// When time alone may change what somebody is served, after ``preparedAt``.
    public let edges: [Int64]
    public let preparedAt: Int64
    /// When what was worked out ends.
    private let horizon: Int64
    /// Conditions that evaluating all takes at most.
    public let steps: Int

    /// - Parameters:
    ///   - flags: With ids that are all different; a failure stands for a record that is no flag.
    ///   - now: From when on moments are worked out.
    public init(_ flags: [(id: String, flag: Result<Flag, FlagFailure>)], _ audiences: AudienceBook, now: Int64) {
        let audiences = audiences.prepared(at: now)
        let sorted = flags.sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }
        let places = Dictionary(sorted.enumerated().map { (Name($1.id), $0) }) { first, _ in first }
        var entries = sorted.map { id, flag in
            Entry(id: id, flag: flag.map { $0.prepared(at: now) }.mapError { .broken($0.description) })
        }
        var chains = FlagChains(entries: entries, places: places, audiences: audiences)
        for (place, reason) in chains.broken() {
            entries[place] = Entry(id: entries[place].id, flag: .failure(.broken(reason)))
        }
        var steps = 0
        var edges = Edges(after: now)
        for (place, entry) in entries.enumerated() {
            guard case .success(let flag) = entry.flag else { continue }
            let own = flag.rules.reduce(1) { $0 + ($1.when.map(audiences.steps) ?? 1) }
            guard own <= Self.stepsMax else {
                let reason = "rules: judging by them takes more than \(Self.stepsMax) conditions"
                entries[place] = Entry(id: entry.id, flag: .failure(.broken(reason)))
                continue
            }
            steps += own
            if !chains.needing.contains(place) { entries[place].steps = own }
            edges.add(flag)
        }
        for name in audiences.names { if let condition = audiences[name] { edges.add(condition) } }
        (self.entries, self.places, self.audiences, self.steps) = (entries, places, audiences, steps)
        (self.edges, horizon) = edges.first(Self.edgesMax)
        preparedAt = now
    }

    public var ids: [String] { entries.map(\.id) }

    func place(of id: String) -> Int? { places[Name(id)] }

    /// Conditions that evaluating a flag takes at most.
    public func steps(of id: String) -> Int {
        guard let place = place(of: id) else { return 0 }
        // Of what it needs each is evaluated once.
        return entries[place].steps ?? steps
    }

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
        now >= preparedAt && now < horizon
    }
}

/// Moments at which time alone changes something, and how far they are known.
private struct Edges {
    let now: Int64
    private var moments: Set<Int64> = []
    /// Where the first of all recurrences is not worked out any more.
    private var end = Int64.max

    init(after now: Int64) { self.now = now }

    mutating func add(_ flag: Flag) {
        for time in flag.schedule.map(\.at) where time > now { moments.insert(time) }
        for rule in flag.rules { if let when = rule.when { add(when) } }
    }

    mutating func add(_ condition: Condition) {
        condition.forEach { condition in
            switch condition {
            case .from(let time), .until(let time): if time > now { moments.insert(time) }
            case .every(let recurrence):
                let edges = recurrence.edges(after: now)
                moments.formUnion(edges)
                end = min(end, edges.last ?? end)
            default: return
            }
        }
    }

    /// So many, in order, and until when there is no other.
    func first(_ count: Int) -> ([Int64], horizon: Int64) {
        let known = moments.sorted().prefix { $0 <= end }
        let first = Array(known.prefix(count))
        return (first, first.count < known.count ? first[count - 1] : end)
    }
}

extension Flag {
    fileprivate func prepared(at now: Int64) -> Flag {
        var flag = self
        flag.rules = rules.map { FlagRule(id: $0.id, when: $0.when?.prepared(at: now), serving: $0.serving) }
        return flag
    }
}
