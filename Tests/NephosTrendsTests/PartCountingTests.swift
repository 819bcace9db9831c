import CloudKitWire
import NephosAdmin
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

@testable import NephosTrends

/// docs/trends.md, "Lists and values".
@Suite struct PartCountingTests {
    private static let settings = #"""
        {"splits":[{"type":"Post","field":"version"},{"type":"Post","field":"level"}],
         "lists":[{"type":"Post","field":"names","of":"all"},{"type":"Post","field":"names"},
                  {"type":"Post","field":"names","of":"record: r3"}]}
        """#

    @Test(
        "Elements of lists and values of fields equal a recount, whatever changes (S4-12, S4-13)",
        arguments: 1...6 as ClosedRange<UInt64>)
    func model(seed: UInt64) async throws {
        var chance = SeededGenerator(seed: seed)
        let own = PartModel(try await TrendCloud(seed: seed))
        if seed % 2 == 0 {
            // Earlier records are being counted back: until then, only the current numbers match.
            for _ in 0..<30 { try await own.step(&chance) }
        }
        try await own.cloud.set(Self.settings)
        for _ in 0..<90 {
            try await own.step(&chance)
            if Int.random(in: 0..<4, using: &chance) == 0 { _ = try await own.cloud.countBack(2) }
            if Int.random(in: 0..<9, using: &chance) == 0 { await own.cloud.fold() }
        }
        while try await own.cloud.countBack(3) {}
        for _ in 0..<2 {
            for (field, value) in [("version", \PartModel.Post.version), ("level", \.level)] {
                let told = try own.values(of: field)
                #expect(told == own.live.values.reduce(into: [:]) { $0[$1[keyPath: value], default: 0] += 1 })
                if seed % 2 == 1 {
                    let (told, real) = (try own.sums(of: field), own.recount(value))
                    #expect(told == real, "seed \(seed): \(field)")
                }
            }
            let lists = try own.lists()
            #expect(lists == own.lengths, "seed \(seed)")
            await own.cloud.fold()
        }
        if seed % 2 == 1 {
            let (told, real) = (try own.deltas(), own.longer.mapValues { $0.filter { $0.value != 0 } })
            #expect(told == real, "seed \(seed)")
        }
        #expect(try own.cloud.cloud.check() == [])
    }

    @Test(
        "Records counted later while others are saved have the days that they would have had",
        arguments: [1, 2, 5, 100])
    func history(chunk: Int) async throws {
        let own = PartModel(try await TrendCloud())
        for names in [3, 1, 2, 2, 5, 1, 4] as [Int] {
            own.cloud.now += 86_400_000
            try own.create(names: names)
        }
        try await own.cloud.set(Self.settings)
        for names in [2, 9, 1] as [Int] {
            _ = try await own.cloud.countBack(chunk)
            own.cloud.now += 86_400_000
            try own.create(names: names)
        }
        while try await own.cloud.countBack(chunk) {}
        for _ in 0..<2 {
            let told = try own.deltas()
            #expect(told == own.longer)
            await own.cloud.fold()
        }
        #expect(try own.cloud.cloud.check() == [])
    }

    // docs/trends.md, "Lists and values"
    @Test("Values of a field that one person invents do not keep frequent ones from being counted by themselves")
    func invented() async throws {
        let own = try await TrendCloud()
        try await own.set(#"{"splits":[{"type":"Post","field":"version"}]}"#)
        while try await own.countBack(100) {}
        func save(_ values: [String], _ prefix: String) async throws {
            for start in stride(from: 0, to: values.count, by: 100) {
                let operations = (start..<min(start + 100, values.count)).map {
                    TrendCloud.save(
                        "Post", "\(prefix)\($0)", fields: #""version":{"value":"\#(values[$0])"}"#)
                }
                #expect(try own.modify(operations).allSatisfy { $0 == "" })
                await own.fold()
            }
        }
        try await save((0..<250).map { "junk \($0)" }, "j")
        try await save(Array(repeating: "2.3", count: 9), "r")
        func live() throws -> [String: Int64] {
            let answer = try JSON(reading: try own.series("type=Post&split=version&last=1&form=columns").body)
            return answer["series"].elements.reduce(into: [:]) {
                $0[$1["split"].string ?? ""] = $1["live"].elements.last?.int64
            }
        }
        #expect(try live()["2.3"] == 9 && live()["other"] == 51 && live().values.reduce(0, +) == 259)
        #expect(try own.cloud.check() == [])
        // Once the invented ones are deleted there is room for all.
        #expect(try own.modify((0..<100).map { TrendCloud.delete("j\($0)") }).allSatisfy { $0 == "" })
        await own.fold()
        try await save(["3.0", "3.1", "3.2"], "v")
        #expect(try live()["3.0"] == 1 && live()["3.2"] == 1 && live()["2.3"] == 9)
        #expect(try own.cloud.check() == [])
    }

    // docs/decisions/0057
    @Test("The check finds a row of a rare value that is wrong, and one of a value that nothing has")
    func rareRows() async throws {
        let own = try await TrendCloud()
        try await own.set(#"{"splits":[{"type":"Post","field":"version"}]}"#)
        while try await own.countBack(100) {}
        for start in stride(from: 0, to: 210, by: 70) {
            let operations = (start..<start + 70).map {
                TrendCloud.save("Post", "r\($0)", fields: #""version":{"value":"v\#($0)"}"#)
            }
            #expect(try own.modify(operations).allSatisfy { $0 == "" })
            if start < 140 { await own.fold() }
        }
        let check = TrendCheck(own.cloud.administration, own.store)
        // Before and after the last ones are added up.
        #expect(try check.report() == .init())
        await own.fold()
        #expect(try check.report() == .init())
        let all = try own.store.rows(TrendRareRow.all(of: .inPublic))
        let row = try #require(all.first)
        #expect(all.count == 10 && all.allSatisfy { $0.count == 1 })
        var nobodys = row
        nobodys.series.value = Array("nobody's".utf8)
        var reading = ReadSet()
        reading.databases = [Trends.database]
        try await own.store.commit(reading) { [nobodys] _ in
            var set = WriteSet()
            var wrong = row
            wrong.count += 1
            set.put(wrong, replacing: row)
            set.put(nobodys)
            return .write(set, ())
        }
        #expect(
            try check.report().findings == [
                CheckFinding(
                    table: TrendRareRow.table.name,
                    what: "Post.version.nobody's: the rows of rare values say 1, but there are 0"),
                CheckFinding(
                    table: TrendRareRow.table.name,
                    what: "Post.version.\(row.series.valueText): the rows of rare values say 2, but there are 1"),
            ])
    }

    @Test("The maximum number of lists and splits is started and counted back (docs/trends.md, limits)")
    func full() async throws {
        let own = try await TrendCloud()
        for number in 0..<40 {
            #expect(try own.modify([TrendCloud.save("Post", "p\(number)", fields: Self.names)]) == [""])
        }
        let lists = (0..<TrendSettings.partsMax).map { #"{"type":"Post","field":"names","of":"record: p\#($0)"}"# }
        try await own.set(#"{"lists":[\#(lists.joined(separator: ","))]}"#)
        // Some are deleted in the meantime, so that no two have progressed equally.
        for number in 0..<3 { #expect(try own.modify([TrendCloud.delete("p\(number)")]) == [""]) }
        for _ in 0..<3 { await own.fold() }
        let told = try JSON(reading: own.series("type=Post&list=names&by=year").body).elements
        #expect(told.count == TrendSettings.partsMax)
        #expect(told.reduce(0) { $0 + ($1["periods"].elements.last?["total"].int64 ?? 0) } == 37 * 2)
        #expect(told.allSatisfy { $0["countingBack"].int64 == nil })
        #expect(try own.cloud.check() == [])
    }

    private static let names = #""names":{"value":["a","b"]}"#

    @Test("The first two hundred values of a field are counted separately, all others together")
    func manyValues() async throws {
        let own = PartModel(try await TrendCloud())
        try await own.cloud.set(Self.settings)
        for batch in 0..<3 {
            let saves = (0..<90).map { number in
                TrendCloud.save(
                    "Post", "p\(batch)-\(number)", fields: #""version":{"value":"v\#(batch * 90 + number)"}"#)
            }
            #expect(try own.cloud.modify(saves).allSatisfy { $0.isEmpty })
            if batch == 1 { await own.cloud.fold() }
        }
        let long = String(repeating: "x", count: 65)
        #expect(
            try own.cloud.modify([TrendCloud.save("Post", "long", fields: #""version":{"value":"\#(long)"}"#)]) == [""])
        for _ in 0..<2 {
            let told = try own.values(of: "version")
            #expect(told.count == 201 && told["other"] == 71 && told["v0"] == 1 && told["v199"] == 1)
            await own.cloud.fold()
        }
        #expect(try own.cloud.modify([TrendCloud.delete("p2-89"), TrendCloud.delete("p0-0")]) == ["", ""])
        let told = try own.values(of: "version")
        #expect(told["other"] == 70 && told["v0"] == nil)
    }

    @Test("A tracker that is removed from the settings and added again starts anew, and is counted back (S4-17)")
    func takenOut() async throws {
        let own = PartModel(try await TrendCloud())
        try await own.cloud.set(Self.settings)
        var chance = SeededGenerator(seed: 3)
        for _ in 0..<30 { try await own.step(&chance) }
        await own.cloud.fold()
        // Nothing is examined in the meantime.
        let catalog = try own.cloud.store.read(ReadSet()).catalog
        try await own.cloud.setAlone(#"{"zone":"UTC"}"#)
        for _ in 0..<9 { try await own.step(&chance) }
        #expect(try own.cloud.series("type=Post&split=version").status == 400)
        try await own.cloud.setAlone(Self.settings)
        #expect(catalog.version + 2 == (try own.cloud.store.read(ReadSet()).catalog.version))
        for _ in 0..<9 { try await own.step(&chance) }
        for _ in 0..<2 { await own.cloud.fold() }
        let lists = try own.lists()
        #expect(lists == own.lengths)
        #expect(
            try own.values(of: "version") == own.live.values.reduce(into: [:]) { $0[$1.version, default: 0] += 1 })
    }

    @Test(
        "A field that is removed from the schema and added again is a new one, counted from its first value (S4-17)"
    )
    func anotherField() async throws {
        let own = try await TrendCloud()
        let splits = #"{"splits":[{"type":"Post","field":"version"}]}"#
        try await own.set(splits)
        // Like that of the program.
        let administration = Administration(
            engine: own.cloud.engine, inputs: own.cloud.inputs.ofOperator, features: [.trends])
        let schema = String(decoding: try administration.exportSchema(of: SmallCloud.tenant), as: UTF8.self)
        func importing(_ schema: String) async throws {
            _ = try await administration.importSchema(Array(schema.utf8), into: SmallCloud.tenant)
        }
        func save(_ name: String, _ version: String) throws {
            let fields = #""version":{"value":"\#(version)"}"#
            #expect(try own.modify([TrendCloud.save("Post", name, fields: fields)]) == [""])
        }
        func told() throws -> [String: Int64] {
            try JSON(reading: own.series("type=Post&split=version").body).elements.reduce(into: [:]) { told, one in
                told[one["split"].string ?? "?"] = one["periods"].elements.last?["live"].int64
            }
        }
        try save("a", "1.0")
        await own.fold()
        #expect(try told() == ["1.0": 1])
        let check = TrendCheck(administration, own.store)
        let without = schema.replacing(/\s*version\s+STRING,/, with: "")
        await #expect(throws: AdminError.self, "settings use it (docs/settings.md)") { try await importing(without) }
        try await own.set(#"{"zone":"UTC"}"#)
        try await importing(without)
        #expect(try check.report().findings == [])
        try await importing(schema)
        try await own.set(splits)
        // Before the first step has run, neither the past nor a difference from it is shown.
        #expect(try told() == [:])
        #expect(try check.report().findings == [])
        // No save happens in the meantime: the settings have requested it.
        await own.fold()
        #expect(try told() == ["": 1])
        try save("b", "2.0")
        #expect(try told() == ["": 1, "2.0": 1])
        #expect(try check.report() == .init())
    }

    @Test(
        "Invalid settings of lists and splits are rejected",
        arguments: [
            #"{"splits":[{"type":"Post"}]}"#, #"{"splits":[{"type":"Post","field":""}]}"#,
            #"{"splits":[{"type":"Post","field":"a","of":"all"}]}"#,
            #"{"splits":[{"type":"Post","field":"a"},{"type":"Post","field":"a"}]}"#,
            #"{"splits":[{"type":"P","field":"a"},{"type":"P","field":"b"},{"type":"P","field":"c"},{"type":"P","field":"d"}]}"#,
            #"{"lists":[{"type":"Post","field":"names","of":"oldest"}]}"#,
            #"{"lists":[{"type":"Post","field":"names","of":"record: "}]}"#, #"{"lists":{}}"#,
        ])
    func wrong(document: String) async throws {
        let own = try await TrendCloud()
        await #expect(throws: (any Error).self) { try await own.set(document) }
    }

    @Test("A query for something that is not counted is rejected with how to count it")
    func refused() async throws {
        let own = try await TrendCloud()
        try await own.set(Self.settings)
        for (query, reason) in [
            ("split=text", "under trends.splits"), ("type=Note&split=version", "Note is not split by"),
            ("list=version", "under trends.lists"), ("split=version&list=names", "not both"),
            ("type=Post&split=version&private=1", "public database only"),
        ] {
            let answer = try own.series(query)
            #expect(answer.status == 400 && String(decoding: answer.body, as: UTF8.self).contains(reason), "\(query)")
        }
    }
}

/// A ``TrendCloud`` with posts that have a version, a level and a list of names, and a simple model of them.
final class PartModel {
    struct Post: Equatable {
        var version: String
        var level: String
        var names: Int
        let createdAt: Milliseconds
        let order: Int
    }

    let cloud: TrendCloud
    private(set) var live: [String: Post] = [:]
    private var trash: [String: Post] = [:]
    private var order = 0
    /// Of each value: created, deleted, restored, and the net number of changes to it.
    private var events: [(path: KeyPath<Post, String>, value: String, place: Int, count: Int64)] = []
    /// The growth of lists on each day in UTC, by what is counted: all, the newest, and r3.
    private(set) var longer: [String: [Int64: Int64]] = [:]

    init(_ cloud: TrendCloud) { self.cloud = cloud }

    func step(_ chance: inout SeededGenerator) async throws {
        cloud.now += Int64.random(in: 0...9, using: &chance) * 3_000_000
        let before = lengths
        let name = "r\(Int.random(in: 0..<8, using: &chance))"
        switch Int.random(in: 0..<10, using: &chance) {
        case 0...5:
            let version = ["", "1.0", "1.1", "2,\\\"0"].randomElement(using: &chance) ?? ""
            let level = ["", "1", "-2"].randomElement(using: &chance) ?? ""
            let count = Int.random(in: 0...3, using: &chance)
            var fields: [String] = []
            if !version.isEmpty { fields.append(#""version":{"value":"\#(version)"}"#) }
            if !level.isEmpty { fields.append(#""level":{"value":\#(level)}"#) }
            if count > 0 {
                let names = (0..<count).map { #""n\#($0)""# }.joined(separator: ",")
                fields.append(#""names":{"value":[\#(names)]}"#)
            }
            let save = TrendCloud.save("Post", name, "forceReplace", fields: fields.joined(separator: ","))
            #expect(try cloud.modify([save]) == [""])
            saved(name, version.replacing("\\", with: ""), level, count)
        case 6...7:
            #expect(try cloud.modify([TrendCloud.delete(name)]) == [""])
            guard let post = live.removeValue(forKey: name) else { break }
            trash[name] = post
            note(1, post)
        default:
            guard let name = trash.keys.sorted().randomElement(using: &chance), live[name] == nil else { return }
            _ = try await cloud.cloud.administration.restoreRecord(named: name, in: SmallCloud.tenant)
            guard var post = trash.removeValue(forKey: name) else { return }
            order += 1
            post = Post(
                version: post.version, level: post.level, names: post.names, createdAt: post.createdAt, order: order)
            live[name] = post
            note(2, post)
        }
        note(since: before)
    }

    /// Saves a new record with this many elements in its list.
    func create(names count: Int) throws {
        let before = lengths
        let names = (0..<count).map { #""n\#($0)""# }.joined(separator: ",")
        let name = "c\(order)"
        #expect(
            try cloud.modify([TrendCloud.save("Post", name, fields: #""names":{"value":[\#(names)]}"#)]) == [""])
        saved(name, "", "", count)
        note(since: before)
    }

    private func note(since before: [String: Int64]) {
        for (what, length) in lengths where length != before[what] {
            longer[what, default: [:]][cloud.now / 86_400_000, default: 0] += length - (before[what] ?? 0)
        }
    }

    private func saved(_ name: String, _ version: String, _ level: String, _ count: Int) {
        guard let old = live[name] else {
            order += 1
            let post = Post(version: version, level: level, names: count, createdAt: cloud.now, order: order)
            (live[name], trash[name]) = (post, nil)
            return note(0, post)
        }
        let new = Post(version: version, level: level, names: count, createdAt: old.createdAt, order: old.order)
        live[name] = new
        for path in [\Post.version, \.level] where old[keyPath: path] != new[keyPath: path] {
            events.append((path, old[keyPath: path], 3, -1))
            events.append((path, new[keyPath: path], 3, 1))
        }
    }

    private func note(_ place: Int, _ post: Post) {
        for path in [\Post.version, \.level] { events.append((path, post[keyPath: path], place, 1)) }
    }

    var lengths: [String: Int64] {
        let newest = live.values.max { ($0.createdAt, $0.order) < ($1.createdAt, $1.order) }
        return [
            "all": Int64(live.values.reduce(0) { $0 + $1.names }), "newest": Int64(newest?.names ?? 0),
            "record: r3": Int64(live["r3"]?.names ?? 0),
        ]
    }

    func recount(_ path: KeyPath<Post, String>) -> [String: [Int64]] {
        events.filter { $0.path == path }.reduce(into: [:]) { sums, event in
            sums[event.value, default: [0, 0, 0, 0]][event.place] += event.count
        }
    }

    // MARK: Figures

    /// The number of records with each value that exists.
    func values(of field: String) throws -> [String: Int] {
        try JSON(reading: cloud.series("type=Post&split=\(field)&by=year").body).elements.reduce(into: [:]) {
            sums, one in
            let live = one["periods"].elements.last?["live"].int64 ?? -1
            if live != 0 { sums[one["split"].string ?? "?"] = Int(live) }
        }
    }

    func sums(of field: String) throws -> [String: [Int64]] {
        try JSON(reading: cloud.series("type=Post&split=\(field)").body).elements.reduce(into: [:]) { sums, one in
            for row in one["periods"].elements {
                for (place, name) in ["created", "deleted", "restored", "moved"].enumerated() {
                    sums[one["split"].string ?? "?", default: [0, 0, 0, 0]][place] += row[name].int64 ?? -999
                }
            }
        }
    }

    func lists() throws -> [String: Int64] {
        try JSON(reading: cloud.series("type=Post&list=names&by=year").body).elements.reduce(into: [:]) { sums, one in
            sums[one["of"].string ?? "?"] = one["periods"].elements.last?["total"].int64 ?? -1
        }
    }

    func deltas() throws -> [String: [Int64: Int64]] {
        try JSON(reading: cloud.series("type=Post&list=names").body).elements.reduce(into: [:]) { sums, one in
            for row in one["periods"].elements {
                let day = try #require(CivilDate(row["start"].string ?? "")).days
                let delta = row["delta"].int64 ?? -999
                if delta != 0 { sums[one["of"].string ?? "?", default: [:]][day] = delta }
            }
        }
    }
}
