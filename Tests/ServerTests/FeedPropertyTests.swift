import NephosTesting
import Synchronization
import Testing

extension ServerTests {
    /// docs/protocol.md, Z4 and Z5: following tokens from none, or from any old one, reproduces a zone exactly.
    @Suite struct FeedPropertyTests {
        @Test(arguments: seeds([1, 2, 3, 4])) func anyHistoryIsRebuiltFromAnyToken(seed: UInt64) throws {
            var history = try History(container: freshContainer(), seed: seed)
            for step in 0..<120 {
                try history.step()
                if step % 10 == 9 { try history.checkOldReaders() }
            }
            try history.checkOldReaders()
            try history.checkNewReaders()
            try history.checkTogether()
        }

        // docs/protocol.md, Z11
        @Test(arguments: [false, true]) func aRequestHasOneBudgetForAllItsZones(hasTokens: Bool) throws {
            let ada = try freshContainer().person("ada@example.org")
            let zones = (0..<10).map { "Z\($0)" }
            let note: JSON = ["value": .string(String(repeating: "x", count: 900_000))]
            var tokens: [String: JSON] = [:]
            for zone in zones {
                try ada.createZones(zone)
                if hasTokens {
                    let entry: JSON = ["zoneID": ["zoneName": .string(zone)]]
                    tokens[zone] = try ada.answer("changes/zone", ["zones": [entry]])["zones"][0]["syncToken"]
                }
                try ada.modify([operation("create", "R", fields: ["n": note])], zone: zone)
            }
            var copies: [String: Int] = [:]
            var pages: [Int] = []
            var open = zones
            while !open.isEmpty {
                let entries = open.map { zone -> JSON in
                    [
                        "zoneID": ["zoneName": .string(zone)], "syncToken": tokens[zone] ?? .absent,
                        "desiredRecordTypes": ["Note"],
                    ]
                }
                let answer = try ada.answer("changes/zone", ["zones": .array(entries)])["zones"].elements
                try #require(answer.count == open.count)
                pages.append(answer.reduce(0) { $0 + $1["records"].elements.count })
                try #require(pages.count < 10 && pages.last != 0, "a page that goes on has gone on")
                for (zone, page) in zip(open, answer) {
                    copies[zone, default: 0] += page["records"].elements.count
                    tokens[zone] = page["syncToken"]
                }
                open = zip(open, answer).filter { $1["moreComing"] == true }.map(\.0)
            }
            #expect(pages == [9, 1])
            #expect(copies == Dictionary(uniqueKeysWithValues: zones.map { ($0, 1) }))
        }

        @Test func aReaderMissesNothingWhileOthersWrite() throws {
            let container = try freshContainer()
            try container.person("ada@example.org").createZones("Z")
            let credentials = Credentials.person(
                apiToken: container.apiToken, webAuthToken: try container.session("ada@example.org"))
            let writing = Atomic(2)
            let copy = Mutex<[String: String]>([:])
            try inThreads(3) { number in
                let client = container.client(credentials)
                if number < 2 {
                    defer { writing.subtract(1, ordering: .sequentiallyConsistent) }
                    try write(client, seed: UInt64(number))
                } else {
                    let read = try follow(client) { writing.load(ordering: .sequentiallyConsistent) == 0 }
                    copy.withLock { $0 = read }
                }
            }
            let fresh = try follow(container.client(credentials)) { true }
            #expect(copy.withLock { $0 } == fresh)
            let names = (0..<30).map { "R\($0)" }
            let records = try container.client(credentials).lookUp(names, zone: "Z")
            let tags = zip(names, records).compactMap { name, record in
                record["recordChangeTag"].string.map { (name, $0) }
            }
            #expect(fresh == Dictionary(uniqueKeysWithValues: tags))
        }

