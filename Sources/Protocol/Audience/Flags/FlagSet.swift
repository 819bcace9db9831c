import CloudKitWire

/// All flags of a container, prepared for evaluation: their dependencies are resolved, and the times at which they change are
/// known.
public final class FlagSet: Sendable {
    /// Maximum length of a chain of prerequisites.
    public static let chainMax = 32
    /// Maximum number of precomputed times.
    public static let edgesMax = 400
    /// Maximum number of conditions that evaluating the rules of one flag may take.
    public static let stepsMax = AudienceBook.stepsMax

    struct Entry: Sendable {
        let id: String
        let flag: Result<Flag, Evaluation.Failure>
        /// The maximum number of conditions that evaluating it takes; nil if it depends on others.
        var steps: Int?
    }

    /// Sorted by ID.
    let entries: [Entry]
    private let places: [Name: Int]
    let audiences: AudienceBook
    /// The times after ``preparedAt`` at which evaluations may change because of the time alone.
    public let edges: [Int64]
    public let preparedAt: Int64
    /// The end of the precomputed period.
    private let horizon: Int64
    /// The maximum number of conditions that evaluating all flags takes.
    public let steps: Int

    /// - Parameters:
    ///   - flags: With unique IDs; a failure represents a record that is not a valid flag.
    ///   - now: The time from which changes are precomputed.
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
                let reason = "rules: they have more than \(Self.stepsMax) conditions, with those of their audiences"
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

    /// The maximum number of conditions that evaluating a flag takes.
    public func steps(of id: String) -> Int {
        guard let place = place(of: id) else { return 0 }
        // Each prerequisite is evaluated once.
        return entries[place].steps ?? steps
    }

    /// The number of ``edges`` that have passed: as long as it is the same, time changes nothing.
    public func edge(at now: Int64) -> Int {
        var (low, high) = (0, edges.count)
        while low < high {
            let middle = (low + high) / 2
            if edges[middle] <= now { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// When the next evaluation may change because of the time alone; nil if not within the precomputed period.
    public func nextEdge(after now: Int64) -> Int64? {
        let place = edge(at: now)
        return place < edges.count ? edges[place] : nil
    }

    /// Whether the precomputed period contains a time; otherwise a new set must be created.
    public func reaches(_ now: Int64) -> Bool {
        now >= preparedAt && now < horizon
    }
}

/// Times at which something changes because of the time alone, and how far they are known.
private struct Edges {
    let now: Int64
    private var moments: Set<Int64> = []
    /// The earliest end of all recurrences' precomputed windows.
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
            case .day(let days):
                let edges = days.edges(after: now, most: FlagSet.edgesMax)
                moments.formUnion(edges.times)
                if !edges.isWhole { end = min(end, edges.times.last ?? end) }
            default: return
            }
        }
    }

    /// This many times in order, and the end of the period in which there are no others.
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
