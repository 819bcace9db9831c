import CloudKitWire
import NephosRunner
import NephosTesting
import RequestTesting
import Testing

@testable import NephosContent

/// docs/content.md, "Choosing".
@Suite("What a widget shows by a person's choice") struct ChoiceTests {
    private static let choose = "/nephos/1/\(SmallCloud.container)/development/content/Chibi/choose"

    private func choose(_ picks: PickCloud, _ names: [String]) throws {
        let list = names.map { "\"\($0)\"" }.joined(separator: ",")
        let answer = try picks.own.cloud.ask(
            "POST", Self.choose, #"{"collections":[\#(list)]}"#, headers: [], as: .person)
        #expect(answer.status == 200, "\(answer.text)")
    }

    private func chosen(_ picks: PickCloud, as caller: SmallCloud.Caller) throws -> [String] {
        let answer = try picks.own.cloud.ask("GET", Self.choose, as: caller)
        return try JSON(reading: answer.body)["collections"].elements.compactMap(\.string)
    }

    /// The names in the caller's own library, their private database.
    private func library(_ picks: PickCloud, as caller: SmallCloud.Caller) throws -> [String] {
        let answer = try picks.own.cloud.ask(
            "POST", "/database/1/\(SmallCloud.container)/development/private/records/query",
            #"{"query":{"recordType":"Chibi"}}"#, as: caller)
        #expect(answer.status == 200, "\(answer.text)")
        return try JSON(reading: answer.body)["records"].elements.compactMap { $0["recordName"].string }.sorted()
    }

    /// What a widget has to choose from on any device of the caller's, decided by the stored choice alone.
    private func shown(_ picks: PickCloud, as caller: SmallCloud.Caller) throws -> Set<String> {
        let choice = try chosen(picks, as: caller)
        var names = Set(try picks.names("pick", "count=50", as: caller))
        if choice.contains("own") { names.formUnion(try library(picks, as: caller)) }
        if choice.contains("random") { names.insert("a new one") }
        return names
    }

    @Test(
        "A person chooses among their own items, random ones and curated collections, for all of their devices (S0-66)")
    func sources() async throws {
        let picks = try await PickCloud()
        try picks.save((0..<9).map { .init(name: "c\($0)", collection: ["cats", "dogs", "birds"][$0 % 3]) })
        try await picks.sort()
        for (caller, name) in [(SmallCloud.Caller.person, "adas"), (.friend, "graces")] {
            let operations =
                #"{"operations":[{"operationType":"create","record":{"recordType":"Chibi","recordName":"\#(name)","fields":{"title":{"value":"mine"}}}}]}"#
            let saved = try picks.own.cloud.ask(
                "POST", "/database/1/\(SmallCloud.container)/development/private/records/modify", operations,
                as: caller)
            #expect(saved.status == 200 && !saved.text.contains("serverErrorCode"), "\(saved.text)")
        }
        let curated = Set((0..<9).map { "c\($0)" })
        let (cats, dogs) = (Set(["c0", "c3", "c6"]), Set(["c1", "c4", "c7"]))
        // Before a choice: everything that is curated, and nothing else.
        #expect(try shown(picks, as: .person) == curated)
        for (choice, names) in [
            (["own"], ["adas"]), (["random"], ["a new one"]), (["cats"], cats), (["cats", "dogs"], cats.union(dogs)),
            (["own", "cats"], cats.union(["adas"])), (["own", "random", "dogs"], dogs.union(["adas", "a new one"])),
            ([], curated),
        ] as [([String], Set<String>)] {
            try choose(picks, choice)
            #expect(try chosen(picks, as: .person) == choice)
            #expect(try shown(picks, as: .person) == names, "\(choice)")
            // Nobody else is concerned.
            #expect(try chosen(picks, as: .friend) == [] && shown(picks, as: .friend) == curated)
        }
    }
}
