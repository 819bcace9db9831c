import CloudKitWire

/// Dependencies between flags.
struct FlagChains {
    let entries: [FlagSet.Entry]
    let places: [Name: Int]
    let audiences: AudienceBook
    /// Flags that depend on others.
    private(set) var needing: Set<Int> = []
    private var needsOfAudiences: [Name: Set<Name>] = [:]

    init(entries: [FlagSet.Entry], places: [Name: Int], audiences: AudienceBook) {
        (self.entries, self.places, self.audiences) = (entries, places, audiences)
    }

    /// Flags that cannot be evaluated, and why.
    mutating func broken() -> [Int: String] {
        let needs = entries.indices.map { place in Set(self.needs(of: place).compactMap { places[$0] }).sorted() }
        needing = Set(needs.indices.filter { !needs[$0].isEmpty })
        var walk = ChainWalk(needs)
        walk.visitAll()
        var broken: [Int: String] = [:]
        for (place, length) in walk.lengths.enumerated() {
            if walk.isInCircle[place] {
                broken[place] = "it needs flags that need each other in a circle"
            } else if length > FlagSet.chainMax {
                broken[place] = "it needs more than \(FlagSet.chainMax) flags in a row"
            }
        }
        return broken
    }

    private mutating func needs(of place: Int) -> Set<Name> {
        guard case .success(let flag) = entries[place].flag else { return [] }
        var needs = Set(flag.prerequisites.map { Name($0.flag) })
        for rule in flag.rules { if let when = rule.when { needs.formUnion(self.needs(of: when)) } }
        return needs
    }

    private mutating func needs(of condition: Condition) -> Set<Name> {
        var needs: Set<Name> = []
        var named: Set<Name> = []
        condition.forEach { condition in
            if case .flag(let id, _) = condition { needs.insert(Name(id)) }
            if case .audience(let name) = condition { named.insert(Name(name)) }
        }
        for name in named { needs.formUnion(self.needs(ofAudience: name)) }
        return needs
    }

    private mutating func needs(ofAudience name: Name) -> Set<Name> {
        if let needs = needsOfAudiences[name] { return needs }
        needsOfAudiences[name] = []
        let needs = audiences[name.text].map { self.needs(of: $0) } ?? []
        needsOfAudiences[name] = needs
        return needs
    }
}

/// Finds circles, and the lengths of chains that lead to no circle: Tarjan's algorithm, without recursion, because a chain may be
/// as long as there are flags.
private struct ChainWalk {
    private let needs: [[Int]]
    /// The length of the chain after each flag, without the flag itself; a circle counts as 0.
    private(set) var lengths: [Int]
    private(set) var isInCircle: [Bool]
    /// When each flag was reached, and the earliest open flag that it reaches; 0 if not reached yet.
    private var reached, earliest: [Int]
    private var count = 0
    /// Reached flags that may still turn out to be in a circle.
    private var open: [Int] = []
    private var isOpen: [Bool]

    init(_ needs: [[Int]]) {
        self.needs = needs
        let none = Array(repeating: 0, count: needs.count)
        (lengths, reached, earliest) = (none, none, none)
        isInCircle = Array(repeating: false, count: needs.count)
        isOpen = isInCircle
    }

    mutating func visitAll() { for place in needs.indices where reached[place] == 0 { visit(place) } }

    private mutating func visit(_ root: Int) {
        var path: [(place: Int, next: Int)] = []
        enter(root, &path)
        while let (place, next) = path.last {
            if next < needs[place].count {
                path[path.count - 1].next += 1
                let needed = needs[place][next]
                if reached[needed] == 0 {
                    enter(needed, &path)
                } else if isOpen[needed] {
                    earliest[place] = min(earliest[place], reached[needed])
                }
                continue
            }
            path.removeLast()
            if let parent = path.last?.place { earliest[parent] = min(earliest[parent], earliest[place]) }
            if earliest[place] == reached[place] { close(place) }
        }
    }

    private mutating func enter(_ place: Int, _ path: inout [(place: Int, next: Int)]) {
        count += 1
        (reached[place], earliest[place]) = (count, count)
        open.append(place)
        isOpen[place] = true
        path.append((place, 0))
    }

    /// All flags that were reached since this one depend on each other.
    private mutating func close(_ place: Int) {
        var members: [Int] = []
        repeat { members.append(open.removeLast()) } while members.last != place
        for member in members { isOpen[member] = false }
        if members.count > 1 || needs[place].contains(place) {
            for member in members { isInCircle[member] = true }
        } else {
            lengths[place] = needs[place].map { isInCircle[$0] ? 0 : lengths[$0] + 1 }.max() ?? 0
        }
    }
}
