import NephosTesting
import Synchronization

/// Makes random changes, one request after the other, as a device or as a website. Meanwhile, it cuts connections and restarts the
/// server.
struct Director {
    private static let zones = [World.fixed, "Red", "Green", "Blue"]
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
        models = World.people.map { _ in Replica(zones: [World.fixed: [:]]) }
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
        case 1..<13: try changeRecords(Self.zones.filter { models[person].zones[$0] != nil }, person, device)
        default: try changeRecords([nil], person, device)
        }
    }

    private mutating func changeZone(_ person: Int, _ device: String?) throws {
        guard let zone = Self.zones.dropFirst().randomElement(using: &chance) else { return }
        let isThere = models[person].zones[zone] != nil
        let operation: JSON = [
            "operationType": isThere ? "delete" : "create", "zone": ["zoneID": ["zoneName": .string(zone)]],
        ]
        try send("zones/modify", .private, ["operations": [operation]], person, device, "zones")
        made([isThere ? .zoneDeleted(zone) : .zoneMade(zone)], person, device)
    }

    /// - Parameter zones: The zones to choose from; nil is the public database.
    private mutating func changeRecords(_ zones: [String?], _ person: Int, _ device: String?) throws {
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
        if let zone { body["zoneID"] = ["zoneName": .string(zone)] }
        try send("records/modify", zone == nil ? .public : .private, body, person, device, "records")
        made(changes, person, device)
    }

    private func save(_ name: String, _ zone: String?, isThere: Bool) -> JSON {
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
            default: models[person].apply(change)
            }
        }
        for follower in followers {
            follower.copy.withLock { copy in
                if follower.name == device {
                    for change in changes { copy.made(change) }
                } else if follower.way != .plain {
                    copy.tally.expected += changes.reduce(0) { $0 + $1.tellings(isOwn: follower.person == person) }
                }
            }
        }
    }
}

extension Change {
    /// The number of a user's subscriptions that it fires.
    ///
    /// - Parameter isOwn: Whether a change of private zones is in this user's zones.
    fileprivate func tellings(isOwn: Bool) -> Int {
        switch self {
        case .save(nil, let name, _), .delete(nil, let name): Watched.holds(name) ? 1 : 0
        case .save(let zone?, _, _), .delete(let zone?, _): isOwn ? (zone == World.fixed ? 2 : 1) : 0
        case .zoneMade, .zoneDeleted: isOwn ? 1 : 0
        }
    }
}
