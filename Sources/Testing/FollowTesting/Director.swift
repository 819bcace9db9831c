import NephosTesting
import Synchronization

/// Makes random changes, one request after the other, as a device or as a website. Meanwhile, it cuts connections and restarts the
/// server.
struct Director {
    /// Zones of each user that come and go.
    private static let zones = ["Red", "Green", "Blue"]
    private static let mostAtOnce = 5

    /// The expected final state of each user.
    private(set) var models: [Replica]
    private let plan: FollowRun
    private let world: World
    private let followers: [Follower]
    private let journal: Journal
    private var chance: SeededGenerator
    private var clients: [String: CloudKitClient] = [:]
    private var number: Int64 = 0

    init(_ plan: FollowRun, _ world: World, _ followers: [Follower], _ journal: Journal) {
        self.plan = plan
        self.world = world
        self.followers = followers
        self.journal = journal
        chance = SeededGenerator(seed: UInt64(plan.seed))
        models = World.people.indices.map { person in
            let names = [World.fixed, World.common]
            return Replica(zones: Dictionary(uniqueKeysWithValues: names.map { (Zone(owner: person, name: $0), [:]) }))
        }
    }

    mutating func run(_ progress: (String) -> Void) throws {
        // Determined first, so that they do not depend on the number of changes per request.
        let cuts = places(plan.cuts), restarts = places(plan.restarts)
        var (cut, restart, told) = (0, 0, 0)
        while journal.changes < plan.changes {
            try change()
            while cut < cuts.count, cuts[cut] <= journal.changes {
                followers.randomElement(using: &chance)?.cut()
                cut += 1
            }
            while restart < restarts.count, restarts[restart] <= journal.changes {
                try world.restart()
                restart += 1
            }
            if journal.changes * 10 / plan.changes > told {
                told = journal.changes * 10 / plan.changes
                progress("\(journal.changes) of \(plan.changes) changes, \(cut) cuts, \(restart) restarts")
            }
        }
    }

    private mutating func places(_ count: Int) -> [Int] {
        (0..<count).map { _ in Int.random(in: 1...max(plan.changes, 1), using: &chance) }.sorted()
    }

    // MARK: Changes

    private mutating func change() throws {
        let person = Int.random(in: 0..<World.people.count, using: &chance)
        let device =
            (followers.filter { $0.person == person }.map { Optional($0.name) } + [nil])
            .randomElement(using: &chance) ?? nil
        switch Int.random(in: 0..<20, using: &chance) {
        case 0: try changeZone(person, device)
        case 1: try changeShare(of: Zone(owner: person, name: World.common))
        // Own zones, and what the other user shares.
        case 2..<14: try changeRecords(models[person].zones.keys.sorted(), person, device)
        default: try changeRecords([nil], person, device)
        }
    }

    private mutating func changeZone(_ person: Int, _ device: String?) throws {
        guard let name = Self.zones.randomElement(using: &chance) else { return }
        let zone = Zone(owner: person, name: name)
        let isThere = models[person].zones[zone] != nil
        let operation: JSON = [
            "operationType": isThere ? "delete" : "create", "zone": ["zoneID": ["zoneName": .string(name)]],
        ]
        try send("zones/modify", .private, ["operations": [operation]], person, device, "zones")
        made([isThere ? .zoneDeleted(zone) : .zoneMade(zone)], person, device)
    }

    private mutating func changeShare(of zone: Zone) throws {
        let isShared = models[1 - zone.owner].zones[zone] != nil
        try world.share(!isShared, of: zone.owner)
        made([isShared ? .zoneUnshared(zone) : .zoneShared(zone)], zone.owner, nil)
    }

