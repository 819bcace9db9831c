import CloudKitWire
import NephosAdmin
import NephosSQLite
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

@testable import NephosTrends

/// docs/trends.md, "Counting back".
@Suite struct BackfillTests {
    @Test(
        "Earlier records are counted once each, while records are created, deleted and restored (S4-16)",
        arguments: 1...10 as ClosedRange<UInt64>)
    func model(seed: UInt64) async throws {
        var chance = SeededGenerator(seed: seed)
        let own = try await TrendCloud(seed: seed)
        own.now += 108 * 86_400_000
        for _ in 0..<60 { try await step(own, &chance) }
        try await own.forget()
        own.began()
        for _ in 0..<5 { try await step(own, &chance, restores: false) }
        try await own.adjust()
        #expect(try own.progress() == 0)
        for _ in 0..<60 {
            try await step(own, &chance)
            if Int.random(in: 0..<3, using: &chance) == 0 {
                _ = try await own.countBack(.random(in: 1...4, using: &chance))
            }
        }
        while try await own.countBack(.random(in: 1...9, using: &chance)) {}
        #expect(try own.progress() == nil)
        for type in ["Post", "Note", "Users"] {
            for zone in ["UTC", "Asia/Kathmandu"] {
                let (told, real) = (
                    try own.told(type, zone: zone, by: "day"), try own.recount(type, zone: zone, by: "day")
                )
                #expect(told == real, "seed \(seed): \(type) in \(zone)")
            }
        }
        await own.fold()
        #expect(try own.told("Post", zone: "UTC", by: "day") == own.recount("Post", zone: "UTC", by: "day"))
        #expect(try own.cloud.check() == [])
    }

    private func step(_ own: TrendCloud, _ chance: inout SeededGenerator, restores: Bool = true) async throws {
        own.now += Int64.random(in: 0...9, using: &chance) * 1_000_000
        let name = "r\(Int.random(in: 0..<12, using: &chance))"
        switch Int.random(in: 0..<10, using: &chance) {
        case 0...4:
            let type = own.live[name] ?? (Bool.random(using: &chance) ? "Post" : "Note")
            #expect(try own.modify([TrendCloud.save(type, name)]) == [""])
            own.saved(type, name)
        case 5...7:
            #expect(try own.modify([TrendCloud.delete(name)]) == [""])
            own.deleted(name)
        default:
            guard restores, let name = own.trash.keys.sorted().randomElement(using: &chance), own.live[name] == nil
            else { return }
            _ = try await own.cloud.administration.restoreRecord(named: name, in: SmallCloud.tenant)
            own.restored(name)
        }
    }

    @Test("A store from an earlier version is counted by the server itself, after the first save")
    func byItself() async throws {
        let own = try await TrendCloud()
        #expect(try own.modify((0..<9).map { TrendCloud.save("Post", "p\($0)") }) == Array(repeating: "", count: 9))
        try await own.forget()
        #expect(try own.progress() == 0)
        own.now += 86_400_000
        #expect(try own.modify([TrendCloud.save("Post", "q")]) == [""])
        await own.fold()
        #expect(try own.told("Post", zone: "UTC", by: "day") == ["2026-01-01 9 0 0 9", "2026-01-02 1 0 0 10"])
        // The trash was empty, so that the time before that moment is unknown.
        let answer = try JSON(reading: own.series("type=Post").body)
        #expect(answer["countingBack"].int64 == nil && answer["deletedKnownSince"].int64 != nil)
    }

    @Test("Without existing records everything is counted from the first on")
    func fromTheFirst() async throws {
        let own = try await TrendCloud()
        let tenant = Tenant(container: SmallCloud.container, environment: .production)
        _ = try await own.cloud.administration.deploySchema(of: SmallCloud.container)
        let store = try #require(try own.cloud.engine.open(tenant))
        let adjust = AdjustTrackers()
        for _ in 0..<2 { _ = try await store.commit(adjust.reading, decide: adjust.decide) }
        var set = ReadSet()
        set.databases = [1]
        let head = try #require(try store.read(set).databases[0])
        #expect(head.trends[TrendState.all] == .whole && head.trends.next == nil)
    }

    @Test("Progress survives a round trip, and unreadable progress starts anew")
    func state() {
        var state = TrendState()
        #expect(state.bytes.isEmpty && state.next == nil)
        state[TrendState.all] = .init(begunAt: 1_804_579_200_000, deletedSince: 7, through: 900, cursor: 300)
        state[TrendKey(type: 4, part: .max)] = .init(begunAt: 9, through: 950, cursor: 300)
        state[TrendKey(type: 4, part: 1)] = .whole
        state[TrendKey(type: 3, part: 1)] = .init(begunAt: 9, through: 950, cursor: 600)
        #expect(TrendState(state.bytes) == state && TrendState(state.bytes).entries.count == 4 && state.hasRoom)
        let chunk = TrendState.Chunk(
            keys: [TrendState.all, TrendKey(type: 4, part: .max)], above: 300, through: 600)
        #expect(state.next == chunk)
        state.advance(chunk, to: 600)
        #expect(state.next?.keys.count == 3 && state.next?.through == 900)
        for end in 1..<state.bytes.count { #expect(TrendState(Array(state.bytes.prefix(end))) != state) }
        #expect(TrendState([9, 1, 1]).entries.isEmpty)
        #expect(TrendState.first(state.bytes)?.key == TrendState.all)
    }
}

extension TrendCloud {
    /// The progress of counting back, in percent; nil where it is complete.
    func progress() throws -> Int64? { try JSON(reading: series("type=Post").body)["countingBack"].int64 }
}