        private func write(_ client: CloudKitClient, seed: UInt64) throws {
            var generator = SeededGenerator(seed: seed)
            for round in 0..<60 {
                let operations = Set((0..<6).map { _ in Int.random(in: 0..<30, using: &generator) }).map { number in
                    generator.once(in: 3)
                        ? operation("forceDelete", "R\(number)")
                        : operation("forceUpdate", "R\(number)", fields: ["n": ["value": .int(Int64(round))]])
                }
                try client.modify(operations, zone: "Z")
            }
        }

        /// Reads in pages of 7 until the feed ends after `isLast` has returned true. Returns tags by record name.
        private func follow(_ client: CloudKitClient, until isLast: () -> Bool) throws -> [String: String] {
            var copy: [String: String] = [:]
            var token: JSON = .absent
            while true {
                let isLast = isLast()
                var moreComing = true
                while moreComing {
                    let entry: JSON = ["zoneID": ["zoneName": "Z"], "syncToken": token, "resultsLimit": 7]
                    let page = try client.answer("changes/zone", ["zones": [entry]])["zones"][0]
                    for record in page["records"].elements {
                        let name = try #require(record["recordName"].string)
                        copy[name] = record["deleted"] == true ? nil : record["recordChangeTag"].string
                    }
                    token = page["syncToken"]
                    moreComing = try #require(page["moreComing"].bool as Bool?)
                }
                if isLast { return copy }
            }
        }
    }
}

/// Two writers of one user in a few zones, a model of the expected state, and readers that stopped at any point.
private struct History {
    /// A reader that continues from where it stopped.
    struct Reader {
        var zone: String
        /// The incarnation of the zone with that name that it read.
        var incarnation: Int
        var token: JSON = .absent
        var copy: [String: String] = [:]
    }

    private let writers: [CloudKitClient]
    private let reader: CloudKitClient
    private var generator: SeededGenerator
    /// Change tags by record name, by zone.
    private var model: [String: [String: String]] = [:]
    private var incarnations: [String: Int] = [:]
    private var readers: [Reader] = []
    private let seed: UInt64

    init(container: TestContainer, seed: UInt64) throws {
        writers = [try container.person("ada@example.org"), try container.person("ada@example.org")]
        reader = try container.person("ada@example.org")
        generator = SeededGenerator(seed: seed)
        self.seed = seed
    }

    mutating func step() throws {
        let writer = writers[Int.random(in: 0...1, using: &generator)]
        let zone = "Z\(Int.random(in: 0..<3, using: &generator))"
        if model[zone] == nil {
            try writer.createZones(zone)
            model[zone] = [:]
            incarnations[zone, default: 0] += 1
        } else if generator.once(in: 25) {
            try writer.deleteZones(zone)
            model[zone] = nil
        } else {
            try modify(zone, writer)
        }
        if let zone = model.keys.sorted().randomElement(using: &generator), generator.once(in: 4) {
            try begin(zone)
        }
    }

    private mutating func modify(_ zone: String, _ writer: CloudKitClient) throws {
        var names = Set<String>()
        for _ in 0..<Int.random(in: 1...12, using: &generator) {
            names.insert("R\(Int.random(in: 0..<30, using: &generator))")
        }
        let operations = names.sorted().map { name in
            let type =
                ["forceUpdate", "forceReplace", "forceDelete", "create", "delete"]
                .randomElement(using: &generator) ?? "forceUpdate"
            return operation(
                type, name,
                fields: type.hasSuffix("elete")
                    ? .absent : ["n": ["value": .int(Int64.random(in: 0..<9, using: &generator))]])
        }
        let results = try writer.modify(operations, zone: zone, atomic: generator.once(in: 2))
        for result in results where result["serverErrorCode"].isAbsent {
            let name = try #require(result["recordName"].string)
            model[zone]?[name] = result["deleted"] == true ? nil : result["recordChangeTag"].string
        }
    }

    private mutating func begin(_ zone: String) throws {
        var new = Reader(zone: zone, incarnation: incarnations[zone] ?? 0)
        // Stops at any point, even within the feed.
        try follow(&new, pages: Int.random(in: 0...3, using: &generator))
        readers.append(new)
    }

