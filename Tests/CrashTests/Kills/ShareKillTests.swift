import NephosTesting
import Synchronization
import Testing

/// docs/sharing.md: who sees what changes with one request, also if the server dies in the middle of it.
@Suite("Killing the server while people share", .serialized, .onOwnThreads) struct ShareKillTests {
    private static let people = ["ada@example.org", "bob@example.org"]

    @Test("After each kill everybody sees what they saw before the last request or after it, and nothing else")
    func kills() throws {
        let kills = max(4, Options.kills / 3)
        Options.announce("\(kills) kills of people who share")
        let server = try ServerProcess()
        let access = try Access(on: server, people: Self.people)
        let names = try (0..<2).map { person in
            let caller = try Wire(access.client(port: server.port, person: person)).post("users/caller", .public, [:])
            return try #require(caller["userRecordName"].string)
        }
        var owners = (0..<2).map { Albums(of: $0, names, seed: Options.seed) }
        for kill in 1...kills {
            let steps = Atomic<Int>(0)
            let ends = Mutex<[Int: Albums]>([:])
            let before = owners
            try inThreads(3) { number in
                guard number < 2 else {
                    let haveBegun = Deadline().waits { steps.load(ordering: .relaxed) > 25 + 7 * (kill % 5) }
                    guard haveBegun else { throw WrongAnswer(description: "nothing is shared") }
                    return try server.kill()
                }
                var albums = before[number]
                defer { ends.withLock { [albums] in $0[number] = albums } }
                let clients = (0..<2).map { Wire(access.client(port: server.port, person: $0)) }
                while true {
                    // The request interrupted by the kill has no response.
                    do { try albums.step(clients) } catch let wrong as WrongAnswer { throw wrong } catch { return }
                    steps.add(1, ordering: .relaxed)
                }
            }
            try server.start()
            let clients = (0..<2).map { Wire(access.client(port: server.port, person: $0)) }
            owners = try (0..<2).map { number in
                var albums = try #require(ends.withLock { $0[number] })
                try albums.settle(clients, "kill \(kill)")
                return albums
            }
            try expectClean(server.command, "kill \(kill)")
        }
        let counts = owners.reduce(into: [:]) { $0.merge($1.counts, uniquingKeysWith: +) }
        print("\(kills) kills of people who share: \(counts.sorted { $0.key < $1.key })")
        for kind in ["share", "accept", "move", "revoke", "unshare", "delete"] { #expect(counts[kind, default: 0] > 0) }
        // The lists follow.
        for owner in owners {
            let member = Wire(access.client(port: server.port, person: 1 - owner.owner))
            let isListed = Deadline().waits { (try? owner.isListed(member)) == true }
            #expect(isListed, "\(names[1 - owner.owner]) lists zones that are not shared, or misses one")
        }
        #expect(try server.stop() == .exited(0))
    }

    @Test("A large share is prepared although the server dies again and again, and shows all of it only then")
    func preparation() throws {
        let server = try ServerProcess(environment: ["NEPHOS_JOB_LEASE_SECONDS": "2"])
        let access = try Access(on: server, people: Self.people)
        func wire(_ person: Int) -> Wire { Wire(access.client(port: server.port, person: person)) }
        let names = try (0..<2).map {
            try #require(try wire($0).post("users/caller", .public, [:])["userRecordName"].string)
        }
        try wire(0).modify([Albums.save("album", below: nil)], .private, zone: Wire.sharedZone)
        for batch in 0..<15 {
            let photos = (0..<200).map { Albums.save("\(batch)-\($0)", below: "album") }
            try wire(0).modify(photos, .private, zone: Wire.sharedZone)
        }
        let shared = try wire(0).post(
            "records/modify", .private,
            [
                "zoneID": ["zoneName": .string(Wire.sharedZone)],
                "operations": [Albums.share("share", of: "album", [names[1]], tag: nil)],
            ])
        let address = try #require(shared["records"][0]["shortGUID"].string, "\(shared)")
        func accept() throws -> String {
            let answer = try wire(1).post("records/accept", .public, ["shortGUIDs": [.string(address)]])
            return answer["results"][0]["serverErrorCode"].string ?? ""
        }
        var deaths = 0
        for pause in [0, 60, 120] {
            guard try accept() == "TRY_AGAIN_LATER" else { break }
            let end = monotonicNow() + UInt64(pause) * 1_000_000
            _ = try Deadline().waits { try monotonicNow() > end || accept() == "" }
            try server.kill()
            deaths += 1
            try server.start()
            try expectClean(server.command, "\(deaths) kills")
        }
        print("a share was killed \(deaths) times while it was prepared")
        #expect(deaths > 0)
        #expect(try Deadline().waits { try accept() == "" })
        #expect(try Albums.seen(wire(1), names[0])?.count == 3_001)
        try expectClean(server.command)
        #expect(try server.stop() == .exited(0))
    }
}

/// Albums of one person, which are shared with the other one, and the photos in them.
private struct Albums: Sendable {
    struct Album: Equatable, Sendable {
        /// Its share record.
        var share: String?
        var isNamed = false
        var hasJoined = false
    }

