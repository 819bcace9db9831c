import Audience
import CloudKitWire
import NephosAdmin
import NephosBackend
import NephosDomain
import NephosNetwork
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

@testable import NephosTrends

/// docs/clients.md.
@Suite("What clients report") struct ClientTests {
    private static let day: Milliseconds = 86_400_000

    private let own: TrendCloud

    init() async throws {
        own = try await TrendCloud()
    }

    private func set(_ document: String) async throws {
        let known = try own.store.read(ReadSet()).catalog.knownSections
        let change = try ChangeSections(["clients": Array(document.utf8)[...]], of: known, by: "ada", now: own.now)
        _ = try await own.store.commit(change.reading, decide: change.decide)
    }

    /// Sends a request with the app's description of itself.
    private func say(_ header: String, as caller: SmallCloud.Caller = .app) throws {
        let answer = try own.cloud.ask(
            "POST", "/database/1/\(SmallCloud.container)/development/public/records/lookup",
            #"{"records":[{"recordName":"n1"}]}"#, headers: [("X-Nephos-App", header)], as: caller)
        #expect(answer.status == 200, "\(header): \(answer.text)")
    }

    /// Has the reports written, as a server does when it stops.
    private func write() async throws {
        let services = own.cloud.backend.features.compactMap(\.run)
        let task = Task { for run in services { await run() } }
        task.cancel()
        await task.value
        #expect(try ClientCheck.report(own.cloud.administration, own.store) == .init())
        #expect(try own.cloud.check() == [])
    }

    /// The number of clients that have each value now.
    private func spread(_ property: String) throws -> [String: Int64] {
        let answer = try JSON(reading: try own.series("clients=1&split=\(property)&last=1&form=columns").body)
        var spread: [String: Int64] = [:]
        for series in answer["series"].elements {
            guard let live = series["live"].elements.last?.int64, live != 0 else { continue }
            spread[series["split"].string ?? ""] = live
        }
        return spread
    }

    private func total() throws -> [Int64] {
        let answer = try JSON(reading: try own.series("clients=1&last=1&form=columns").body)["series"].elements[0]
        return ["created", "deleted", "live"].map { answer[$0].elements.last?.int64 ?? -1 }
    }

    @Test("Clients are counted only if the operator turned it on, and are not informed either way")
    func off() async throws {
        try say("2.3;iOS;17.5;es-MX;phone")
        try await set(#"{"report":true}"#)
        #expect(try spread("version") == [:])
        try await write()
        #expect(try total() == [0, 0, 0])
        try await set("{}")
        try say("2.3;iOS;17.5;es-MX;phone")
        try await write()
        #expect(try own.store.rows(ClientRow.page(after: [], limit: 10)).isEmpty)
        let refused = try own.series("clients=1")
        #expect(refused.status == 400 && String(decoding: refused.body, as: UTF8.self).contains("report: true"))
        #expect(try !own.ask("groups").text.contains("clients"))
    }

    @Test("Other features can list clients as conditions see them, and learn if none are counted")
    func lent() async throws {
        let administration = Administration(
            engine: own.cloud.engine, inputs: own.cloud.inputs.ofOperator, features: [.trends])
        var found: [EvaluationContext] = []
        #expect(try !administration.forEachClient(of: own.store, now: own.now) { found.append($0) })
        try await set(#"{"report":true}"#)
        try say("2.3;iOS;17.5;es-MX;phone")
        try say("2.4;iOS;18;en;tablet")
        try await write()
        #expect(try administration.forEachClient(of: own.store, now: own.now) { found.append($0) })
        #expect(
            Set(found.map { "\($0.locale?.description ?? "") \($0.appVersion == Version("2.3"))" }) == [
                "es-MX true", "en false",
            ])
        #expect(found.allSatisfy { $0.platform == "ios" && $0.now == own.now })
    }

    @Test("A person is one client on all devices, and a device without a person is one")
    func counted() async throws {
        try await set(#"{"report":true}"#)
        try say("2.3;iOS;17.5;es-MX", as: .person)
        try say("2.4;macOS;14;es-MX;another", as: .person)
        try say("2.3;Android;14;de;phone")
        try say("2.3;Android;14;de;phone")
        try say(" 2.4 ; Android ; 13 ; ;tablet")
        // A program with a key, and an app that identifies no device.
        try say("9;Linux;6;en", as: .key)
        try say("9;Linux;6;en")
        try await write()
        #expect(try total() == [3, 0, 3])
        #expect(try spread("version") == ["2.3": 2, "2.4": 1])
        #expect(try spread("platform") == ["ios": 1, "android": 2])
        #expect(try spread("system") == ["17.5": 1, "14": 1, "13": 1])
        #expect(try spread("language") == ["es": 1, "de": 1, "": 1])
        #expect(try spread("region") == ["MX": 1, "": 2])
        #expect(try own.ask("groups").text.contains(#"{"clients":"1"}"#))
        let rows = try own.store.rows(ClientRow.page(after: [], limit: 10))
        #expect(rows.count == 3 && rows.allSatisfy { $0.client.count == 16 })
    }

    @Test(
        "An invalid or too long header is not counted and causes no error",
        arguments: [
            "", ";;;", ";;;C;d", "2.3", "2.3;iOS;17;en;d;e", "2.3;iOS;17;en;" + String(repeating: "d", count: 65),
            String(repeating: ";", count: 10_000),
        ])
    func bad(header: String) async throws {
        try await set(#"{"report":true}"#)
        try say(header)
        try await write()
        #expect(try total() == [0, 0, 0])
    }

    @Test("A word that cannot be read is not known, and the others count; a leading v of a version does not matter")
    func odd() async throws {
        try await set(#"{"report":true}"#)
        for (place, header) in [
            "2.3;iOS;17.5;no language", "2.3;iOS;17.5;", "2.3;iOS;17.5;C", "2.3;iOS;17.5;en_US_POSIX",
            "v2.3;iOS;V17.5;es_MX.UTF-8", "2.3\u{7};iOS;17.5;es-MX", String(repeating: "1", count: 33) + ";iOS;;es-MX",
            "nightly;iOS;17.5;es-419",
        ].enumerated() { try say("\(header);phone\(place)") }
        try await write()
        #expect(try spread("version") == ["2.3": 5, "": 2, "nightly": 1])
        #expect(try spread("system") == ["17.5": 7, "": 1] && spread("platform") == ["ios": 8])
        #expect(try spread("language") == ["": 4, "es": 4] && spread("region") == ["": 4, "MX": 3, "419": 1])
        let contexts = try own.store.rows(ClientRow.page(after: [], limit: 10)).map { $0.context(now: own.now) }
        #expect(contexts.count { $0.appVersion == Version("2.3") } == 5 && contexts.count { $0.country == "MX" } == 3)
        #expect(contexts.count { $0.locale == nil } == 4 && contexts.allSatisfy { $0.country?.count ?? 2 == 2 })
    }

    @Test("A client is stored once a day, is moved when its values change, and is removed after inactivity")
    func days() async throws {
        try await set(#"{"report":true,"keepDays":3}"#)
        for device in ["a", "b"] { try say("2.3;iOS;17;en;\(device)") }
        try await write()
        try say("2.4;iOS;17;en;a")
        try await write()
        #expect(try spread("version") == ["2.3": 2])
        own.now += Self.day
        for _ in 0..<2 {
            try say("2.4;iOS;17;en;a")
            try await write()
        }
        #expect(try spread("version") == ["2.3": 1, "2.4": 1])
        own.now += 2 * Self.day
        await own.cloud.runDueJobs()
        #expect(try total() == [0, 0, 2])
        own.now += Self.day
        await own.cloud.runDueJobs()
        #expect(try total() == [0, 1, 1] && spread("version") == ["2.4": 1])
        own.now += Self.day
        await own.cloud.runDueJobs()
        try await write()
        #expect(try total() == [0, 1, 0] && spread("version") == [:])
        #expect(try own.store.rows(ClientRow.page(after: [], limit: 10)).isEmpty)
        try say("2.5;iOS;17;en;b")
        try await write()
        #expect(try total() == [1, 1, 1] && spread("version") == ["2.5": 1])
    }

    @Test("Whatever clients report on whichever days, the sums equal those of a plain list", arguments: Seeds.all(4))
    func model(seed: UInt64) async throws {
        var chance = SeededGenerator(seed: seed)
        try await set(#"{"report":true,"keepDays":4}"#)
        var known: [String: (day: Int64, version: String)] = [:]
        for _ in 0..<12 {
            for _ in 0..<Int.random(in: 1...20, using: &chance) {
                let (device, version) = (
                    "d\(Int.random(in: 1...40, using: &chance))", "1.\(Int.random(in: 1...230, using: &chance))"
                )
                try say("\(version);iOS;17;en;\(device)")
                let day = own.now / Self.day
                if known[device].map({ $0.day < day }) ?? true { known[device] = (day, version) }
            }
            try await write()
            own.now += Milliseconds(Int.random(in: 0...2, using: &chance)) * Self.day / 2
            await own.cloud.runDueJobs()
            let day = own.now / Self.day
            known = known.filter { $0.value.day >= day - 4 }
            try await write()
            #expect(try total()[2] == Int64(known.count))
            let spread = try spread("version").filter { $0.key != "other" }
            for (version, count) in spread {
                #expect(count <= Int64(known.values.count { $0.version == version }), "\(version)")
            }
        }
    }

    // docs/clients.md, "Reading reports"
    @Test("The most frequent values are counted by themselves, even if hundreds were invented before them")
    func invented() async throws {
        try await set(#"{"report":true}"#)
        for number in 0..<400 { try say("0.\(number);iOS;17;en;junk\(number)") }
        try await write()
        #expect(try spread("version").count == 201 && spread("version")["other"] == 200)
        for number in 0..<20 { try say("2.3;iOS;17;en;real\(number)") }
        for number in 0..<5 { try say("2.4;iOS;17;en;new\(number)") }
        try await write()
        var spread = try spread("version")
        #expect(spread["2.3"] == 20 && spread["2.4"] == 5 && spread["other"] == 202 && spread.count == 201)
        // Its history is that of one who moved.
        own.now += Self.day
        for number in 0..<20 { try say("2.5;iOS;17;en;real\(number)") }
        try await write()
        spread = try self.spread("version")
        #expect(spread["2.5"] == 20 && spread["2.4"] == 5 && spread["2.3"] == nil)
        #expect(spread.values.reduce(0, +) == 425 && spread.keys.count <= 201)
    }

    // docs/clients.md, "What is stored"
    @Test("One network can invent 1,000 devices a day, and others still report")
    func networks() async throws {
        try await set(#"{"report":true}"#)
        func say(_ device: String, from network: String, as caller: SmallCloud.Caller = .app) throws {
            var request = own.cloud.request(
                "POST", "/database/1/\(SmallCloud.container)/development/public/records/lookup",
                headers: [("X-Nephos-App", "2.3;iOS;17;en;\(device)")],
                body: Array(#"{"records":[{"recordName":"n1"}]}"#.utf8), as: caller)
            request.network = NetworkAddress(network).map { ClientNetwork($0) }
            guard case .answer(let answer) = own.cloud.responder.outcome(of: request) else {
                Issue.record("no answer")
                return
            }
            #expect(answer.status == 200)
        }
        for number in 0..<1_100 { try say("invented\(number)", from: "2001:db8::") }
        try say("phone", from: "192.0.2.1")
        try say("", from: "2001:db8::", as: .person)
        try await write()
        #expect(try total() == [1_002, 0, 1_002])
        try say("late", from: "2001:db8::")
        try await write()
        #expect(try total() == [1_002, 0, 1_002])
        // Known devices are no invention.
        own.now += Self.day
        for number in 0..<1_000 { try say("invented\(number)", from: "2001:db8::") }
        try say("next", from: "2001:db8::")
        try await write()
        #expect(try total() == [1, 0, 1_003])
    }

    private func item(_ address: String) throws -> ClientReports.Item {
        ClientReports.Item(
            client: .device("phone \(address)"), report: try #require(ClientReport("2.3;iOS;17;en;phone")),
            network: ClientNetwork(try #require(NetworkAddress(address))))
    }

    @Test("The networks of a site share what the site may have")
    func sites() async throws {
        try await set(#"{"report":true}"#)
        let item = try item("2001:db8:0:7::1")
        let site = try #require(item.network?.counted.last?.block)
        let catalog = try own.store.read(ReadSet()).catalog
        for (count, stored) in [(16_000, 0), (15_999, 1)] {
            let step = SaveReports([item], catalog, new: [site: count], now: own.now)
            _ = try await own.store.commit(step.reading, decide: step.decide)
            #expect(try own.store.rows(ClientRow.page(after: [], limit: 10)).count == stored)
        }
    }

    @Test("New devices are counted for each network on each day, and those of networks beyond 10,000 together")
    func shares() throws {
        let (reports, tenant) = (ClientReports(), SmallCloud.tenant)
        let first = try item("2001:db8::1")
        let blocks = try #require(first.network?.counted.map(\.block))
        func count(_ item: ClientReports.Item, on day: Int64) -> [Int] {
            let new = reports.new([item], of: tenant, on: day)
            return item.network?.counted.map { new[$0.block] ?? -1 } ?? []
        }
        #expect(count(first, on: 1) == [0, 0])
        reports.note(new: [blocks[0]: 3, blocks[1]: 5], of: tenant, on: 1)
        #expect(count(first, on: 1) == [3, 5])
        #expect(count(first, on: 2) == [0, 0])
        // A commit that began yesterday.
        reports.note(new: [blocks[0]: 4, blocks[1]: 6], of: tenant, on: 1)
        #expect(count(first, on: 2) == [0, 0])
        reports.note(new: [blocks[0]: 3, blocks[1]: 5], of: tenant, on: 2)
        for number in 0..<10_000 {
            let other = try item("198.\(18 + number / 65_536).\(number / 256 % 256).\(number % 256)")
            let block = try #require(other.network?.counted.first?.block)
            reports.note(new: [block: (reports.new([other], of: tenant, on: 2)[block] ?? 0) + 1], of: tenant, on: 2)
        }
        // The first have kept theirs; the last two, and all further ones, have one share.
        #expect(count(first, on: 2) == [3, 5])
        #expect(try count(item("203.0.113.1"), on: 2) == [2] && count(item("203.0.113.2"), on: 2) == [2])
    }

    @Test("The check finds a changed sum")
    func check() async throws {
        try await set(#"{"report":true}"#)
        try say("2.3;iOS;17.5;es-MX;phone")
        try await write()
        let scan = TrendSumRow.of([ClientSeries.of(.version, "2.3")])
        var set = ReadSet()
        set.databases = [Trends.database]
        set.ask(scan)
        try await own.store.commit(set) { reading in
            var writes = WriteSet()
            for old in reading[scan] {
                var new = old
                new.counts.created += 1
                writes.put(new, replacing: old)
            }
            return .write(writes, ())
        }
        #expect(
            try ClientCheck.report(own.cloud.administration, own.store).findings.map(\.what)
                == ["there are 1 clients 2.3, but 2 are counted"])
    }

    @Test(
        "Clients are queried without types, by their own properties",
        arguments: [
            ("clients=2", "clients must be 1 or 0"), ("clients=1&type=Note", "clients have no type"),
            ("clients=1&private=1", "clients have no type"),
            ("clients=1&list=names", "clients can be split by version"),
            ("clients=1&split=color", "clients can be split by version, platform, system, language, region"),
        ])
    func refused(query: String, reason: String) async throws {
        try await set(#"{"report":true}"#)
        let answer = try own.series(query)
        #expect(answer.status == 400 && String(decoding: answer.body, as: UTF8.self).contains(reason), "\(query)")
    }

    @Test(
        "Invalid settings are rejected",
        arguments: [
            #"{"report":1}"#, #"{"keepDays":0}"#, #"{"keepDays":401}"#, #"{"keep":1}"#, "[]",
        ])
    func settings(document: String) async throws {
        await #expect(throws: (any Error).self) { try await self.set(document) }
    }

    @Test("A person who leaves is counted as gone, and nobody else")
    func leaving() async throws {
        try await set(#"{"report":true}"#)
        try say("2.4;iOS;18;en", as: .person)
        try say("2.4;iOS;18;en", as: .friend)
        try await write()
        let account = try #require(try own.cloud.engine.account(email: "ada@example.org"))
        let user = try #require(try own.store.rows(UserRow.from([(.account, account.id)])).first)
        let worker = Worker(Runner(engine: own.cloud.engine), clock: { [inputs = own.cloud.inputs] in inputs.now })
        let before = try own.store.rows(ClientRow.page(after: [], limit: 10))
        for _ in 0..<2 {
            try await Feature.trends.leaving(LeavingPerson(user: user, store: own.store, worker: worker))
        }
        let left = try own.store.rows(ClientRow.page(after: [], limit: 10))
        #expect(before.count == 2 && left.count == 1)
        try await write()
    }
}
