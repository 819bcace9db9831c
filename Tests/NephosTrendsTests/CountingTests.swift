import CloudKitWire
import NephosAdmin
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

@testable import NephosTrends

/// docs/trends.md, "What is counted": every figure equals a recount of all events.
@Suite struct CountingTests {
    /// One with a half hour, one with three quarters, and one that lacks a midnight.
    private static let zones = ["UTC", "Asia/Kolkata", "Asia/Kathmandu", "America/Sao_Paulo", "Africa/Cairo"]

    @Test(
        "Whatever happens and in whatever order it is folded, all figures equal a recount (S4-2, S4-7, S4-18)",
        arguments: 1...6 as ClosedRange<UInt64>)
    func model(seed: UInt64) async throws {
        var chance = SeededGenerator(seed: seed)
        let own = try await TrendCloud(seed: seed)
        // A midnight that does not exist in Cairo: 2026-04-24.
        own.now += Int64.random(in: 100...112, using: &chance) * 86_400_000
        for _ in 0..<120 {
            own.now += Int64.random(in: 0...9, using: &chance) * 1_000_000
            try await step(own, &chance)
        }
        for type in ["Post", "Note", "Users"] {
            for zone in Self.zones {
                for period in ["day", "week", "month", "year"] {
                    let (told, real) = (
                        try own.told(type, zone: zone, by: period), try own.recount(type, zone: zone, by: period)
                    )
                    #expect(told == real, "seed \(seed): \(type) by \(period) in \(zone)")
                }
            }
        }
        #expect(try own.cloud.check() == [])
    }

    private func step(_ own: TrendCloud, _ chance: inout SeededGenerator) async throws {
        let name = "r\(Int.random(in: 0..<12, using: &chance))"
        let type = Bool.random(using: &chance) ? "Post" : "Note"
        switch Int.random(in: 0..<10, using: &chance) {
        case 0...3:
            // A record keeps its type.
            let kept = own.live[name] ?? type
            #expect(try own.modify([TrendCloud.save(kept, name)]) == [""])
            own.saved(kept, name)
        case 4, 5:
            #expect(try own.modify([TrendCloud.delete(name)]) == [""])
            own.deleted(name)
        case 6:
            // A deletion also deletes the records that reference it.
            let (root, leaf) = ("root\(name)", "leaf\(name)")
            let holder = #""thread":{"value":{"recordName":"\#(root)","action":"DELETE_SELF"}}"#
            let saves = [TrendCloud.save("Post", root), TrendCloud.save("Post", leaf, fields: holder)]
            #expect(try own.modify(saves) == ["", ""])
            for name in [root, leaf] { own.saved("Post", name) }
            own.now += 1_000_000
            #expect(try own.modify([TrendCloud.delete(root)]) == [""])
            for name in [root, leaf] { own.deleted(name) }
        case 7:
            guard let name = own.trash.keys.sorted().randomElement(using: &chance), own.live[name] == nil else {
                return
            }
            _ = try await own.cloud.administration.restoreRecord(named: name, in: SmallCloud.tenant)
            own.restored(name)
        case 8:
            // Rejected, and not counted: creates a record that exists.
            guard let name = own.live.keys.sorted().randomElement(using: &chance) else { return }
            let again = TrendCloud.save(own.live[name] ?? type, name, "create")
            #expect(try own.modify([again]) == ["CONFLICT"] || own.modify([again]) == ["EXISTS"])
        default: await own.fold()
        }
    }

    @Test("More types and quarters than fit into a head are moved to rows, and counted as well")
    func spills() async throws {
        let own = try await TrendCloud()
        for number in 0..<130 {
            own.now += 900_000
            #expect(try own.modify([TrendCloud.save("Post", "p\(number)")]) == [""])
            own.saved("Post", "p\(number)")
        }
        let real = try own.recount("Post", zone: "UTC", by: "day")
        #expect(try own.told("Post", zone: "UTC", by: "day") == real)
        await own.fold()
        #expect(try own.told("Post", zone: "UTC", by: "day") == real)
        #expect(try own.store.rows(TrendSpillRow.of(1, limit: 1)).isEmpty)
        #expect(try own.cloud.check() == [])
    }

    @Test(
        "Records of private databases are counted if the settings request it, and those of deleted zones once swept"
    )
    func privateDatabases() async throws {
        let own = try await TrendCloud()
        func told() throws -> [String] {
            let answer = try own.series("type=Post&private=1&by=year")
            return try JSON(reading: answer.body)["periods"].elements.map { row in
                ["created", "deleted", "live"].map { "\(row[$0].int64 ?? -1)" }.joined(separator: " ")
            }
        }
        #expect(try own.modify([TrendCloud.save("Post", "before")], in: "private", zone: "Notes") == [""])
        #expect(try own.series("type=Post&private=1").status == 400)
        try await own.set(#"{"private":["Post"]}"#)
        #expect(
            try own.modify((0..<5).map { TrendCloud.save("Post", "p\($0)") }, in: "private")
                == Array(repeating: "", count: 5))
        #expect(try own.modify([TrendCloud.delete("p0")], in: "private") == [""])
        #expect(try own.modify([TrendCloud.save("Post", "z")], in: "private", zone: "Notes") == [""])
        await own.fold()
        let counted = try told()
        #expect(counted == ["7 1 6"])
        let zone = #"{"operations":[{"operationType":"delete","zone":{"zoneID":{"zoneName":"Notes"}}}]}"#
        _ = try own.cloud.ask(
            "POST", "/database/1/\(SmallCloud.container)/development/private/zones/modify", zone, as: .person)
        while try await own.store.sweepDeadZones(rows: 3, at: own.now) {}
        // After maintenance, which sweeps, everything is examined.
        own.now += 120_000
        for _ in 0..<2 { await own.fold() }
        let swept = try told()
        #expect(swept == ["7 3 4"])
        #expect(try own.cloud.check() == [])
        // None of it is in the shared figures of all databases.
        #expect(try own.told("Post", zone: "UTC", by: "year") == ["2026-01-01 0 0 0 0"])
    }

    @Test("A reset removes all records and their types, and the people it recreates are counted")
    func reset() async throws {
        let own = try await TrendCloud()
        try await own.cloud.administration.resetDevelopment(of: SmallCloud.container)
        #expect(try own.told("Users", zone: "UTC", by: "year") == ["2026-01-01 6 3 0 3"])
        #expect(try own.series("type=Note").status == 400)
        #expect(try own.cloud.check() == [])
    }
}
