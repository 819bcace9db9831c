import CloudKitWire
import NephosAdmin
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

@testable import NephosTrends

/// docs/trends.md, "Figures from elsewhere".
@Suite("Figures from elsewhere") struct ImportTests {
    private static let report = #"""
        {"source":"Old","zone":"Europe/Rome","series":[
          {"type":"Post","list":null,"days":[{"day":"2025-12-30","created":3},{"day":"2026-01-01","created":4}],"live":null},
          {"days":[{"day":"2025-12-30","total":312},{"day":"2025-12-31","total":310}],"list":"names","live":null,"type":"Novenas"}]}
        """#

    private func send(_ body: String, to own: TrendCloud, as caller: SmallCloud.Caller = .key) throws -> RawResponse {
        try own.cloud.ask("POST", "\(TrendCloud.path)/import", body, as: caller)
    }

    private func told(_ query: String, by own: TrendCloud) throws -> String {
        String(decoding: try own.series(query).body, as: UTF8.self)
    }

    @Test("Figures are accepted with a token for import, and shown like our own")
    func taken() async throws {
        let own = try await TrendCloud()
        let token = try await own.token(isImport: true)
        let answer = try own.ask(
            "\(TrendCloud.path)/import", TrendCloud.bearer(token), method: "POST", body: Self.report)
        #expect(answer.status == 200 && answer.text == #"{"source":"Old","series":2,"days":4}"#)
        #expect(
            try told("source=Old", by: own)
                == #"{"type":"Post","source":"Old","zone":"Europe/Rome","asOf":1767225600000,"periods":["#
                + #"{"start":"2025-12-30","created":3,"deleted":0,"restored":0,"live":3},"#
                + #"{"start":"2025-12-31","created":null,"deleted":null,"restored":null,"live":null},"#
                + #"{"start":"2026-01-01","created":4,"deleted":0,"restored":0,"live":7,"partial":true}]}"#)
        #expect(
            try told("source=Old&type=Novenas&list=names&form=columns&until=2025-12-31", by: own)
                == #"{"zone":"Europe/Rome","asOf":1767225600000,"by":"day","starts":["2025-12-30","2025-12-31"],"#
                + #""series":[{"type":"Novenas","source":"Old","list":"names","split":null,"delta":[312,-2],"total":[312,310]}]}"#
        )
        let file = try own.series("source=Old&by=month", headers: [("Accept", "text/csv")])
        #expect(
            String(decoding: file.body, as: UTF8.self)
                == "source,type,start,created,deleted,restored,live\r\nOld,Post,2025-12-01,3,0,0,3\r\nOld,Post,2026-01-01,4,0,0,7\r\n"
        )
        let list = try own.series("source=Old&list=names&by=year&until=2025-12-31", headers: [("Accept", "text/csv")])
        #expect(
            String(decoding: list.body, as: UTF8.self)
                == "source,type,list,of,start,delta,total\r\nOld,Novenas,names,,2025-01-01,310,310\r\n")
        #expect(
            try told("source=Old&last=1&form=columns", by: own).contains(#""starts":["2026-01-01"]"#))
        #expect(
            try told("source=Old&since=2026-01-01", by: own).contains(#""created":4,"deleted":0,"restored":0,"live":7"#)
        )
        #expect(try told("source=Old&form=svg", by: own).hasPrefix("<svg "))
        #expect(try told("source=Old&form=sparklines&last=30", by: own).contains(#""total":{"created":7,"deleted":0"#))
        // Our own figures contain none of it.
        #expect(try told("type=Post", by: own).contains(#""created":0"#))
        let listed = try own.cloud.administration.trackers(of: SmallCloud.tenant).last
        #expect(
            listed
                == TrackerListing(
                    kind: .source, what: "Old", detail: "Europe/Rome",
                    state: .handedIn(try #require(CivilDate("2026-01-01")))))
        #expect(try own.cloud.check() == [])
    }

    @Test("Figures sent again replace the earlier ones day by day, and listeners are notified")
    func again() async throws {
        let own = try await TrendCloud()
        func number() throws -> Int64 { try own.store.read(news)[NewsRow.of([Trends.topic])].first?.number ?? 0 }
        var news = ReadSet()
        news.ask(NewsRow.of([Trends.topic]))
        #expect(try send(Self.report, to: own).status == 200)
        let first = try (number(), told("source=Old", by: own))
        #expect(first.0 > 0)
        #expect(try send(Self.report, to: own).status == 200)
        #expect(try told("source=Old", by: own) == first.1)
        own.now += 1_000
        let more =
            #"{"source":"Old","zone":"Europe/Rome","series":[{"type":"Post","days":[{"day":"2025-12-30","created":1},"#
            + #"{"day":"2025-12-31","created":2}]}]}"#
        #expect(try send(more, to: own).status == 200)
        #expect(try number() > first.0)
        #expect(
            try told("source=Old&form=columns", by: own).contains(
                #""created":[1,2,4],"deleted":[0,0,0],"restored":[0,0,0],"live":[1,3,7]"#))
        // Another source is separate.
        #expect(try send(more.replacing(#""Old""#, with: #""Other""#), to: own).status == 200)
        #expect(try told("source=Other&form=columns", by: own).contains(#""live":[1,3,null]"#))
        try await own.cloud.administration.forgetSource("Old", in: SmallCloud.tenant)
        #expect(try own.series("source=Old").status == 400 && own.series("source=Other").status == 200)
        #expect(try own.store.rows(ImportYearRow.of("Old")).isEmpty)
        await #expect(throws: AdminError.self) {
            try await own.cloud.administration.forgetSource("Old", in: SmallCloud.tenant)
        }
        #expect(try own.cloud.check() == [])
    }

    @Test(
        "Periods of which no day was sent are unknown: null, empty in spreadsheets, gaps in pictures; days sent as 0 are 0"
    )
    func unknown() async throws {
        let own = try await TrendCloud()
        let sent =
            #"{"source":"Old","zone":"UTC","series":["#
            + #"{"type":"Post","days":[{"day":"2025-12-20","created":3},{"day":"2025-12-21","created":0},{"day":"2025-12-30","created":4}]},"#
            + #"{"type":"Novenas","list":"names","days":[{"day":"2025-12-20","total":312},{"day":"2025-12-30","total":310}]}]}"#
        #expect(try send(sent, to: own).status == 200)
        let some = "source=Old&since=2025-12-20&until=2025-12-22"
        #expect(
            try told("\(some)&form=columns", by: own).contains(
                #""created":[3,0,null],"deleted":[0,0,null],"restored":[0,0,null],"live":[3,3,null]"#))
        #expect(
            try told("\(some)&list=names&form=columns", by: own).contains(
                #""delta":[312,null,null],"total":[312,null,null]"#))
        // The next known length differs from the last known one.
        #expect(
            try told("source=Old&list=names&since=2025-12-30&until=2025-12-30&form=columns", by: own).contains(
                #""delta":[-2],"total":[310]"#))
        let file = try own.series(some + "&form=csv")
        #expect(
            String(decoding: file.body, as: UTF8.self)
                == "source,type,start,created,deleted,restored,live\r\nOld,Post,2025-12-20,3,0,0,3\r\n"
                + "Old,Post,2025-12-21,0,0,0,3\r\nOld,Post,2025-12-22,,,,\r\n")
        // A week is known if one of its days is; before the first day that was sent nothing is.
        #expect(
            try told("source=Old&by=week&since=2025-12-01&until=2025-12-31&form=columns", by: own).contains(
                #""created":[null,null,3,null,4]"#))
        // The kinds of pictures that charts have for unknown values, and the length of a list as it was last known.
        #expect(try told("\(some)&form=svg", by: own).contains("2025-12-22: not known"))
        #expect(try told("\(some)&list=names&form=sparklines", by: own).contains(#""length":312"#))
        let question = try ImportedQuestion(
            source: "Old", types: ["Post"], since: "2025-12-20", until: "2025-12-22", by: nil, zone: nil,
            isPrivate: false,
            split: nil, list: nil)
        let answer = try question.answer(try own.store.read(question.reading), now: own.now)
        let rows = TrendTables(answer: answer).below.parts.compactMap { part -> [[String]]? in
            if case .table(_, let rows) = part { rows } else { nil }
        }
        #expect(rows.first?.map { $0[1] } == ["3", "0", "-"] && rows.first?.map { $0[3] } == ["", "−100 %", ""])
    }

    private static func series(_ days: String, _ rest: String = "") -> String {
        #"{"source":"Old","zone":"Europe/Rome","series":[{"type":"Post","days":[\#(days)]\#(rest)}]}"#
    }

    @Test(
        "Invalid figures are rejected with the reason, and nothing changes",
        arguments: [
            ("", ""), ("[]", "expected"), ("{}", "source is missing"), (#"{"source":"Old"}"#, "zone is missing"),
            (#"{"source":"","zone":"UTC"}"#, "1 to 64 bytes"), (#"{"source":"a\nb","zone":"UTC"}"#, "on one line"),
            (#"{"source":"\#(String(repeating: "a", count: 65))","zone":"UTC"}"#, "1 to 64 bytes"),
            (#"{"source":"Old","zone":"Mars/Base"}"#, "time zone database"),
            (#"{"source":"Old","zone":"UTC","color":1}"#, "figures have source, zone and series"),
            (#"{"source":"Old","zone":"UTC","series":[{}]}"#, "a series needs a type"),
            (#"{"source":"Old","zone":"UTC","series":[{"type":""}]}"#, "1 to 255 bytes"),
            (#"{"source":"Old","zone":"UTC","series":[{"type":"A","list":""}]}"#, "1 to 255 bytes"),
            (#"{"source":"Old","zone":"UTC","series":[{"type":"A"},{"type":"A","list":null}]}"#, "appear only once"),
            (#"{"source":"Old","zone":"UTC","series":[]} x"#, ""),
            (series(#"{"created":1}"#), "day is missing"),
            (series(#"{"day":"2026-02-29","created":1}"#), "day must be a day"),
            (series(#"{"day":"1969-12-31","created":1}"#), "1970 to 9999"),
            (series(#"{"day":"2026-01-03","created":1}"#), "the day 2026-01-03 is in the future"),
            (series(#"{"day":"2026-01-01"}"#), "day and created"),
            (series(#"{"day":"2026-01-01","total":1}"#), "day and created"),
            (series(#"{"day":"2026-01-01","created":1,"total":1}"#), "day and created"),
            (series(#"{"day":"2026-01-01","created":1}"#, #","list":"names""#), "day and total"),
            (series(#"{"day":"2026-01-01","created":-1}"#), "from 0 to"),
            (series(#"{"day":"2026-01-01","created":1099511627777}"#), "from 0 to"),
            (series(#"{"day":"2026-01-01","created":1.5}"#), "64-bit integer"),
            (series(#"{"day":"2026-01-01","created":1},{"day":"2026-01-01","created":1}"#), "twice"),
            (series(#"{"day":"2026-01-01","created":1}"#, #","live":7"#), "live must be null"),
            (
                #"{"source":"Old","zone":"UTC","series":[{"type":"Post","days":[{"day":"2026-01-01","created":1}]}]}"#,
                "has days of Europe/Rome, not of UTC"
            ),
        ])
    func refusals(body: String, reason: String) async throws {
        let own = try await TrendCloud()
        #expect(try send(Self.report, to: own).status == 200)
        let before = try told("source=Old", by: own)
        let answer = try send(body, to: own)
        #expect(answer.status == 400 && answer.text.contains(reason), "\(answer.text)")
        #expect(try told("source=Old", by: own) == before)
        #expect(try own.store.rows(ImportSeriesRow.all).count == 2)
    }

    @Test("Figures beyond a limit are rejected, and none of them is stored")
    func limits() async throws {
        let own = try await TrendCloud()
        func refused(_ body: String, _ reason: String) throws {
            let answer = try send(body, to: own)
            #expect(answer.status >= 400 && answer.text.contains(reason), "\(answer.text.prefix(300))")
        }
        func report(_ source: String, _ series: [String]) -> String {
            #"{"source":"\#(source)","zone":"UTC","series":[\#(series.joined(separator: ","))]}"#
        }
        func one(_ type: String, _ days: some Swift.Sequence<Int64>) -> String {
            let days = days.map { #"{"day":"\#(CivilDate($0))","created":1}"# }.joined(separator: ",")
            return #"{"type":"\#(type)","days":[\#(days)]}"#
        }
        try refused(report("a", [String(repeating: " ", count: 1 << 20)]), "1048576 bytes")
        try refused(report("a", [one("A", 0..<10_000), one("B", 0..<10_001)]), "20000 days")
        try refused(report("a", (0...200).map { one("T\($0)", 0..<1) }), "200 series")
        try refused(report("a", (0..<11).map { type in one("T\(type)", (0..<200).map { $0 * 366 }) }), "2000 years")
        #expect(try own.store.rows(ImportSeriesRow.all).isEmpty)
        #expect(try send(report("a", [one("A", 0..<20_000)]), to: own).status == 200)
        #expect(try send(report("a", (0..<199).map { one("T\($0)", 0..<1) }), to: own).status == 200)
        try refused(report("a", [one("B", 0..<1)]), "at most 200 series")
        for number in 1..<20 { #expect(try send(report("s\(number)", [one("A", 0..<1)]), to: own).status == 200) }
        try refused(report("b", [one("A", 0..<1)]), "20 sources")
        #expect(try own.store.rows(ImportSeriesRow.all).count == 219)
        #expect(try own.cloud.check() == [])
    }

    @Test(
        "A query that imported figures cannot answer is rejected with the reason",
        arguments: [
            ("source=Nobody", "no figures from the source"), ("source=Old&type=Nope", "no figures of Nope"),
            ("source=Old&zone=UTC", "has days of Europe/Rome"), ("source=Old&split=version", "neither splits"),
            ("source=Old&private=1", "neither splits"), ("source=Old&private=7", "private must be 1 or 0"),
            ("source=Old&list=nope", "by the list nope"),
            ("source=Old&since=2026-01-02&until=2026-01-01", "since must not be after until"),
            ("source=Old&by=hour", "by must be day"), ("source=Old&last=0", "last must be a number"),
        ])
    func questions(query: String, reason: String) async throws {
        let own = try await TrendCloud()
        #expect(try send(Self.report, to: own).status == 200)
        own.now += 2 * 86_400_000
        let answer = try own.series(query)
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(answer.status == 400 && text.contains(reason), "\(text)")
        #expect(try own.series("source=Old&zone=Europe/Rome").status == 200)
    }

    @Test("Figures with different time zones cannot be columns of one table")
    func zones() async throws {
        let own = try await TrendCloud()
        #expect(try send(Self.report, to: own).status == 200)
        let other = Self.report.replacing("Old", with: "Older").replacing("Europe/Rome", with: "Asia/Tokyo")
        #expect(try send(other, to: own).status == 200)
        func answer(_ source: String) throws -> TrendAnswer {
            let question = try ImportedQuestion(
                source: source, types: [], since: nil, until: nil, by: nil, zone: nil, isPrivate: false, split: nil,
                list: nil)
            return try question.answer(try own.store.read(question.reading), now: own.now)
        }
        let answers = [("iCloud.one", try answer("Old")), ("iCloud.other", try answer("Older"))]
        let failure = #expect(throws: TrendFailure.self) { try TrendAnswer.joined(answers) }
        #expect(
            failure?.description
                == "iCloud.other counts days of Asia/Tokyo, but others of Europe/Rome: show it alone")
        #expect(try TrendAnswer.joined([answers[0], answers[0]])?.series.count == 2)
    }

    @Test("An app, a person and a read-only token cannot import")
    func access() async throws {
        let own = try await TrendCloud()
        for caller in SmallCloud.Caller.allCases where caller != .key {
            #expect(try send(Self.report, to: own, as: caller).status >= 401, "\(caller)")
        }
        let reads = try await own.token()
        let answer = try own.ask(
            "\(TrendCloud.path)/import", TrendCloud.bearer(reads), method: "POST", body: Self.report)
        #expect(answer.status == 403)
        #expect(try own.store.rows(ImportSeriesRow.all).isEmpty)
    }

    @Test("A year's days survive a round trip, and anything else is rejected", arguments: 1...20 as ClosedRange<UInt64>)
    func days(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        var days = ImportedDays()
        for _ in 0..<Int.random(in: 0...366, using: &chance) {
            days.numbers[.random(in: 0...365, using: &chance)] = .random(in: 0...1 << 40, using: &chance)
        }
        #expect(try ImportedDays(days.bytes) == days)
        for end in 0..<min(days.bytes.count, 50) {
            // Whole days, or no days at all.
            if let some = try? ImportedDays(Array(days.bytes.prefix(end))) {
                #expect(some.numbers.allSatisfy { days.numbers[$0.key] == $0.value })
            }
        }
        #expect(throws: StorageError.self) { try ImportedDays([9]) }
    }
}