    /// Every reader continues; those whose zone was deleted are told so.
    mutating func checkOldReaders() throws {
        var remaining: [Reader] = []
        for var old in readers {
            guard model[old.zone] != nil, incarnations[old.zone] == old.incarnation else {
                try expectGone(old)
                continue
            }
            try follow(&old, pages: .max)
            #expect(old.copy == model[old.zone], "SEED=\(seed) \(old.zone)")
            if generator.once(in: 2) { remaining.append(old) }
        }
        readers = remaining
    }

    mutating func checkNewReaders() throws {
        let zones = try reader.answer("changes/database")["zones"].elements
        let live = zones.filter { $0["deleted"] != true }.compactMap { $0["zoneID"]["zoneName"].string }
        #expect(Set(live).subtracting(["_defaultZone"]) == Set(model.keys), "SEED=\(seed)")
        for zone in model.keys.sorted() {
            var new = Reader(zone: zone, incarnation: incarnations[zone] ?? 0)
            try follow(&new, pages: .max)
            #expect(new.copy == model[zone], "SEED=\(seed) \(zone)")
        }
    }

    /// All zones at once, each with its own page size.
    mutating func checkTogether() throws {
        var open = model.keys.sorted().map { Reader(zone: $0, incarnation: incarnations[$0] ?? 0) }
        for _ in 0..<200 where !open.isEmpty {
            let entries = open.map { reader -> JSON in
                [
                    "zoneID": ["zoneName": .string(reader.zone)], "syncToken": reader.token,
                    "resultsLimit": .int(Int64.random(in: 1...40, using: &generator)),
                    "desiredRecordTypes": generator.once(in: 2) ? ["Note"] : .absent,
                ]
            }
            let pages = try reader.answer("changes/zone", ["zones": .array(entries)])["zones"].elements
            try #require(pages.count == open.count, "SEED=\(seed)")
            for (index, page) in pages.enumerated() {
                for record in page["records"].elements {
                    let name = try #require(record["recordName"].string)
                    open[index].copy[name] = record["deleted"] == true ? nil : record["recordChangeTag"].string
                }
                open[index].token = page["syncToken"]
            }
            for (reader, page) in zip(open, pages) where page["moreComing"] == false {
                #expect(reader.copy == model[reader.zone], "SEED=\(seed) \(reader.zone)")
            }
            open = zip(open, pages).filter { $1["moreComing"] == true }.map(\.0)
        }
        #expect(open.isEmpty, "SEED=\(seed): the feeds do not end")
    }

    private func expectGone(_ reader: Reader) throws {
        guard !reader.token.isAbsent else { return }
        let page = try page(reader, limit: 10)
        let code = model[reader.zone] == nil ? "ZONE_NOT_FOUND" : "BAD_REQUEST"
        #expect(page["serverErrorCode"] == .string(code), "SEED=\(seed) \(page)")
    }

    private func page(_ reader: Reader, limit: Int64) throws -> JSON {
        try self.reader.answer(
            "changes/zone",
            [
                "zones": [
                    [
                        "zoneID": ["zoneName": .string(reader.zone)], "syncToken": reader.token,
                        "resultsLimit": .int(limit),
                    ]
                ]
            ])["zones"][0]
    }

    /// Continues to read, in pages of random sizes, to the end or for this many pages.
    private mutating func follow(_ reader: inout Reader, pages: Int) throws {
        var read = 0
        while read < pages {
            let limit = Int64.random(in: 1...40, using: &generator)
            let page = try page(reader, limit: limit)
            try #require(page["serverErrorCode"].isAbsent, "SEED=\(seed) \(page)")
            #expect(page["records"].elements.count <= Int(limit))
            for record in page["records"].elements {
                let name = try #require(record["recordName"].string)
                reader.copy[name] = record["deleted"] == true ? nil : record["recordChangeTag"].string
            }
            reader.token = page["syncToken"]
            read += 1
            if page["moreComing"] == false { return }
        }
    }
}