    struct State: Equatable, Sendable {
        var albums: [String: Album] = [:]
        /// The album of each photo.
        var photos: [String: String] = [:]

        /// What the other person sees: nil if nothing is shared with them.
        var visible: Set<String>? {
            let joined = Set(albums.filter { $0.value.hasJoined }.keys)
            return joined.isEmpty ? nil : joined.union(photos.filter { joined.contains($0.value) }.keys)
        }
    }

    let owner: Int
    private let names: [String]
    private(set) var state = State()
    /// What it is if the last request was carried out.
    private var next: State?
    private var random: SeededGenerator
    private var number = 0
    private(set) var counts: [String: Int] = [:]

    init(of owner: Int, _ names: [String], seed: UInt64) {
        (self.owner, self.names) = (owner, names)
        random = SeededGenerator(seed: seed &+ UInt64(owner))
    }

    // MARK: Requests

    static func save(_ name: String, below album: String?) -> JSON {
        [
            "operationType": "forceUpdate",
            "record": [
                "recordName": .string(name), "recordType": "Photo", "fields": ["n": ["value": 1]],
                "parent": album.map { ["recordName": .string($0)] } ?? .absent,
            ],
        ]
    }

    private static func delete(_ name: String) -> JSON {
        ["operationType": "forceDelete", "record": ["recordName": .string(name)]]
    }

    static func share(_ name: String, of root: String?, _ people: [String], tag: String?) -> JSON {
        [
            "operationType": tag == nil ? "create" : "update",
            "record": [
                "recordName": .string(name), "recordType": "cloudkit.share",
                "forRecord": root.map { ["recordName": .string($0)] } ?? .absent,
                "recordChangeTag": tag.map(JSON.string) ?? .absent,
                "participants": .array(
                    people.map { ["permission": "READ_WRITE", "userIdentity": ["userRecordName": .string($0)]] }),
            ],
        ]
    }

    /// What somebody sees of an owner's zone; nil if it does not exist for them.
    static func seen(_ member: Wire, _ owner: String) throws -> Set<String>? {
        try records(member, .shared, ["zoneName": .string(Wire.sharedZone), "ownerRecordName": .string(owner)])
            .map { Set($0.keys) }
    }

    /// The photos and albums of a feed, by name; nil if its zone does not exist.
    private static func records(_ wire: Wire, _ database: Database, _ zone: JSON) throws -> [String: JSON]? {
        var records: [String: JSON] = [:]
        var token: String?
        while true {
            let body: JSON = ["zones": [["zoneID": zone, "syncToken": token.map(JSON.string) ?? .absent]]]
            let page = try wire.post("changes/zone", database, body)["zones"][0]
            if page["serverErrorCode"] == "ZONE_NOT_FOUND" { return nil }
            guard let next = page["syncToken"].string else { throw WrongAnswer(description: "a feed: \(page)") }
            for record in page["records"].elements where record["recordType"] == "Photo" {
                records[record["recordName"].string ?? ""] = record
            }
            token = next
            if page["moreComing"].bool != true { return records }
        }
    }

    /// Whether the list of the other person has the zone if, and only if, something in it is shared with them.
    func isListed(_ member: Wire) throws -> Bool {
        let zones = try member.post("zones/list", .shared, [:])["zones"].elements
        return zones.contains { $0["zoneID"]["ownerRecordName"].string == names[owner] } == (state.visible != nil)
    }

    // MARK: Steps

