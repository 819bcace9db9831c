import CloudKitWire
import NephosAdmin
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

@testable import NephosTrends

/// docs/trends.md, "Derived figures", and what `nephos check` finds.
@Suite struct DerivedTests {
    private static let settings = #"""
        {"types":["Post","Users"],"lists":[{"type":"Post","field":"names","of":"record: master"}]}
        """#

    private func post(_ name: String, names: Int) -> String {
        let list = (0..<names).map { #""n\#($0)""# }.joined(separator: ",")
        return TrendCloud.save("Post", name, "forceReplace", fields: #""names":{"value":[\#(list)]}"#)
    }

    @Test("The article's values are available under its names (S4-19)")
    func totals() async throws {
        let own = try await TrendCloud()
        try await own.set(Self.settings)
        #expect(try own.modify([post("master", names: 5), post("a", names: 2)]) == ["", ""])
        own.now += 86_400_000
        #expect(try own.modify([post("master", names: 3)]) == [""])
        let text =
            #"{"TRACKING":{"types":["Post","Users"],"lists":["Post.names"]},"#
            + #""LAST_CHECK":{"Post":1767312000000,"Users":1767312000000},"MAX_COUNT":{"Post":2,"Users":3},"#
            + #""EARLIEST_DATE":{"Post":"2026-01-01","Users":"2026-01-01"},"TOTALS":{"Post.names":3}}"#
        #expect(try own.ask("totals") == (200, text))
    }

    @Test("Each viewer sees what is new since their last look, and reading moves no mark (S4-20)")
    func deltas() async throws {
        let own = try await TrendCloud()
        try await own.set(Self.settings)
        #expect(try own.modify([post("master", names: 5)]) == [""])
        // A viewer who looks while a list is being counted back has not seen it: what existed before is not new later.
        #expect(try own.ask("deltas?viewer=early", "POST").status == 200)
        while try await own.countBack(100) {}
        #expect(try own.ask("deltas?viewer=early").text.hasPrefix(#"{"DELTAS":{"Post.names":0},"#))
        #expect(try own.ask("deltas?viewer=marissa") == (200, #"{"DELTAS":{"Post.names":5},"since":null}"#))
        #expect(
            try own.ask("deltas?viewer=marissa", "POST") == (200, #"{"DELTAS":{"Post.names":5},"since":null}"#))
        own.now += 86_400_000
        #expect(try own.modify([post("master", names: 3), post("b", names: 0)]) == ["", ""])
        for _ in 0..<2 {
            #expect(
                try own.ask("deltas?viewer=marissa")
                    == (200, #"{"DELTAS":{"Post.names":-2},"since":1767225600000}"#))
            #expect(try own.ask("deltas?viewer=other") == (200, #"{"DELTAS":{"Post.names":3},"since":null}"#))
            await own.fold()
        }
        #expect(
            try own.ask("feed?viewer=marissa").text.hasPrefix(
                #"{"today":{"Post":1,"Users":0},"yesterday":{"Post":1,"Users":3},"sinceLastLook":{"Post":1,"Users":0},"#
                    + #""since":1767225600000,"asOf":"#))
        #expect(try own.ask("feed").text.hasPrefix(#"{"today":{"Post":1,"Users":0},"yesterday":"#))
        #expect(try own.ask("deltas?viewer=marissa&forget=1", "POST") == (200, "{}"))
        #expect(try own.ask("deltas?viewer=marissa").text == #"{"DELTAS":{"Post.names":3},"since":null}"#)
        #expect(try own.cloud.check() == [])
    }

    @Test("Totals and deltas work for any number of types, over long periods too")
    func manyTypes() async throws {
        let own = try await TrendCloud()
        let types = (0..<120).map { "RECORD TYPE Kind\($0) (GRANT CREATE TO \"_icloud\");\n" }
        let schema = SmallCloud.schema.replacing("RECORD TYPE Note", with: types.joined() + "RECORD TYPE Note")
        _ = try await own.cloud.administration.importSchema(Array(schema.utf8), into: SmallCloud.tenant)
        #expect(try own.modify((0..<120).map { TrendCloud.save("Kind\($0)", "k\($0)") }).allSatisfy { $0.isEmpty })
        #expect(try own.ask("feed?viewer=v", "GET").status == 200)
        #expect(try own.ask("deltas?viewer=v", "POST").status == 200)
        // What is not summed up yet is examined once, not once for each type (docs/limits.md, "The worst requests").
        let catalog = try own.store.read(ReadSet()).catalog
        let yesterday = own.now / 86_400_000 - 1
        let question = try DerivedTrends(try catalog.trends(), catalog, since: yesterday)
        let reading = try own.store.read(question.reading(catalog))
        #expect((120...300).contains(try question.figures(reading, now: own.now).examined))
        // As many periods of all types together as one response about days never has.
        own.now += 2_000 * 86_400_000
        #expect(try own.modify([TrendCloud.save("Kind7", "x")]) == [""])
        let feed = try JSON(reading: Array(try own.ask("feed?viewer=v").text.utf8))
        #expect(feed["sinceLastLook"]["Kind7"].int64 == 1 && feed["sinceLastLook"]["Kind8"].int64 == 0)
        let totals = try JSON(reading: Array(try own.ask("totals").text.utf8))
        #expect(totals["TRACKING"]["types"].elements.count == 122 && totals["MAX_COUNT"]["Kind119"].int64 == 1)
        // But not without end, although each type has its own days.
        let all = try DerivedTrends(try catalog.trends(), catalog)
        let allRead = try own.store.read(all.reading(catalog))
        #expect(throws: TrendFailure.self) { try all.figures(allRead, now: own.now, rowsMax: 200_000) }
        #expect(try all.figures(allRead, now: own.now).records.count == 122)
    }

    // docs/limits.md, "The worst requests".
    @Test("Figures are refused, before they are added up, while more is not summed up than is ever left for long")
    func manySpills() async throws {
        let own = try await TrendCloud()
        try await own.set(Self.settings)
        #expect(try own.modify([post("a", names: 1)]) == [""])
        for thousand in 0..<Int64(TrendQuestion.spillsMax / 1_000) {
            var set = ReadSet()
            set.databases = [Trends.database]
            try await own.store.commit(set) { _ in
                var writes = WriteSet()
                for number in 0..<Int64(1_000) {
                    writes.put(
                        TrendSpillRow(
                            database: Trends.database, sequence: 1, part: thousand * 1_000 + number, counts: []))
                }
                return .write(writes, ())
            }
        }
        for path in ["totals", "feed", "deltas?viewer=v"] {
            let refused = try own.ask(path)
            #expect(refused.status == 400 && refused.text.contains("not been summed"), "\(path) \(refused.text)")
        }
        let catalog = try own.store.read(ReadSet()).catalog
        let question = try TrendQuestion(
            types: ["Post"], since: nil, until: nil, by: nil, zone: nil, isPrivate: false, subject: .records,
            try catalog.trends(), catalog)
        let reading = try own.store.read(question.reading(catalog))
        #expect(throws: TrendFailure.self) { try question.latest(reading) }
    }

    @Test("Configured trackers that cannot be counted are reported when requested, and count as nothing (S4-17)")
    func mismatches() async throws {
        let own = try await TrendCloud()
        try await own.set(
            #"""
            {"types":["Post","Ghost"],"splits":[{"type":"Post","field":"thread"},{"type":"Post","field":"gone"}],
             "lists":[{"type":"Post","field":"text","of":"all"},{"type":"Ghost","field":"names","of":"all"}]}
            """#)
        let settings = try own.store.read(ReadSet()).catalog.trends()
        #expect(
            settings.mismatches(in: try own.store.read(ReadSet()).catalog) == [
                "there is no record type Ghost: add it with nephos schema import first",
                "Post.thread cannot be used for a split: only a STRING, an INT64 or a DOUBLE can",
                "Post has no field gone: add it with nephos schema import first, or name another",
                "Post.text is not a list: name a list, or split by it with --split",
            ])
        for (query, reason) in [
            ("type=Post&split=thread", "cannot be used for a split"), ("type=Post&split=gone", "has no field gone"),
            ("type=Post&list=text", "is not a list"), ("type=Ghost", "Ghost"),
        ] {
            let answer = try own.series(query)
            #expect(answer.status == 400 && String(decoding: answer.body, as: UTF8.self).contains(reason), "\(query)")
        }
        #expect(try own.ask("totals").text.hasPrefix(#"{"TRACKING":{"types":["Post"],"lists":[]}"#))
        #expect(try own.modify([post("a", names: 2)]) == [""])
        #expect(try own.cloud.check() == [])
    }

    @Test("Marks are limited to a number of viewers, who must identify themselves")
    func limits() async throws {
        let own = try await TrendCloud()
        #expect(try own.ask("deltas").status == 400)
        #expect(try own.ask("deltas?viewer=\(String(repeating: "v", count: 65))").status == 400)
        for viewer in 0..<100 { #expect(try own.ask("deltas?viewer=\(viewer)", "POST").status == 200) }
        let refused = try own.ask("deltas?viewer=100", "POST")
        #expect(refused.status == 400 && refused.text.contains("forget=1"))
        #expect(try own.ask("deltas?viewer=99", "POST").status == 200)
        for caller in SmallCloud.Caller.allCases where caller != .key {
            for path in ["totals", "feed", "deltas?viewer=v"] {
                #expect(try own.ask(path, as: caller).status >= 400, "\(caller) \(path)")
            }
        }
    }

    @Test("The check finds a wrong sum of a type, of a value and of a list")
    func damage() async throws {
        let own = PartModel(try await TrendCloud())
        try await own.cloud.set(
            #"""
            {"private":["Note"],"splits":[{"type":"Post","field":"version"}],
             "lists":[{"type":"Post","field":"names","of":"all"},{"type":"Post","field":"names"}]}
            """#)
        var chance = SeededGenerator(seed: 5)
        for _ in 0..<40 { try await own.step(&chance) }
        let check = TrendCheck(own.cloud.cloud.administration, own.cloud.store)
        #expect(try check.report().findings == [])
        await own.cloud.fold()
        #expect(try check.report() == .init())
        let sums = try own.cloud.store.rows(TrendSumRow.all)
        #expect(sums.contains { $0.series.side == .inPrivate } && sums.count > 5)
        for sum in sums {
            var wrong = sum
            wrong.counts.created += 1
            try await own.cloud.put(wrong, replacing: sum)
            #expect(try check.report().findings.count == 1, "\(sum)")
            try await own.cloud.put(sum, replacing: wrong)
        }
        #expect(try check.report() == .init())
    }

    @Test("What cannot be compared yet is reported, but not as a difference")
    func uncertain() async throws {
        let own = try await TrendCloud()
        #expect(try own.modify([TrendCloud.save("Post", "a")]) == [""])
        try await own.set(#"{"private":["Note"],"splits":[{"type":"Post","field":"version"}]}"#)
        var check = TrendCheck(own.cloud.administration, own.store)
        #expect(
            try check.report()
                == .init(open: [
                    "The public database: only 0 % of the earlier records are counted back.",
                    "Private databases: only 0 % of the earlier records are counted back.",
                ]))
        await own.fold()
        #expect(try check.report() == .init())
        // Like a user who saves all the time.
        var number = 0
        check.progress = { place in
            guard place.hasPrefix("the public") else { return }
            number += 1
            #expect((try? own.modify([TrendCloud.save("Post", "b\(number)")])) == [""])
        }
        #expect(try check.report() == .init(open: ["The public database: it was changed meanwhile."]))
        check.progress = { _ in }
        #expect(try check.report() == .init())
    }
}

extension TrendCloud {
    func put<Row: StoredRow & Equatable>(_ row: Row, replacing old: Row) async throws {
        var set = ReadSet()
        set.databases = [1]
        try await store.commit(set) { _ in
            var writes = WriteSet()
            writes.put(row, replacing: old)
            return .write(writes, ())
        }
    }
}
