import CloudKitWire
import Foundation
import NephosDomain
import NephosStorage
import NephosTesting
import Testing

/// docs/decisions/0063: a record is in the share of its parent, whatever is saved and deleted; and who sees only a share can follow it.
@Suite("Marks of shared records") struct ShareMarkTests {
    static let seeds: [UInt64] =
        ProcessInfo.processInfo.environment["SEED"].flatMap(UInt64.init).map { [$0] }
        ?? Array(1...24)

    @Test(
        "Random trees, moves and deletions: a share is what is below its root, and its feed leads there",
        arguments: seeds)
    func randomTrees(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let cloud = try await SmallCloud()
        defer { cloud.close() }
        let zone = SharedZoneOfTest(cloud)
        var followers: [ShareNumber: Follower] = [:]
        var (moved, refused, last) = (0, 0, "")
        for step in 0..<60 {
            let label: Comment = "SEED=\(seed) step \(step)"
            let before = try zone.state()
            switch Int.random(in: 0..<12, using: &random) {
            case 0, 1:
                if let root = before.records.keys.sorted().randomElement(using: &random),
                    let share = try await zone.share(root)
                {
                    followers[share] = Follower(try zone.state(), share)
                }
            case 2:
                if let share = before.live.keys.sorted().randomElement(using: &random), random.once(in: 3) {
                    try await zone.end(share)
                    followers[share] = nil
                }
            default:
                let batch = RandomMoves.batch(before, using: &random)
                last = batch
                let codes = try await cloud.modify(json: batch)
                let after = try zone.state()
                if codes.allSatisfy({ $0 == "ok" }) { moved += 1 } else { refused += 1 }
                if codes.allSatisfy({ $0 != "ok" }) {
                    try #require(after.records == before.records && after.departures == before.departures, label)
                }
            }
            let state = try zone.state()
            for (number, root) in state.live {
                let marked = Set(state.records.filter { $0.value.share == number }.keys)
                try #require(
                    marked == state.below(root), "\(label.rawValue): share of \(root) after \(last), before \(before)")
                followers[number]?.follow(state)
                let expected = state.records.filter { $0.value.share == number }.mapValues(\.tag)
                try #require(followers[number]?.records == expected, "\(label.rawValue): feed of the share of \(root)")
            }
        }
        #expect(
            moved > 10 && refused > 3, "\(moved) batches were accepted, \(refused) were not: both sides must be tried")
        #expect(try cloud.check().isEmpty)
    }

    @Test("A new record is in the share of its parent, at any depth of one batch")
    func newRecords() async throws {
        let (cloud, zone) = try await tree(["root": nil, "a": "root", "other": nil])
        defer { cloud.close() }
        let share = try #require(await zone.share("root"))
        #expect(
            try await cloud.modify(
                json: RandomMoves.json(["d": "c", "c": "b", "b": "a", "e": "other", "f": nil]))
                == Array(repeating: "ok", count: 5))
        let marks = try zone.state().records.mapValues(\.share)
        #expect(
            marks == ["root": share, "a": share, "b": share, "c": share, "d": share, "other": nil, "e": nil, "f": nil])
    }

    @Test("What enters a share appears in its feed with its tag; what leaves is a departure, with all below it")
    func entersAndLeaves() async throws {
        let (cloud, zone) = try await tree(["root": nil, "a": nil, "b": "a", "c": "b"])
        defer { cloud.close() }
        let share = try #require(await zone.share("root"))
        let before = try zone.state()
        #expect(try await cloud.modify(json: RandomMoves.json(["a": "root"])) == ["ok"])
        let inside = try zone.state()
        #expect(["a", "b", "c"].allSatisfy { inside.records[$0]?.share == share })
        #expect(["b", "c"].allSatisfy { inside.records[$0]?.tag == before.records[$0]?.tag }, "their content stays")
        #expect(["a", "b", "c"].allSatisfy { inside.records[$0]?.sequence ?? 0 > before.last }, "they appear again")
        #expect(inside.departures.isEmpty)
        #expect(try await cloud.modify(json: RandomMoves.json(["b": nil])) == ["ok"])
        let outside = try zone.state()
        #expect(outside.departures.map(\.name.text) == ["b", "c"])
        #expect(outside.departures.allSatisfy { $0.share == share && $0.toShare == 0 && $0.sequence > inside.last })
        #expect(outside.records["c"]?.sequence == inside.records["c"]?.sequence, "its owner's feed shows nothing of it")
        #expect(try await cloud.modify(json: RandomMoves.deletion(["a"])) == ["ok"])
        #expect(try zone.state().departures.map(\.name.text) == ["b", "c", "a"])
    }

    @Test("From one share into another: both feeds learn of it")
    func betweenShares() async throws {
        let (cloud, zone) = try await tree(["one": nil, "a": "one", "b": "a", "two": nil])
        defer { cloud.close() }
        let (one, two) = (try #require(await zone.share("one")), try #require(await zone.share("two")))
        #expect(try await cloud.modify(json: RandomMoves.json(["a": "two"])) == ["ok"])
        let state = try zone.state()
        #expect(["a", "b"].allSatisfy { state.records[$0]?.share == two })
        #expect(state.departures.map { [$0.share, $0.toShare] } == [[one, two], [one, two]])
    }

    @Test("What may not happen to shares is refused, and nothing is changed")
    func refusals() async throws {
        let (cloud, zone) = try await tree(
            ["one": nil, "a": "one", "b": "a", "two": nil, "c": "two", "free": nil, "d": "free", "e": "d", "f": "e"])
        defer { cloud.close() }
        _ = try #require(await zone.share("one"))
        _ = try #require(await zone.share("two"))
        let before = try zone.state()
        let cases: [(moves: [String: String?], code: String)] = [
            (["two": "one"], "EXISTS"), (["two": "b"], "EXISTS"), (["one": "a"], "EXISTS"), (["a": "b"], "BAD_REQUEST"),
            (["free": "one"], "BAD_REQUEST"),
        ]
        for (moves, code) in cases {
            let codes = try await cloud.modify(json: RandomMoves.json(moves)) { $0.sharedMovesMax = 2 }
            #expect(codes == [code], "\(moves)")
        }
        // Through an unshared record, too.
        #expect(try await cloud.modify(json: RandomMoves.json(["two": "free"])) == ["ok"])
        #expect(try await cloud.modify(json: RandomMoves.json(["free": "b"])) == ["EXISTS"])
        #expect(try await cloud.modify(json: RandomMoves.json(["two": nil])) == ["ok"])
        // One of a batch that is not atomic.
        #expect(
            try await cloud.modify(json: RandomMoves.json(["two": "one", "d": "a"], isAtomic: false)) == [
                "ok", "EXISTS",
            ])
        #expect(
            try zone.state().records.filter { ["d", "e", "f"].contains($0.key) }.allSatisfy {
                $0.value.share == before.records["one"]?.share
            })
        try await zone.prepare(true)
        #expect(try await cloud.modify(json: RandomMoves.json(["d": nil])) == ["TRY_AGAIN_LATER"])
        #expect(try await cloud.modify(json: RandomMoves.json(["g": "d"])) == ["ok"], "a new record may come")
        try await zone.prepare(false)
        // Outside of shares, cycles are allowed.
        #expect(try await cloud.modify(json: RandomMoves.json(["x": nil, "y": "x"])) == ["ok", "ok"])
        #expect(try await cloud.modify(json: RandomMoves.json(["x": "y"])) == ["ok"])
        #expect(
            try await cloud.modify(json: RandomMoves.json(["x": "one"])) == ["ok"], "a cycle can be opened into a share"
        )
        #expect(try zone.state().records["y"]?.share == before.records["one"]?.share)
    }

    @Test("Marks of a share that ended mean nothing")
    func ended() async throws {
        let (cloud, zone) = try await tree(["one": nil, "a": "one", "b": "a"])
        defer { cloud.close() }
        let share = try #require(await zone.share("one"))
        try await zone.end(share)
        #expect(try await cloud.modify(json: RandomMoves.json(["a": nil, "c": "b"])) == ["ok", "ok"])
        #expect(try zone.state().departures.isEmpty)
        #expect(try zone.state().live.isEmpty)
        let again = try #require(await zone.share("a"))
        #expect(try zone.state().records.filter { $0.value.share == again }.keys.sorted() == ["a", "b", "c"])
    }

    private func tree(_ records: [String: String?]) async throws -> (SmallCloud, SharedZoneOfTest) {
        let cloud = try await SmallCloud()
        let codes = try await cloud.modify(json: RandomMoves.json(records))
        try #require(codes.allSatisfy { $0 == "ok" })
        return (cloud, SharedZoneOfTest(cloud))
    }
}

