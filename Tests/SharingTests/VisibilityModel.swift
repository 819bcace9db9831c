import NephosTesting

/// Who may see what: a few lines that say by themselves what docs/sharing.md promises.
struct VisibilityModel {
    typealias Person = SharingCloud.Person

    struct Record: Equatable {
        var parent: String?
        /// Unique for each save of any record.
        var text: String
        /// The content of its file, as unique.
        var file: String?
    }

    struct Participant: Equatable {
        var canWrite: Bool
        var hasJoined = false
    }

    struct Share {
        /// nil for the zone.
        var root: String?
        var permission = "NONE"
        var participants: [Person: Participant] = [:]
        var visitors: Set<Person> = []

        /// Whether somebody may write; nil if they are not in the share.
        func right(of person: Person) -> Bool? {
            if let participant = participants[person] { return participant.hasJoined ? participant.canWrite : nil }
            guard permission != "NONE", visitors.contains(person) else { return nil }
            return permission == "READ_WRITE"
        }
    }

    /// What one person owns.
    struct Zone {
        var records: [String: Record] = [:]
        /// By the names of their records.
        var shares: [String: Share] = [:]

        /// A record, and all below it.
        func below(_ root: String) -> Set<String> {
            guard records[root] != nil else { return [] }
            var (found, queue): (Set<String>, [String]) = ([root], [root])
            while let name = queue.popLast() {
                for (child, record) in records where record.parent == name && found.insert(child).inserted {
                    queue.append(child)
                }
            }
            return found
        }

        func content(of share: Share) -> Set<String> { share.root.map(below) ?? Set(records.keys) }

        /// The share that a record is in.
        func share(of name: String) -> String? { shares.first { content(of: $0.value).contains(name) }?.key }

        var hasNestedShares: Bool {
            shares.contains { one in
                shares.contains { other in
                    one.key != other.key && (other.value.root.map(content(of: one.value).contains) ?? true)
                }
            }
        }
    }

    var zones: [Person: Zone] = [:]
    /// How often a person has lost a share of an owner, or joined one again, of which they may have records.
    var losses: [Pair: Int] = [:]

    struct Pair: Hashable {
        var person: Person
        var owner: Person
    }

    static let pairs = Person.allCases.flatMap { person in
        Person.allCases.filter { $0 != person }.map { Pair(person: person, owner: $0) }
    }

    subscript(owner: Person) -> Zone {
        get { zones[owner] ?? Zone() }
        set { zones[owner] = newValue }
    }

    /// The shares that somebody is in, of one owner.
    func shares(_ pair: Pair) -> [String] {
        self[pair.owner].shares.filter { $0.value.right(of: pair.person) != nil }.keys.sorted()
    }

    /// The records that somebody sees; nil if nothing is shared with them.
    func visible(_ pair: Pair) -> [String: Record]? { records(of: shares(pair), in: self[pair.owner]) }

    /// Those of shares in which the owner has named them.
    func visibleAsNamed(_ pair: Pair) -> [String: Record]? {
        let zone = self[pair.owner]
        return records(of: shares(pair).filter { zone.shares[$0]?.participants[pair.person] != nil }, in: zone)
    }

    private func records(of names: [String], in zone: Zone) -> [String: Record]? {
        guard !names.isEmpty else { return nil }
        let seen = names.reduce(into: Set<String>()) { seen, name in
            if let share = zone.shares[name] { seen.formUnion(zone.content(of: share)) }
        }
        return zone.records.filter { seen.contains($0.key) }
    }

    /// Whether somebody may change a record.
    func mayWrite(_ name: String, _ pair: Pair) -> Bool {
        let zone = self[pair.owner]
        return zone.share(of: name).flatMap { zone.shares[$0]?.right(of: pair.person) } ?? false
    }

    // MARK: Changes

    /// Changes shares of an owner, and notes who loses something by that.
    mutating func change(_ owner: Person, _ body: (inout Zone) -> Void) {
        let before = self[owner]
        body(&self[owner])
        for person in Person.allCases where person != owner {
            let lost = before.shares.contains { name, share in
                share.right(of: person) != nil && self[owner].shares[name]?.right(of: person) == nil
            }
            if lost { losses[Pair(person: person, owner: owner), default: 0] += 1 }
        }
    }

    /// Somebody leaves for good, with what they own. What they saved in zones of others stays.
    mutating func erase(_ person: Person) {
        for owner in Person.allCases where owner != person {
            change(owner) { zone in
                for name in zone.shares.keys {
                    zone.shares[name]?.participants[person] = nil
                    zone.shares[name]?.visitors.remove(person)
                }
            }
        }
        change(person) { $0 = Zone() }
    }

    /// Removes a record, and the share of which it is the root.
    mutating func remove(_ name: String, of owner: Person) {
        change(owner) { zone in
            zone.records[name] = nil
            zone.shares = zone.shares.filter { $0.value.root != name }
        }
    }
}
