import CloudKitWire
import NephosAdmin
import NephosDomain
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

@testable import NephosTrends

/// docs/trends.md, "Trackers".
@Suite("The list of trackers and their problems") struct TrackerTests {
    private static let tenant = SmallCloud.tenant

    private func lines(_ own: TrendCloud) throws -> [String] {
        try own.cloud.administration.trackers(of: Self.tenant).rows.map { $0.joined(separator: " | ") }
    }

    @Test(
        "Settings survive a round trip",
        arguments: [
            "{}", #"{"types":"all"}"#, #"{"types":[]}"#, #"{"zone":"Europe/Rome","types":["Post","Users"]}"#,
            #"{"private":["Note"],"metrics":true}"#,
            #"{"splits":[{"type":"Post","field":"version"}],"lists":[{"type":"Post","field":"names","of":"record: a b"}]}"#,
            #"{"lists":[{"type":"P","field":"n"},{"type":"P","field":"n","of":"all"},{"type":"P","field":"n","of":{"record":"x"}}]}"#,
            #"{"alarms":[{"type":"Users","webhook":"https://ops.example.com/hook?a=1","mail":"ops@example.com"}]}"#,
        ])
    func document(text: String) throws {
        func read(_ bytes: [UInt8]) throws -> TrendSettings {
            var json = try JSONReader(bytes[...])
            return try TrendSettings(&json)
        }
        let settings = try read(Array(text.utf8))
        #expect(try read(settings.document) == settings)
        #expect(try read(settings.document).document == settings.document)
    }