/// What the zone of a ``SmallCloud`` contains.
private struct ZoneState {
    struct Record: Equatable {
        var number: RecordNumber
        var parent: String?
        /// Only of live shares.
        var share: ShareNumber?
        var sequence: Sequence
        var tag: Sequence
    }

    var records: [String: Record] = [:]
    var departures: [DepartureRow] = []
    /// The roots of live shares.
    var live: [ShareNumber: String] = [:]
    var last: Sequence = 0

    /// A record and all below it.
    func below(_ root: String) -> Set<String> {
        var found: Set = [root]
        while true {
            let more = records.filter { name, record in
                !found.contains(name) && record.parent.map(found.contains) ?? false
            }
            if more.isEmpty { return found }
            found.formUnion(more.keys)
        }
    }
}

/// Someone who sees one share, and follows its feed.
private struct Follower {
    private let share: ShareNumber
    private var position: Sequence
    private(set) var records: [String: Sequence]

    init(_ state: ZoneState, _ share: ShareNumber) {
        self.share = share
        position = state.last
        records = state.records.filter { $0.value.share == share }.mapValues(\.tag)
    }

    mutating func follow(_ state: ZoneState) {
        var events = state.records.filter { $0.value.share == share && $0.value.sequence > position }
            .map { (sequence: $0.value.sequence, name: $0.key, tag: Sequence?.some($0.value.tag)) }
        events += state.departures.filter { $0.share == share && $0.toShare != share && $0.sequence > position }
            .map { (sequence: $0.sequence, name: $0.name.text, tag: Sequence?.none) }
        for event in events.sorted(by: { $0.sequence < $1.sequence }) { records[event.name] = event.tag }
        position = state.last
    }
}

