import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

/// docs/decisions/0033: a watcher is notified once of everything that appears and ends.
@Suite("Due events") struct DueEventTests {
    private typealias Cloud = RuleCloud
    private static let hour: Milliseconds = 3_600_000

    /// A watcher of posts, so that events are recorded.
    private func watched() async throws -> RuleCloud {
        let own = try await RuleCloud()
        let subscription = """
            {"operations":[{"operationType":"create","subscription":{"subscriptionID":"s","subscriptionType":"query",\
            "query":{"recordType":"Post"},"firesOn":["create","update","delete"]}}]}
            """
        let answer = try own.ask("subscriptions/modify", subscription, as: .friend)
        #expect(answer["subscriptions"].elements.first?["subscriptionID"].string == "s")
        return own
    }

    private func rows(_ own: RuleCloud) throws -> [Name: Milliseconds] {
        let rows = try own.store.rows(DueEventRow.due(by: .max, limit: 1_000))
        return Dictionary(uniqueKeysWithValues: rows.map { ($0.name, $0.at) })
    }

    private func events(_ own: RuleCloud) throws -> [String] {
        try own.store.rows(ChangeEventRow.oldest(in: 1, limit: 10_000)).map { "\($0.kind) \($0.name)" }
    }

    private func move(to time: Milliseconds, _ own: RuleCloud) async {
        own.cloud.inputs.now = time
        await own.cloud.runDueEvents()
    }

    @Test("A post appears and ends at its times, with its change tag unchanged")
    func moments() async throws {
        let own = try await watched()
        let now = SmallCloud.now
        _ = try own.modify([Cloud.post("p", opens: now + Self.hour, ends: now + 2 * Self.hour)])
        let before = try events(own)
        let look = #"{"records":[{"recordName":"p"}]}"#
        let tag = try own.ask("records/lookup", look)["records"].elements.first?["recordChangeTag"].string
        await move(to: now + Self.hour - 1, own)
        #expect(try events(own) == before && rows(own) == ["p": now + Self.hour])
        await move(to: now + Self.hour, own)
        #expect(try events(own) == before + ["appeared p"] && rows(own) == ["p": now + 2 * Self.hour])
        await move(to: now + Self.hour, own)
        #expect(try events(own) == before + ["appeared p"])
        await move(to: now + 3 * Self.hour, own)
        #expect(try events(own) == before + ["appeared p", "ended p"] && rows(own) == [:])
        let after = try own.ask("records/lookup", look)["records"].elements.first?["recordChangeTag"].string
        #expect(tag != nil && tag == after)
        #expect(try own.cloud.check() == [])
    }

    @Test("Content that appeared and ended while no server ran causes no event")
    func downtime() async throws {
        let own = try await watched()
        let now = SmallCloud.now
        _ = try own.modify([
            Cloud.post("brief", opens: now + Self.hour, ends: now + 2 * Self.hour), Cloud.post("long", opens: now + 1),
        ])
        let before = try events(own)
        await move(to: now + 48 * Self.hour, own)
        #expect(try events(own) == before + ["appeared long"] && rows(own) == [:])
    }

    @Test("A save between a time and its recording loses neither, and hiding again is an end")
    func savesBetween() async throws {
        let own = try await watched()
        let now = SmallCloud.now
        _ = try own.modify([
            Cloud.post("p", opens: now + Self.hour), Cloud.post("q", opens: now, ends: now + Self.hour),
        ])
        let before = try events(own)
        own.cloud.inputs.now = now + Self.hour + 1
        // A correction, after the moment and before it was recorded.
        _ = try own.modify([Cloud.post("p", opens: now + Self.hour)])
        _ = try own.modify([Cloud.delete("q")])
        #expect(try events(own) == before + ["updated p", "appeared p", "deletedHidden q", "ended q"])
        await own.cloud.runDueEvents()
        _ = try own.modify([Cloud.post("p", opens: now + 9 * Self.hour)])
        #expect(try events(own).suffix(2) == ["updatedHidden p", "ended p"])
        #expect(try own.cloud.check() == [])
    }

    @Test("A record in a private database appears to nobody else")
    func personal() async throws {
        let own = try await RuleCloud()
        _ = try own.modify([Cloud.post("p", opens: SmallCloud.now + Self.hour)], "private")
        #expect(try rows(own) == [:])
    }

    /// The model of a post.
    private struct Post {
        var opens, ends: Milliseconds?
        /// When it was examined last.
        var seenAt: Milliseconds

        var next: Milliseconds? { [opens, ends].compactMap(\.self).filter { $0 > seenAt }.min() }

        /// According to the last examination.
        func wasOpen(at time: Milliseconds) -> Bool {
            guard let next, next <= time else { return isOpen(at: time) }
            return isOpen(at: next - 1)
        }

        func isOpen(at time: Milliseconds) -> Bool {
            opens.map { $0 <= time } ?? false && ends.map { $0 > time } ?? true
        }
    }

    private static func turned(_ words: String) -> String {
        words.split(separator: " ").reversed().joined(separator: " ")
    }

    @Test("After any saves, deletions and pauses, rows and events match the model", arguments: Seeds.all(4))
    func model(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let own = try await watched()
        var (time, posts, expected) = (SmallCloud.now, [Name: Post](), [String]())
        for _ in 0..<80 {
            let name = "p\(Int.random(in: 0..<5, using: &random))"
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                let opens = time + Milliseconds.random(in: -3...6, using: &random) * Self.hour
                let ends =
                    Bool.random(using: &random)
                    ? opens + Milliseconds.random(in: 1...4, using: &random) * Self.hour : nil
                #expect(try own.modify([Cloud.post(name, opens: opens, ends: ends, "forceReplace")]) == [""])
                let (old, new) = (posts[Name(name)], Post(opens: opens, ends: ends, seenAt: time))
                let change = old == nil ? "created" : "updated"
                expected.append("\(change)\(new.isOpen(at: time) ? "" : "Hidden") \(name)")
                if let old, old.wasOpen(at: time) != new.isOpen(at: time) {
                    expected.append("\(new.isOpen(at: time) ? "appeared" : "ended") \(name)")
                }
                posts[Name(name)] = new
            case 5..<7:
                #expect(try own.modify([Cloud.delete(name)]) == [""])
                if let old = posts.removeValue(forKey: Name(name)) {
                    expected.append("deleted\(old.isOpen(at: time) ? "" : "Hidden") \(name)")
                    if old.wasOpen(at: time), !old.isOpen(at: time) { expected.append("ended \(name)") }
                }
            case 7:
                // Events in the meantime are not recorded.
                time += Milliseconds.random(in: 0...3, using: &random) * Self.hour
                own.cloud.inputs.now = time
            default:
                time += Milliseconds.random(in: 0...3, using: &random) * Self.hour
                await move(to: time, own)
                var due: [(Milliseconds, String)] = []
                for (name, post) in posts where post.next.map({ $0 <= time }) ?? false {
                    let moment = post.next ?? 0
                    let (was, isOpen) = (post.isOpen(at: moment - 1), post.isOpen(at: time))
                    if was != isOpen { due.append((moment, "\(name) \(isOpen ? "appeared" : "ended")")) }
                    posts[name]?.seenAt = time
                }
                expected += due.sorted { $0 < $1 }.map { Self.turned($0.1) }
            }
            #expect(try rows(own) == posts.compactMapValues(\.next), "seed \(seed)")
            #expect(try events(own) == expected, "seed \(seed)")
        }
        #expect(try own.cloud.check() == [], "seed \(seed)")
    }
}
