import NephosTesting

/// A client that saves, deletes and creates zones at random, and records everything.
struct Writer: Sendable {
    let number: Int
    private(set) var journal = Journal()
    private var chance: SeededGenerator
    private var lastValue: Int64 = 0

    init(number: Int, seed: UInt64) {
        self.number = number
        chance = SeededGenerator(seed: seed &+ UInt64(number) &* 1_000_003)
    }

    /// The prefix of every name of this writer.
    var prefix: String { "w\(number)-" }
    var ownZone: String { "Own-\(number)" }

    func database(_ place: Place) -> Database { place == .commons ? .public : .private }

    func zone(_ place: Place) -> String? {
        switch place {
        case .commons, .home: nil
        case .together: Wire.sharedZone
        case .own: ownZone
        }
    }

    /// Sends one request.
    ///
    /// - Throws: The error of the connection if the request's outcome is unknown. ``WrongAnswer`` for a fault of the server.
    mutating func step(_ wire: Wire) throws {
        if chance.once(in: 12) { return journal.followed(to: try followFeed(wire)) }
        let (change, upload, send) = nextRequest()
        // Files without a record do not change a writer's data.
        let operations = try upload(wire)
        journal.began(change, at: monotonicNow())
        try send(wire, operations)
        journal.acknowledged(at: monotonicNow())
    }

    private mutating func followFeed(_ wire: Wire) throws -> FeedPosition {
        try wire.follow(
            zone: Wire.sharedZone, from: journal.feed(), pageSize: [1, 7, 200][Int.random(in: 0..<3, using: &chance)])
    }

    // MARK: The next request

    /// The change; the upload that precedes it and returns operations; and the request that executes them.
    private typealias Request = (
        change: Change, upload: (Wire) throws -> [JSON], send: (Wire, [JSON]) throws -> Void
    )

    private mutating func nextRequest() -> Request {
        switch Int.random(in: 0..<20, using: &chance) {
        case 0: return journal.current.hasOwnZone ? dropZone() : makeZone()
        case 1: return journal.current.hasOwnZone ? batch(.own) : makeZone()
        case 2, 3: return family()
        case 4...8: return batch(.together)
        case 9...11: return journal.current.hasOwnZone ? batch(.own) : makeZone()
        case 12: return batch(.commons)
        case 13: return batch(.home)
        case 14...16: return records(.commons, operations: 1)
        case 17, 18: return records(.together, operations: 1)
        default: return records(.home, operations: 1)
        }
    }

    private func makeZone() -> Request {
        let name = ownZone
        return (.makeZone, { _ in [] }, { wire, _ in try wire.modifyZone("create", name) })
    }

    private func dropZone() -> Request {
        let name = ownZone
        return (.dropZone, { _ in [] }, { wire, _ in try wire.modifyZone("delete", name) })
    }

    private mutating func batch(_ place: Place) -> Request {
        records(place, operations: Int.random(in: 2...(chance.once(in: 6) ? 40 : 8), using: &chance))
    }

    /// Saves, and sometimes deletes, with recurring names.
    private mutating func records(_ place: Place, operations count: Int) -> Request {
        var values: [String: Int64?] = [:]
        for number in (0..<60).shuffled(using: &chance).prefix(count) {
            let name = "\(prefix)\(number)"
            if journal.current[place][name] != nil && chance.once(in: 4) {
                values[name] = .some(nil)
            } else {
                values[name] = nextValue()
            }
        }
        let items = values.sorted { $0.key < $1.key }.map { name, value in
            value.map { Item.save(name, $0) } ?? Item.delete(name)
        }
        return request(place, values, items)
    }

    /// A parent with children that are deleted with it, created in one batch and deleted by the parent's name only.
    private mutating func family() -> Request {
        let parent = "\(prefix)family\(Int.random(in: 0..<4, using: &chance))"
        let children = (0..<3).map { "\(parent).child\($0)" }
        if journal.current[.together][parent] != nil {
            let values = Dictionary(uniqueKeysWithValues: ([parent] + children).map { ($0, Int64?.none) })
            return request(.together, values, [Item.delete(parent)])
        }
        let value = nextValue()
        let values = Dictionary(uniqueKeysWithValues: ([parent] + children).map { ($0, Int64?.some(value)) })
        return request(
            .together, values, [Item.save(parent, value)] + children.map { Item.save($0, value, child: parent) })
    }

    private func request(_ place: Place, _ values: [String: Int64?], _ items: [Item]) -> Request {
        let (database, zone) = (database(place), zone(place))
        return (
            .records(place, values), { try $0.upload(items, database, zone: zone) },
            { try $0.modify($1, database, zone: zone) }
        )
    }

    /// Unique across all writers.
    private mutating func nextValue() -> Int64 {
        lastValue += 1
        return lastValue * 100 + Int64(number)
    }

    // MARK: After a crash

    mutating func settle(on actual: WriterContents) { journal.settle(on: actual) }
}