/// Shares in a zone, written past the server: until shares can be saved.
private struct SharedZoneOfTest {
    private let cloud: SmallCloud
    private var store: any TenantStore { cloud.store }

    init(_ cloud: SmallCloud) { self.cloud = cloud }

    private var key: ZoneKey { .name(SmallCloud.database, "Z") }

    func state() throws -> ZoneState {
        var set = ReadSet()
        set.databases = [SmallCloud.database]
        set.zones = [key]
        set.names = [NameScan(place: .zone(key), limit: 1_000)]
        let reading = try store.read(set)
        guard let zone = reading.zones[0] else { throw StorageError.noSuchTenant }
        let shares = try store.rows(ShareRow.of(zone.number, in: SmallCloud.database, limit: 1_000))
        let live = Set(shares.map(\.number))
        var state = ZoneState()
        state.last = reading.databases[0]?.sequence ?? 0
        for row in reading.names[0].records {
            let share = row.share.flatMap { live.contains(abs($0)) ? $0 : nil }
            state.records[row.name.text] = .init(
                number: row.number, parent: row.parent?.text, share: share, sequence: row.sequence, tag: row.tagSequence
            )
        }
        for share in shares {
            state.live[share.number] = state.records.first { $0.value.number == share.root }?.key
        }
        state.departures = try store.rows(
            DepartureRow.of(zone.number, in: SmallCloud.database, limit: 10_000)
        ).sorted { $0.sequence < $1.sequence }
        return state
    }

