import NephosTesting

/// A client that follows one feed and stores what its pages contain.
struct Device {
    let feed: Feed
    private var token: String?
    private var copy: [String: Item] = [:]

    init(_ feed: Feed) { self.feed = feed }

    /// Requests the next page. Starts over if its token has expired, or its zone is gone.
    mutating func read(_ person: Person, limit: Int) throws -> Observation {
        var observation = try person.read(feed, token: token, limit: limit)
        guard case .page(let page) = observation.outcome else {
            self = Device(feed)
            return observation
        }
        for item in page.items { copy[item.name] = item.state == nil ? nil : item }
        token = page.token
        if !page.more { observation.copy = copy }
        return observation
    }
}

/// Devices that stopped anywhere, and continue from there, or from a much earlier position.
struct Devices {
    private static let feeds: [Feed] = [.zone("a"), .zone("b"), .zone("c"), .database]
    private static let most = 200

    private var chance: SeededGenerator
    private var devices: [Device] = []

    init(seed: UInt64) { chance = SeededGenerator(seed: seed) }

    /// One of them reads a few pages, with its old state kept as well; or a new one starts.
    mutating func goOn(_ person: Person) throws -> [Observation] {
        let isNew = devices.isEmpty || chance.once(in: 8)
        guard
            var device = isNew
                ? Self.feeds.randomElement(using: &chance).map(Device.init) : devices.randomElement(using: &chance)
        else { return [] }
        var observations: [Observation] = []
        for _ in 0..<Int.random(in: 1...4, using: &chance) {
            observations.append(try device.read(person, limit: Int.random(in: 1...8, using: &chance)))
        }
        if devices.count == Self.most { devices.remove(at: Int.random(in: 0..<Self.most, using: &chance)) }
        devices.append(device)
        return observations
    }

    /// All of them, and new ones, read until they are up to date. Their states are not changed.
    mutating func catchUp(_ person: Person) throws -> [Observation] {
        var observations: [Observation] = []
        for var device in devices + Self.feeds.map(Device.init) {
            while true {
                let observation = try device.read(person, limit: Int.random(in: 1...8, using: &chance))
                observations.append(observation)
                if case .absent = observation.outcome { break }
                if observation.copy != nil { break }
            }
        }
        return observations
    }
}
