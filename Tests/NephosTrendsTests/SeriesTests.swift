import CloudKitWire
import NephosAdmin
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

/// docs/trends.md, "Reading".
@Suite struct SeriesTests {
    @Test("Apps and people cannot read trends or learn of a type")
    func access() async throws {
        let own = try await TrendCloud()
        for caller in SmallCloud.Caller.allCases where caller != .key {
            let answer = try own.series("type=Nobodys", as: caller)
            #expect(answer.status >= 400, "\(caller)")
            #expect(!String(decoding: answer.body, as: UTF8.self).contains("Nobodys"), "\(caller)")
        }
        #expect(try own.series("type=Post").status == 200)
    }

    @Test(
        "Rows, columns and a spreadsheet have the same figures, from the first day of a type (S4-3, S4-8, S4-9, S4-10)")
    func forms() async throws {
        let own = try await TrendCloud()
        #expect(try own.modify([TrendCloud.save("Post", "a"), TrendCloud.save("Post", "b")]) == ["", ""])
        own.now += 86_400_000
        #expect(try own.modify([TrendCloud.delete("a")]) == [""])
        let rows =
            #"{"type":"Post","zone":"UTC","asOf":1767312000000,"periods":["#
            + #"{"start":"2026-01-01","created":2,"deleted":0,"restored":0,"live":2},"#
            + #"{"start":"2026-01-02","created":0,"deleted":1,"restored":0,"live":1,"partial":true}]}"#
        #expect(String(decoding: try own.series("type=Post").body, as: UTF8.self) == rows)
        let columns =
            #"{"zone":"UTC","asOf":1767312000000,"by":"day","partial":true,"starts":["2026-01-01","2026-01-02"],"#
            + #""series":[{"type":"Post","split":null,"created":[2,0],"deleted":[0,1],"restored":[0,0],"live":[2,1]},"#
            + #"{"type":"Users","split":null,"created":[3,0],"deleted":[0,0],"restored":[0,0],"live":[3,3]}]}"#
        #expect(
            String(decoding: try own.series("type=Post&type=Users&form=columns").body, as: UTF8.self) == columns)
        let file = try own.series("type=Post", headers: [("Accept", "text/csv")])
        #expect(
            String(decoding: file.body, as: UTF8.self)
                == "type,start,created,deleted,restored,live\r\nPost,2026-01-01,2,0,0,2\r\nPost,2026-01-02,0,1,0,1\r\n")
        // Part of the time, with the total before it.
        #expect(
            String(decoding: try own.series("type=Post&since=2026-01-02&until=2026-01-02").body, as: UTF8.self)
                == #"{"type":"Post","zone":"UTC","asOf":1767312000000,"periods":[{"start":"2026-01-02","created":0,"deleted":1,"#
                + #""restored":0,"live":1,"partial":true}]}"#)
    }

    @Test("Periods are complete, including the first, wherever in it since lies", arguments: ["week", "month", "year"])
    func since(by period: String) async throws {
        let own = try await TrendCloud()
        // A Thursday, and the two days after it.
        for name in ["a", "b", "c"] {
            #expect(try own.modify([TrendCloud.save("Post", name)]) == [""])
            own.now += 86_400_000
        }
        let whole = try own.told("Post", zone: "UTC", by: period)
        #expect(whole.count == 1 && whole[0].hasSuffix(" 3 0 0 3"))
        let part = try JSON(reading: own.series("type=Post&zone=UTC&since=2026-01-02&by=\(period)").body)["periods"]
        #expect(part.elements.count == 1 && part[0]["created"].int64 == 3)
        #expect(part[0]["start"].string.map { whole[0].hasPrefix($0) } == true)
    }

    @Test("A spreadsheet has each value as one cell, whatever it contains, and no formula")
    func cells() async throws {
        let own = try await TrendCloud()
        try await own.set(#"{"splits":[{"type":"Post","field":"version"}]}"#)
        // A Swift character may hide what a spreadsheet interprets: CR LF, and a comma with an accent.
        let values = [
            #"a\r\nb"#: "\"a\r\nb\"", #"a,\u0301b"#: "\"a,\u{301}b\"", #"=\u0301"#: "'=\u{301}", #"\n=1"#: "\"'\n=1\"",
            #"a\"b"#: "\"a\"\"b\"",
        ]
        for (number, value) in values.keys.enumerated() {
            let fields = #""version":{"value":"\#(value)"}"#
            #expect(try own.modify([TrendCloud.save("Post", "p\(number)", fields: fields)]) == [""])
        }
        let file = String(
            decoding: try own.series("type=Post&split=version", headers: [("Accept", "text/csv")]).body, as: UTF8.self)
        for cell in values.values {
            #expect(file.utf8.contains(Array("Post,\(cell),2026-01-01,1,".utf8)), "\(cell)")
        }
    }

    @Test("More types than fit into a response are requested by name, not cut off")
    func manyTypes() async throws {
        let own = try await TrendCloud()
        let types = (0..<250).map { "RECORD TYPE T\($0) (text STRING);" }.joined()
        let schema = SmallCloud.schema + types
        _ = try await own.cloud.administration.importSchema(Array(schema.utf8), into: SmallCloud.tenant)
        let answer = try own.series("form=columns")
        #expect(answer.status == 400)
        #expect(String(decoding: answer.body, as: UTF8.self).contains("at most 200 types: name those"))
        #expect(try own.series("type=T1&type=T2").status == 200)
    }

    @Test("All types are shown, or those in the settings, in the time zone of the settings")
    func settings() async throws {
        let own = try await TrendCloud()
        func types() throws -> [String] {
            try JSON(reading: own.series("form=columns").body)["series"].elements.compactMap { $0["type"].string }
        }
        #expect(try types() == ["Note", "Post", "Users"])
        try await own.set(#"{"types":["Post"],"zone":"Asia/Kathmandu"}"#)
        #expect(try types() == ["Post"])
        // A deleted type hides no other.
        try await own.set(#"{"types":["Gone","Post"],"zone":"Asia/Kathmandu"}"#)
        #expect(try types() == ["Post"])
        #expect(try JSON(reading: own.series("form=columns").body)["zone"].string == "Asia/Kathmandu")
    }

    @Test(
        "Invalid queries are rejected with the alternative",
        arguments: [
            ("type=Nope", "there is no record type"), ("type=Post&since=2026-02-30", "since must be a day such as"),
            ("type=Post&since=yesterday", "since must be a day such as"),
            ("type=Post&since=2026-01-02&until=2026-01-01", "since must not be after until"),
            ("type=Post&by=hour", "by must be day, week, month or year"),
            ("type=Post&zone=Mars/Base", "there is no time zone"),
            ("type=Post&since=1970-01-01", "more than 10000 periods"),
            ("type=Post&form=pie", "form must be rows, columns, csv"),
            ("type=Post&form=svg&view=pie", "view must be created, net or live"),
            ("type=Post&form=svg&width=wide", "width must be a number of pixels"),
            ("type=Post&last=0", "last must be a number of periods"),
            ("type=Post&last=3&since=2026-01-01", "without since"),
            ("type=Post&private=1", "name it under trends.private"),
            ("type=%ff", "not percent-encoded UTF-8"), ("type=Post&zone=%E0%A4%A", "not percent-encoded UTF-8"),
            ("type=Post&by=da%y", "not percent-encoded UTF-8"),
        ])
    func refusals(query: String, reason: String) async throws {
        let own = try await TrendCloud()
        let answer = try own.series(query)
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(answer.status == 400 && text.contains(reason), "\(text)")
    }

    @Test(
        "Invalid settings are rejected",
        arguments: [
            #"{"zone":"Mars/Base"}"#, #"{"zone":"CEST"}"#, #"{"types":"some"}"#, #"{"types":["A","A"]}"#,
            #"{"types":[""]}"#,
            #"{"private":"all"}"#, #"{"colour":1}"#,
        ])
    func wrongSettings(document: String) async throws {
        let own = try await TrendCloud()
        await #expect(throws: (any Error).self) { try await own.set(document) }
    }
}