    /// - Parameter zones: The zones to choose from; nil is the public database.
    private mutating func changeRecords(_ zones: [Zone?], _ person: Int, _ device: String?) throws {
        guard let zone = zones.randomElement(using: &chance) else { return }
        let names = zone == nil ? (0..<12).map { "w\($0)" } + (0..<4).map { "o\($0)" } : (0..<20).map { "r\($0)" }
        let some = names.shuffled(using: &chance).prefix(Int.random(in: 1...Self.mostAtOnce, using: &chance))
        var changes: [Change] = []
        let operations = some.map { name -> JSON in
            let isThere = zone.map { models[person].zones[$0]?[name] != nil } ?? (everyone[name] != nil)
            if isThere, chance.once(in: 3) {
                changes.append(.delete(zone: zone, name: name))
                return ["operationType": "forceDelete", "record": ["recordName": .string(name)]]
            }
            number += 1
            changes.append(.save(zone: zone, name: name, number: number))
            return save(name, zone, isThere: isThere)
        }
        var body: JSON = ["operations": .array(operations)]
        let address = zone?.address(of: person, world.names)
        if let address { body["zoneID"] = address.id }
        try send("records/modify", address?.database ?? .public, body, person, device, "records")
        made(changes, person, device)
    }

    private func save(_ name: String, _ zone: Zone?, isThere: Bool) -> JSON {
        var fields: JSON = ["n": ["value": .int(number), "type": "INT64"]]
        if zone == nil { fields["kind"] = ["value": .string(Watched.kind(name)), "type": "STRING"] }
        return [
            "operationType": isThere ? "forceUpdate" : "create",
            "record": [
                "recordName": .string(name), "recordType": zone == nil ? "Entry" : "Note", "fields": fields,
            ],
        ]
    }

    private mutating func send(
        _ path: String, _ database: Database, _ body: JSON, _ person: Int, _ device: String?, _ key: String
    ) throws {
        let name = "\(person) \(device ?? "")"
        let client = clients[name] ?? world.client(person, device)
        clients[name] = client
        let answer = try client.answer(path, database, body)
        for item in answer[key].elements where !item["serverErrorCode"].isAbsent {
            throw UnexpectedAnswer(description: "\(path): \(item)")
        }
    }

    // MARK: Bookkeeping

    /// All existing public records, watched or not.
    private var everyone: [String: Int64] = [:]

    private mutating func made(_ changes: [Change], _ person: Int, _ device: String?) {
        journal.note(changes)
        for change in changes {
            switch change {
            case .save(nil, let name, let number):
                everyone[name] = number
                for person in models.indices { models[person].apply(change) }
            case .delete(nil, let name):
                everyone[name] = nil
                for person in models.indices { models[person].apply(change) }
            case .zoneShared(let zone): models[1 - zone.owner].zones[zone] = models[zone.owner].zones[zone]
            case .zoneUnshared(let zone): models[1 - zone.owner].zones[zone] = nil
            case .save(let zone?, _, _), .delete(let zone?, _):
                for person in models.indices where models[person].zones[zone] != nil { models[person].apply(change) }
            case .zoneMade, .zoneDeleted: models[person].apply(change)
            }
        }
        for follower in followers {
            follower.copy.withLock { copy in
                if follower.name == device {
                    for change in changes { copy.made(change) }
                } else if follower.way != .plain {
                    copy.tally.expected += changes.reduce(0) { count, change in
                        count + change.tellings(follower.person, isSeen: { models[follower.person].zones[$0] != nil })
                    }
                }
            }
        }
    }
}

extension Change {
    /// The number of a user's subscriptions that it fires.
    ///
    /// - Parameter isSeen: Whether the user sees a zone.
    fileprivate func tellings(_ person: Int, isSeen: (Zone) -> Bool) -> Int {
        switch self {
        case .save(nil, let name, _), .delete(nil, let name): Watched.holds(name) ? 1 : 0
        case .save(let zone?, _, _), .delete(let zone?, _):
            !isSeen(zone) ? 0 : zone == Zone(owner: person, name: World.fixed) ? 2 : 1
        case .zoneMade(let zone), .zoneDeleted(let zone): zone.owner == person ? 1 : 0
        // The share record is in the owner's zone.
        case .zoneShared, .zoneUnshared: 1
        }
    }
}