    @Test("Every wrong setting is listed with its fix, and saves continue (S4-32)")
    func mismatches() async throws {
        let own = try await TrendCloud()
        try await own.set(
            #"""
            {"types":["Post","Gone"],"private":["Note","Lost"],
             "lists":[{"type":"Post","field":"names"},{"type":"Post","field":"text","of":"all"},{"type":"Post","field":"nope"}],
             "splits":[{"type":"Post","field":"version"},{"type":"Post","field":"names"},{"type":"Gone","field":"x"}],
             "alarms":[{"type":"Gone","mail":"ops@example.com"},{"type":"Post","mail":"ops@example.com"}]}
            """#)
        #expect(try own.modify([TrendCloud.save("Post", "a", fields: #""version":{"value":"1"}"#)]) == [""])
        await own.fold()
        let id = SmallCloud.container
        #expect(
            try lines(own) == [
                "type | Post | - | counting | -",
                "type | Gone | - | no such record type | nephos schema import \(id) FILE, or nephos trends untrack \(id) --type Gone",
                "private | Note | - | counting | -",
                "private | Lost | - | no such record type | nephos schema import \(id) FILE, or nephos trends untrack \(id) --private Lost",
                "list | Post.names | newest | counting | -",
                "list | Post.text | all | no list | nephos trends untrack \(id) --list Post.text --of all",
                "list | Post.nope | newest | no such field | nephos schema import \(id) FILE, or nephos trends untrack \(id) --list Post.nope",
                "split | Post.version | - | counting | -",
                "split | Post.names | - | cannot be split | nephos trends untrack \(id) --split Post.names",
                "split | Gone.x | - | no such record type | nephos schema import \(id) FILE, or nephos trends untrack \(id) --split Gone.x",
                "alarm | Gone | ops@example.com | no such record type | name another type under trends.alarms in the settings",
                "alarm | Post | ops@example.com | watching | -",
            ])
        let json = try JSON(reading: own.cloud.administration.trackers(of: Self.tenant).json)
        #expect(json.elements.count == 12 && json[1]["kind"].string == "type" && json[1]["what"].string == "Gone")
        #expect(json[1]["toDo"].string?.hasSuffix("untrack \(id) --type Gone") == true)
        // The command in the list does it.
        let gone = try await own.cloud.administration.changeTrends(of: Self.tenant, by: "ada") {
            settings, catalog throws(TrendFailure) in try settings.untracking(.type("Gone"), in: catalog)
        }
        #expect(try gone && !lines(own).contains { $0.hasPrefix("type | Gone") })
    }

    @Test("A running count shows its progress, and one that has not begun shows what it waits for")
    func progress() async throws {
        let own = try await TrendCloud()
        for start in [0, 100] {
            #expect(
                try own.modify((start..<start + 100).map { TrendCloud.save("Post", "p\($0)") }).allSatisfy(\.isEmpty))
        }
        await own.fold()
        try await own.setAlone(#"{"types":["Post"],"splits":[{"type":"Post","field":"version"}]}"#)
        #expect(try lines(own).last == "split | Post.version | - | waiting for a server | nephos serve")
        try await own.adjust()
        #expect(try lines(own).last == "split | Post.version | - | counting back 0 % | -")
        _ = try await own.countBack(100)
        let some = try own.cloud.administration.trackers(of: Self.tenant).last?.state
        guard case .countingBack(let percent)? = some else { throw TrendFailure("\(String(describing: some))") }
        #expect(1...99 ~= percent)
        while try await own.countBack(100) {}
        #expect(try lines(own).last == "split | Post.version | - | counting | -")
        // Named again before its counts are removed.
        try await own.set(#"{"types":["Post"]}"#)
        try await own.setAlone(#"{"types":["Post"],"splits":[{"type":"Post","field":"version"}]}"#)
        #expect(try lines(own).last?.contains("waiting for what was counted before to be forgotten") == true)
        // A save makes the server examine them.
        #expect(try own.modify([TrendCloud.save("Post", "last")]) == [""])
        await own.fold()
        #expect(try lines(own).last?.contains("waiting") == false)
    }

    @Test("The progress of private databases is a share of the databases at the start, without the public one")
    func percent() {
        var row = TrackerRow(side: .inPrivate, type: 1, seen: 0, deletedSince: 0, next: 1, through: 5)
        let percents = (1...6 as ClosedRange<DatabaseNumber>).map { next in
            row.next = next
            return row.percent
        }
        #expect(percents == [0, 20, 40, 60, 80, 100])
        row.through = 1
        row.next = 1
        #expect(row.percent == 100)
    }

    @Test("A command adds and removes settings, and others see it in the list (S4-17)")
    func change() async throws {
        let own = try await TrendCloud()
        let administration = own.cloud.administration
        func track(_ tracked: Tracked) async throws -> Bool {
            try await administration.changeTrends(of: Self.tenant, by: "ada") {
                settings, catalog throws(TrendFailure) in try settings.tracking(tracked, in: catalog)
            }
        }
        func untrack(_ tracked: Tracked) async throws -> Bool {
            try await administration.changeTrends(of: Self.tenant, by: "ada") {
                settings, catalog throws(TrendFailure) in try settings.untracking(tracked, in: catalog)
            }
        }
        func document() throws -> String {
            try String(decoding: own.store.read(ReadSet()).catalog.sections["trends"]?.document ?? [], as: UTF8.self)
        }
        // All are already shown.
        #expect(try await !track(.type("Post")))
        #expect(try await track(.split("Post", "version")))
        #expect(try await track(.privateType("Note")))
        #expect(try await !track(.split("Post", "version")))
        #expect(try await track(.list("Post", "names", nil)))
        #expect(try await track(.list("Post", "names", .all)))
        #expect(
            try document()
                == #"{"private":["Note"],"lists":[{"type":"Post","field":"names"},{"type":"Post","field":"names","of":"all"}],"#
                + #""splits":[{"type":"Post","field":"version"}]}"#)
        let error = await #expect(throws: AdminError.self) { try await untrack(.list("Post", "names", nil)) }
        #expect("\(String(describing: error))".contains("several ways"))
        for tracked: Tracked in [
            .list("Post", "names", .newest), .list("Post", "names", nil), .split("Post", "version"),
            .privateType("Note"),
        ] { #expect(try await untrack(tracked), "\(tracked)") }
        for tracked: Tracked in [.split("Post", "version"), .type("Gone")] {
            #expect(try await !untrack(tracked), "\(tracked)")
        }
        #expect(try document() == "{}")
        #expect(try await untrack(.type("Note")))
        #expect(try document() == #"{"types":["Post","Users"]}"#)
        #expect(try await track(.type("Note")))
        #expect(try document() == #"{"types":["Post","Users","Note"]}"#)
    }

    @Test(
        "A tracker that is impossible is rejected with advice, and nothing changes",
        arguments: [
            (Tracked.type("Gone"), "nephos schema import first"), (.privateType("Gone"), "nephos schema import first"),
            (.split("Gone", "x"), "no record type Gone"), (.split("Post", "nope"), "has no field nope"),
            (.split("Post", "names"), "only a STRING"), (.list("Post", "text", nil), "is not a list"),
        ])
    func refusals(tracked: Tracked, reason: String) async throws {
        let own = try await TrendCloud()
        let error = await #expect(throws: AdminError.self) {
            try await own.cloud.administration.changeTrends(of: Self.tenant, by: "ada") {
                settings, catalog throws(TrendFailure) in try settings.tracking(tracked, in: catalog)
            }
        }
        #expect("\(String(describing: error))".contains(reason))
        #expect(try own.store.read(ReadSet()).catalog.sections["trends"] == nil)
    }

    @Test("More splits of a type than allowed, and any change in production, are rejected")
    func limits() async throws {
        let own = try await TrendCloud()
        let administration = own.cloud.administration
        func track(_ field: Name, in tenant: Tenant) async throws {
            _ = try await administration.changeTrends(of: tenant, by: "ada") {
                settings, catalog throws(TrendFailure) in try settings.tracking(.split("Post", field), in: catalog)
            }
        }
        for field: Name in ["text", "version", "level"] { try await track(field, in: Self.tenant) }
        let settings = try own.store.read(ReadSet()).catalog.trends()
        let fourth = settings.with(
            types: nil, privateTypes: [], parts: settings.parts + [TrendPart("Post", "other", .split)])
        let many = await #expect(throws: AdminError.self) {
            try await administration.changeTrends(of: Self.tenant, by: "ada") { _, _ in fourth }
        }
        #expect("\(String(describing: many))".contains("at most 3 fields"))
        let production = Tenant(container: SmallCloud.container, environment: .production)
        let error = await #expect(throws: AdminError.self) { try await track("text", in: production) }
        #expect("\(String(describing: error))".contains("nephos schema deploy"))
    }
}