    /// Shares a record, unless it or a record above or below it is shared.
    func share(_ root: String) async throws -> ShareNumber? {
        let state = try state()
        let tree = state.below(root)
        guard tree.allSatisfy({ state.records[$0]?.share == nil }) else { return nil }
        var above = state.records[root]?.parent
        var seen: Set<String> = []
        while let name = above, seen.insert(name).inserted {
            if name == root || state.records[name]?.share != nil { return nil }
            above = state.records[name]?.parent
        }
        return try await change { reading, head, zone, set in
            zone.sharing = .records
            for row in reading.names[0].records where tree.contains(row.name.text) {
                var new = row
                new.share = head.sequence
                if row.name.text == root {
                    new.flags.insert(.shareRoot)
                    set.put(
                        ShareRow(
                            database: row.database, number: head.sequence, zone: row.zone, root: row.number, name: "s"))
                }
                set.records.append(RecordWrite(old: RecordStub(row), new: new, references: nil))
            }
        }
    }

    func end(_ share: ShareNumber) async throws {
        let rows = ShareRow.keyed([share], in: SmallCloud.database)
        guard let row = try store.rows(rows).first else { return }
        _ = try await change { _, _, _, set in set.remove(row) }
    }

    func prepare(_ isPreparing: Bool) async throws {
        _ = try await change { _, _, zone, _ in zone.sharing = isPreparing ? .recordsInPreparation : .records }
    }

    private func change(
        _ body: @escaping @Sendable (Reading, HeadRow, inout ZoneRow, inout WriteSet) -> Void
    ) async throws -> Sequence {
        var set = ReadSet()
        set.databases = [SmallCloud.database]
        set.zones = [key]
        set.names = [NameScan(place: .zone(key), limit: 1_000)]
        return try await store.commit(set) { reading in
            guard var head = reading.databases[0], let old = reading.zones[0] else { throw StorageError.noSuchTenant }
            head.sequence += 1
            var (writes, zone) = (WriteSet(), old)
            zone.changedSequence = head.sequence
            body(reading, head, &zone, &writes)
            writes.zones = [ZoneWrite(old: old, new: zone)]
            writes.heads = [head]
            return .write(writes, head.sequence)
        }
    }
}

/// Requests that save records below others, move them and delete them.
private enum RandomMoves {
    static let names = "abcdefghi".map(String.init)

    static func batch(_ state: ZoneState, using random: inout SeededGenerator) -> String {
        var operations: [String] = []
        for name in names.shuffled(using: &random).prefix(Int.random(in: 1...4, using: &random)) {
            let parent = names.randomElement(using: &random) ?? "a"
            switch Int.random(in: 0..<10, using: &random) {
            case 0: operations.append(#"{"operationType":"forceDelete","record":{"recordName":"\#(name)"}}"#)
            case 1, 2: operations.append(save(name, nil))
            case 3: operations.append(save(name, .some(nil)))
            default: operations.append(save(name, .some(parent == name ? nil : parent)))
            }
        }
        return request(operations, isAtomic: random.once(in: 2))
    }

    /// Saves records below others, or below none, in the order of their names.
    static func json(_ parents: [String: String?], isAtomic: Bool = true) -> String {
        request(parents.sorted { $0.key < $1.key }.map { save($0.key, .some($0.value)) }, isAtomic: isAtomic)
    }

    static func deletion(_ names: [String]) -> String {
        request(
            names.map { #"{"operationType":"forceDelete","record":{"recordName":"\#($0)"}}"# }, isAtomic: true)
    }

    private static func save(_ name: String, _ parent: String??) -> String {
        let member = parent.map { $0.map { #","parent":{"recordName":"\#($0)"}"# } ?? #","parent":null"# } ?? ""
        return
            #"{"operationType":"forceUpdate","record":{"recordName":"\#(name)","recordType":"T","fields":{"n":{"value":1}}\#(member)}}"#
    }

    private static func request(_ operations: [String], isAtomic: Bool) -> String {
        #"{"zoneID":{"zoneName":"Z"},"atomic":\#(isAtomic),"operations":[\#(operations.joined(separator: ","))]}"#
    }
}