    /// One request of the owner or of the other person.
    mutating func step(_ wires: [Wire]) throws {
        number += 1
        let (mine, theirs) = (wires[owner], wires[1 - owner])
        let album = state.albums.keys.sorted().randomElement(using: &random)
        var new = state
        guard let album, state.albums.count >= 4 || !random.once(in: 3), let old = state.albums[album] else {
            new.albums["album \(number)"] = Album()
            return try carryOut("create", new, mine, [Self.save("album \(number)", below: nil)])
        }
        switch (Int.random(in: 0..<10, using: &random), old.share) {
        case (0, _):
            let inside = state.photos.filter { $0.value == album }.keys.sorted()
            new.albums[album] = nil
            for photo in inside { new.photos[photo] = nil }
            try carryOut("delete", new, mine, (inside + [album]).map(Self.delete))
        case (1...2, _):
            new.photos["photo \(number)"] = album
            let isTheirs = old.hasJoined && random.once(in: 2)
            try carryOut(
                "add", new, isTheirs ? theirs : mine, [Self.save("photo \(number)", below: album)], isShared: isTheirs)
        case (3, _):
            guard let photo = state.photos.keys.sorted().randomElement(using: &random) else { return }
            new.photos[photo] = album
            try carryOut("move", new, mine, [Self.save(photo, below: album)])
        case (_, nil):
            new.albums[album] = Album(share: "share \(number)", isNamed: true)
            try carryOut("share", new, mine, [Self.share("share \(number)", of: album, [names[1 - owner]], tag: nil)])
        case (4, let share?):
            new.albums[album] = Album()
            try carryOut("unshare", new, mine, [Self.delete(share)])
        case (5...6, let share?):
            let record = try mine.post(
                "records/lookup", .private,
                ["zoneID": ["zoneName": .string(Wire.sharedZone)], "records": [["recordName": .string(share)]]])
            let tag = record["records"][0]["recordChangeTag"].string
            new.albums[album] = Album(share: share, isNamed: !old.isNamed)
            try carryOut(
                old.isNamed ? "revoke" : "name", new, mine,
                [Self.share(share, of: nil, old.isNamed ? [] : [names[1 - owner]], tag: tag)])
        case (_, let share?):
            guard old.isNamed else { return }
            let record = try mine.post(
                "records/lookup", .private,
                ["zoneID": ["zoneName": .string(Wire.sharedZone)], "records": [["recordName": .string(share)]]])
            guard let address = record["records"][0]["shortGUID"].string else {
                throw WrongAnswer(description: "a share without an address: \(record)")
            }
            new.albums[album]?.hasJoined = true
            next = new
            let answer = try theirs.post("records/accept", .public, ["shortGUIDs": [.string(address)]])
            try succeed("accept", answer["results"])
        }
    }

    private mutating func carryOut(
        _ kind: String, _ new: State, _ wire: Wire, _ operations: [JSON], isShared: Bool = false
    ) throws {
        next = new
        let zone: JSON = [
            "zoneName": .string(Wire.sharedZone), "ownerRecordName": isShared ? .string(names[owner]) : .absent,
        ]
        let answer = try wire.post(
            "records/modify", isShared ? .shared : .private, ["zoneID": zone, "operations": .array(operations)])
        try succeed(kind, answer["records"])
    }

    private mutating func succeed(_ kind: String, _ results: JSON) throws {
        guard !results.elements.isEmpty, results.elements.allSatisfy({ $0["serverErrorCode"].isAbsent }), let next
        else {
            throw WrongAnswer(description: "\(kind): \(results)")
        }
        (state, self.next) = (next, nil)
        counts[kind, default: 0] += 1
    }

    /// Compares what the other person sees with the state before and after the request that had no response, and finds out which of them
    /// it is.
    mutating func settle(_ wires: [Wire], _ moment: String) throws {
        let seen = try Self.seen(wires[1 - owner], names[owner])
        let expected = [state, next].compactMap(\.self).map(\.visible)
        guard expected.contains(seen) else {
            throw WrongAnswer(description: "\(moment): \(seen as Any) is seen, and \(expected) was shared")
        }
        guard let after = next else { return }
        next = nil
        if try isStored(after, wires[owner]) { state = after }
    }

    /// Whether the zone is in a state, as its owner sees it.
    private func isStored(_ wanted: State, _ wire: Wire) throws -> Bool {
        var found = State()
        let zone: JSON = ["zoneName": .string(Wire.sharedZone)]
        for (name, record) in try Self.records(wire, .private, zone) ?? [:] {
            if let parent = record["parent"]["recordName"].string {
                found.photos[name] = parent
            } else {
                found.albums[name] = try album(record["share"]["recordName"].string, wire)
            }
        }
        guard found == wanted || found == state else {
            throw WrongAnswer(description: "neither before nor after: \(found), \(state), \(wanted)")
        }
        return found == wanted
    }

    private func album(_ share: String?, _ wire: Wire) throws -> Album {
        guard let share else { return Album() }
        let record = try wire.post(
            "records/lookup", .private,
            ["zoneID": ["zoneName": .string(Wire.sharedZone)], "records": [["recordName": .string(share)]]])
        let other = record["records"][0]["participants"].elements.first {
            $0["userIdentity"]["userRecordName"].string == names[1 - owner]
        }
        return Album(share: share, isNamed: other != nil, hasJoined: other?["acceptanceStatus"] == "ACCEPTED")
    }
}
