import CloudKitWire
import NephosAdmin
import NephosDomain
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

@testable import NephosContent

/// Pickable items always match the records, whatever happens to them.
@Suite("Sorting content for picking") struct SortingTests {
    /// The same sorting takes several times as long with PostgreSQL.
    private static let seeds = Seeds.all((try? TestEngine.chosen) == .sqlite ? 4 : 2)

    @Test(
        "The sorted content is correct after random saves, deletions, restorations, settings and time",
        arguments: seeds)
    func random(seed: UInt64) async throws {
        var dice = SeededGenerator(seed: seed)
        let picks = try await PickCloud()
        let collections: [String?] = [nil, "cats", "dogs"]
        let audiences: [String?] = [nil, "spanish", #"{"platform":"web"}"#]
        for _ in 0..<25 {
            let now = picks.own.now
            switch Int.random(in: 0..<10, using: &dice) {
            case 0..<6:
                var items: [PickCloud.Item] = []
                for name in Set(
                    (0..<Int.random(in: 1...40, using: &dice)).map { _ in Int.random(in: 0..<60, using: &dice) }
                ).sorted() {
                    let start = now + Int64.random(in: -100_000...100_000, using: &dice)
                    items.append(
                        .init(
                            name: "r\(name)", start: Int.random(in: 0..<8, using: &dice) == 0 ? nil : start,
                            until: Bool.random(using: &dice)
                                ? start + Int64.random(in: 1...100_000, using: &dice) : nil,
                            access: Int.random(in: 0..<6, using: &dice) == 0 ? ["signedIn"] : [],
                            audience: audiences.randomElement(using: &dice) ?? nil,
                            collection: collections.randomElement(using: &dice) ?? nil,
                            every: Int.random(in: 0..<6, using: &dice) == 0
                                ? #"{"days":["thu","sat"],"from":"08:00","until":"20:00","zone":"Asia/Kathmandu"}"#
                                : nil,
                            weight: Int.random(in: 1...1_000, using: &dice)))
                }
                try picks.save(items)
            case 6..<8:
                try picks.delete((0..<20).map { _ in "r\(Int.random(in: 0..<60, using: &dice))" })
                // One is created again before items are prepared.
                if Bool.random(using: &dice) {
                    try picks.save([.init(name: "r\(Int.random(in: 0..<60, using: &dice))")])
                }
            case 8:
                let fields = Bool.random(using: &dice) ? PickCloud.settings : ContentCloud.settings
                try await picks.own.set(fields)
            default: picks.own.now += Int64.random(in: 1...50_000_000, using: &dice)
            }
            if Bool.random(using: &dice) { try await picks.sort() }
        }
        try await picks.sort()
        // Every visible record is found by every caller who may see it.
        let listed = try picks.names("list", "count=200&locale=es&platform=web", as: .person)
        let shown = try picks.own.query(as: .person)
        #expect(Set(listed) == Set(shown), "\(shown.count) are shown")
    }

    @Test("A type that is no longer content is dropped, and sorted anew when it is content again")
    func settings() async throws {
        let picks = try await PickCloud()
        try picks.save((0..<30).map { .init(name: "r\($0)", collection: "cats") })
        try await picks.sort()
        try await picks.own.set("{}")
        try await picks.sort()
        let type = try #require(try picks.own.store.read(ReadSet()).catalog.types["Chibi"]).row.number
        #expect(try picks.own.store.rows(PickItemRow.all(of: type, limit: 10)) == [])
        #expect(try picks.own.store.rows(PickGroupRow.all(of: type)) == [])
        #expect(try picks.own.store.rows(PickIndexRow.all) == [])
        // One deleted before it was prepared is removed with the others.
        try await picks.own.set(PickCloud.settings)
        try picks.delete(["r29"])
        try await picks.own.set("{}")
        try await picks.sort()
        #expect(try picks.own.store.rows(GoneRow.first(10)) == [])
        try picks.save([.init(name: "r29", collection: "cats")])
        try await picks.own.set(PickCloud.settings)
        try await picks.sort()
        #expect(try picks.names("list", "collection=cats&count=200").count == 30)
    }

    @Test("Groups beyond the limit of a type share one, and are evaluated one by one")
    func groups() async throws {
        let picks = try await PickCloud()
        let count = PickGroupRow.most + 20
        try picks.save((0..<count).map { .init(name: "r\($0)", collection: "c\($0)") })
        try await picks.sort()
        #expect(try picks.answer("pick")["eligible"] == JSON.number("\(count)"))
        for number in [0, 500, count - 1] {
            #expect(try picks.names("list", "collection=c\(number)&count=200") == ["r\(number)"])
            #expect(try picks.names("pick", "collection=c\(number)&count=5") == ["r\(number)"])
        }
        // Freed positions are reused.
        try picks.delete((0..<100).map { "r\($0)" })
        try await picks.sort()
        try picks.save((0..<50).map { .init(name: "f\($0)", collection: "new\($0)") })
        try await picks.sort()
        #expect(try picks.names("pick", "collection=new49&count=5") == ["f49"])
    }

    @Test("A container that is reset and filled again is sorted anew")
    func reset() async throws {
        let picks = try await PickCloud()
        try picks.save((0..<30).map { .init(name: "r\($0)") })
        try await picks.sort()
        let administration = picks.own.administration
        _ = try await administration.deploySchema(of: SmallCloud.container)
        try await administration.resetDevelopment(of: SmallCloud.container)
        _ = try await administration.assignRole(
            "Admin", to: "grace@example.org", in: SmallCloud.container, [.development])
        try await picks.sort()
        #expect(try picks.answer("pick")["eligible"] == 0)
        try picks.save([.init(name: "again")])
        try await picks.sort()
        #expect(try picks.names("list") == ["again"])
    }
}
