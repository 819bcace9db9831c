import NephosTesting

/// One incarnation of a zone, according to the journals.
struct ModelZone {
    var name: String
    /// Sequence number of its last change.
    var changed: Int64
    var records: [String: Item] = [:]
    var tombstones: [String: Item] = [:]
    /// When each record was deleted, by the sequence number of its deletion, whatever happened later.
    var deletions: [Int64: Int64] = [:]
}

/// A database in memory, built from acknowledged commits.
struct ModelDatabase {
    private(set) var sequence: Int64
    /// Live zones by number.
    private(set) var zones: [Int64: ModelZone] = [:]
    private(set) var live: [String: Int64] = [:]
    private(set) var deadZones: [JournalCommit.Zone] = []
    /// The default zone has number 1.
    private var lastZone: Int64 = 1

    init(sequence: Int64) { self.sequence = sequence }

    /// Applies a commit. - Throws: ``Fault`` if it cannot have followed the ones before it.
    mutating func apply(_ commit: JournalCommit) throws {
        try expect(
            commit.before == sequence, "a decision saw \(commit.before), but \(sequence) was committed before it")
        try expect(
            commit.sequences.sorted() == Array(sequence + 1..<commit.after + 1),
            "a commit from \(sequence) to \(commit.after) gave out \(commit.sequences)")
        for zone in commit.zonesDeleted {
            try expect(live.removeValue(forKey: zone.name) == zone.number, "zone \(zone.number) died twice")
            zones[zone.number] = nil
            deadZones.append(zone)
        }
        for zone in commit.zonesMade {
            try expect(live.updateValue(zone.number, forKey: zone.name) == nil, "zone \(zone.name) was made twice")
            try expect(zone.number > lastZone, "the number \(zone.number) of a zone was given out twice")
            zones[zone.number] = ModelZone(name: zone.name, changed: zone.sequence)
            lastZone = zone.number
        }
        for save in commit.saves { try apply(save) }
        for deletion in commit.deletions { try apply(deletion) }
        sequence = commit.after
    }

    private mutating func apply(_ save: JournalCommit.Save) throws {
        guard var zone = zones[save.zone] else { throw Fault("\(save) into a zone that is gone") }
        let old = zone.records.updateValue(
            Item(name: save.name, sequence: save.sequence, state: save.fields), forKey: save.name)
        try expect(old?.sequence == save.replaced, "\(save) replaced \(String(describing: old))")
        zone.tombstones[save.name] = nil
        zone.changed = max(zone.changed, save.sequence)
        zones[save.zone] = zone
    }

    private mutating func apply(_ deletion: JournalCommit.Deletion) throws {
        guard var zone = zones[deletion.zone] else { throw Fault("\(deletion) from a zone that is gone") }
        let old = zone.records.removeValue(forKey: deletion.name)
        try expect(old?.sequence == deletion.replaced, "\(deletion) took \(String(describing: old))")
        zone.tombstones[deletion.name] = Item(name: deletion.name, sequence: deletion.sequence, state: nil)
        zone.deletions[deletion.sequence] = deletion.deletedAt
        zone.changed = max(zone.changed, deletion.sequence)
        zones[deletion.zone] = zone
    }

    // MARK: Feeds

    /// The current state of a feed; nil if there is no such zone.
    func state(of feed: Feed) -> FeedState? {
        switch feed {
        case .zone(let name):
            guard let number = live[name], let zone = zones[number] else { return nil }
            let items = Array(zone.records.values) + Array(zone.tombstones.values)
            return FeedState(
                zone: number, entries: items.map { ($0.sequence, $0) }.sorted { $0.0 < $1.0 },
                deletions: zone.deletions)
        case .database:
            let there = zones.map { number, zone in
                (zone.changed, Item(name: zone.name, sequence: zone.changed, state: "\(number)"))
            }
            let gone = deadZones.map { ($0.sequence, Item(name: $0.name, sequence: 0, state: nil)) }
            return FeedState(
                zone: 0, entries: (there + gone).sorted { $0.0 < $1.0 },
                deletions: Dictionary(uniqueKeysWithValues: deadZones.map { ($0.sequence, $0.deletedAt) }))
        }
    }
}

/// The expected contents of a feed.
struct FeedState {
    /// The incarnation; 0 for a database.
    var zone: Int64
    /// In order, deletions included.
    var entries: [(sequence: Int64, item: Item)]
    /// When something was deleted, by the sequence number of its deletion.
    var deletions: [Int64: Int64]

    /// The state of a client that is up to date.
    var copy: [String: Item] {
        Dictionary(uniqueKeysWithValues: entries.filter { $0.item.state != nil }.map { ($0.item.name, $0.item) })
    }
}

/// Something impossible if the store keeps its promises.
struct Fault: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

func expect(_ condition: Bool, _ fault: @autoclosure () -> String) throws {
    guard condition else { throw Fault(fault()) }
}
