import CloudKitWire
import NephosAdmin
import NephosDomain
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

@testable import NephosContent

/// docs/content.md, "Who sees content, and when".
@Suite("Content during its period") struct GateTests {
    /// Callers without write access.
    private static let others: [SmallCloud.Caller] = [.app, .person, .key]

    @Test("Content is visible from its start until its end, to the millisecond, at each endpoint (S0-53, S0-54)")
    func hours() async throws {
        let own = try await ContentCloud()
        let start = SmallCloud.now + 10_000
        #expect(try own.save("a", ContentCloud.published(at: start, until: start + 5)) == "")
        #expect(try own.save("draft", ContentCloud.published(at: nil)) == "")
        let changeTag = try tag(of: "a", own)
        for step in [-10_000, -1, 0, 1, 4, 5, 6, 10_000] as [Milliseconds] {
            own.now = start + step
            let isShown = 0..<5 ~= step
            for caller in Self.others {
                #expect(try own.query(as: caller) == (isShown ? ["a"] : []), "\(caller) at \(step)")
                #expect(try own.lookUp("a", as: caller) == (isShown ? "" : "NOT_FOUND"), "\(caller) at \(step)")
                #expect(try own.lookUp("draft", as: caller) == "NOT_FOUND")
            }
            // Callers with write access see it all the time, and for others a hidden record is indistinguishable from a missing
            // one.
            #expect(try own.query(as: .friend) == ["a", "draft"])
            #expect(try own.lookUp("a", as: .friend) == "")
            guard !isShown else { continue }
            for caller in [SmallCloud.Caller.person, .key] {
                for door in Self.doors {
                    let answers = try ["a", "b"].map { try own.answer(door, of: $0, as: caller) }
                    #expect(answers[0] == answers[1], "\(door) by \(caller) at \(step)")
                }
            }
        }
        #expect(try tag(of: "a", own) == changeTag)
    }

    @Test("Settings that were made from older ones are refused, so that no change is lost")
    func concurrentSettings() async throws {
        let own = try await ContentCloud()
        let store = try own.store
        let catalog = try store.read(ReadSet()).catalog
        let document: Bytes = Array(#"{"Chibi":{"publishedAt":"publishedAt"}}"#.utf8)[...]
        let change = try ChangeSections(
            [Content.name: document], of: catalog.knownSections, by: "ada", now: own.now)
        // Somebody else is faster.
        try await own.set(#"{"Chibi":{"publishedAt":"publishedAt","until":"until"}}"#)
        let now = try store.read(ReadSet()).catalog.sections[Content.name]?.document
        let administration = own.administration
        await #expect(throws: AdminError.self) {
            try await administration.changing(
                [Content.name: document], from: catalog, of: store, progress: { _ in }
            ) { version throws(AdminError) in
                try await administration.commit(to: store, at: version, change.reading, change.decide)
            }
        }
        #expect(try store.read(ReadSet()).catalog.sections[Content.name]?.document == now)
    }

    /// Operations of callers without write access to the type, and a reference that requires its target; N is replaced by the name.
    private static let doors =
        ["create", "update", "forceUpdate", "replace", "forceReplace", "delete", "forceDelete"].flatMap { kind in
            ["", #","recordChangeTag":"1""#].map { tag in
                #"{"operationType":"\#(kind)","record":{"recordName":"N","recordType":"Chibi"\#(tag),"fields":{}}}"#
            }
        } + [
            #"{"operationType":"forceUpdate","record":{"recordName":"n-N","recordType":"Note","fields":{"next":{"value":{"recordName":"N","action":"VALIDATE"}}}}}"#
        ]

    private func tag(of name: String, _ own: ContentCloud) throws -> String? {
        let answer = try own.database("records/lookup", #"{"records":[{"recordName":"\#(name)"}]}"#, as: .friend)
        return try JSON(reading: answer.body)["records"][0]["recordChangeTag"].string
    }

    @Test("A record's requirement is met by a proved fact, not by an app's claim (S2-10)")
    func access() async throws {
        let own = try await ContentCloud()
        let at = SmallCloud.now
        let records = [
            "all": [], "signed": ["signedIn"], "role": ["role:Testers"], "fact": ["fact:subscriber"],
            "either": ["fact:subscriber", "role:Testers"], "admin": ["role:Admin"],
        ]
        for (name, access) in records {
            #expect(try own.save(name, ContentCloud.published(at: at, access: access)) == "")
        }
        func check(_ expected: [String], _ caller: SmallCloud.Caller, facts: String? = nil) throws {
            #expect(try own.query(as: caller, facts: facts) == expected.sorted(), "\(caller)")
            for name in records.keys {
                let code = try own.lookUp(name, as: caller, facts: facts)
                #expect(code == (expected.contains(name) ? "" : "NOT_FOUND"), "\(name) to \(caller)")
            }
        }
        try check(["all"], .app)
        try check(["all", "signed"], .person)
        try check(Array(records.keys), .friend)
        let proof = try await own.proof(#"{"subscriber":true}"#)
        try check(["all", "signed", "fact", "either"], .person, facts: proof)
        try check(["all", "signed"], .person, facts: try await own.proof(#"{"subscriber":false,"other":true}"#))
        // A role of the container without grants.
        try await own.addTesters()
        try check(["all", "signed", "role", "either"], .person)
        try check(["all", "signed", "role", "either", "fact"], .person, facts: proof)
        // A proof for another container, environment or user, or an expired one, is an error and gives no access.
        for container in ["iCloud.com.example.other/development", "\(SmallCloud.container)/production"] {
            let elsewhere = try await own.proof(#"{"subscriber":true}"#, for: container)
            let answer = try own.database(
                "records/query", #"{"query":{"recordType":"Chibi"}}"#, as: .person, facts: elsewhere)
            #expect(answer.status == 400 && answer.text.contains("X-Nephos-Facts"), "\(answer.text)")
        }
        #expect(
            try own.database("records/query", #"{"query":{"recordType":"Chibi"}}"#, as: .friend, facts: proof).status
                == 400)
        own.now += 3_600_000
        let late = try own.database("records/query", #"{"query":{"recordType":"Chibi"}}"#, as: .person, facts: proof)
        #expect(late.status == 400 && late.text.contains("X-Nephos-Facts: exp is missing or in the past"))
    }

    @Test("A file is available to whoever can read its record at that moment, by roles and proved facts")
    func downloads() async throws {
        let own = try await ContentCloud()
        try await own.addTesters()
        let proof = try await own.proof(#"{"subscriber":true,"other":true}"#)
        let end = SmallCloud.now + 200_000
        try await withTaskExecutorPreference(OwnThreads.ofTests) {
            func link(_ access: [String]) throws -> String {
                let fields = ContentCloud.published(at: SmallCloud.now, until: end, access: access)
                #expect(try own.save("a", "\(fields),\(own.upload(for: "a"))") == "")
                let answer = try own.database(
                    "records/lookup", #"{"records":[{"recordName":"a"}]}"#, as: .person, facts: proof)
                let record = try JSON(reading: answer.body)["records"][0]
                return try #require(record["fields"]["thumbnail"]["value"]["downloadURL"].string, "\(record)")
            }
            let byFact = try link(["fact:subscriber"])
            #expect(try own.file("GET", byFact) == (200, Array("a picture".utf8)))
            let byRole = try link(["role:Testers"])
            #expect(try own.file("GET", byRole).status == 200)
            // Neither gives access once the record requires something else.
            #expect(
                try own.save("a", ContentCloud.published(at: SmallCloud.now, until: end, access: ["role:Admin"])) == "")
            for link in [byFact, byRole] { #expect(try own.file("GET", link).status == 404) }
            let ending = try link(["fact:subscriber"])
            own.now = end - 1
            #expect(try own.file("GET", ending).status == 200)
            own.now = end
            #expect(try own.file("GET", ending).status == 401)
        }
    }

    @Test("Names beyond the response's limit get the same answer, hidden or missing")
    func limits() async throws {
        let own = try await ContentCloud()
        #expect(try own.save("hidden", ContentCloud.published(at: nil)) == "")
        let large = String(repeating: "x", count: 60_000)
        #expect(try own.save("shown", ContentCloud.published(at: 1).replacing("A chibi", with: large)) == "")
        let names = Array(repeating: "shown", count: 198) + ["hidden", "nothing"]
        let records = names.map { #"{"recordName":"\#($0)"}"# }.joined(separator: ",")
        let answer = try own.database("records/lookup", #"{"records":[\#(records)]}"#, as: .app)
        let codes = try JSON(reading: answer.body)["records"].elements.suffix(2)
            .map { $0["serverErrorCode"].string ?? "" }
        #expect(codes == ["TRY_AGAIN_LATER", "TRY_AGAIN_LATER"])
    }

    @Test("Pages of a query are full, whatever is hidden in between")
    func pages() async throws {
        let own = try await ContentCloud()
        for number in 0..<20 {
            let time = SmallCloud.now + (number.isMultiple(of: 2) ? 0 : 60_000)
            #expect(try own.save("c\(number)", ContentCloud.published(at: time)) == "")
        }
        var (names, marker) = ([String](), "")
        repeat {
            let more = marker.isEmpty ? "" : #","continuationMarker":"\#(marker)""#
            let answer = try JSON(
                reading: own.database(
                    "records/query", #"{"query":{"recordType":"Chibi"},"resultsLimit":4\#(more)}"#, as: .app
                ).body)
            let page = answer["records"].elements.compactMap { $0["recordName"].string }
            marker = answer["continuationMarker"].string ?? ""
            #expect(page.count == 4 || marker.isEmpty)
            names += page
        } while !marker.isEmpty
        #expect(Set(names).count == 10 && names.count == 10)
    }

    @Test(
        "Invalid content is rejected, and nothing changes",
        arguments: [
            (ContentCloud.published(at: 5, until: 5), "until must be after publishedAt"),
            (ContentCloud.published(at: 5, until: 4), "until must be after publishedAt"),
            (ContentCloud.published(at: 5, access: ["admins"]), "use signedIn, role:NAME or fact:NAME"),
            (ContentCloud.published(at: 5, access: ["role:"]), "use signedIn, role:NAME or fact:NAME"),
            (ContentCloud.published(at: -1), "is before 1970"),
            (ContentCloud.published(at: .max), "is after the year 9999"),
            (ContentCloud.published(at: 5, until: .max), "is after the year 9999"),
            (
                ContentCloud.published(at: 5, access: (0...64).map { "fact:f\($0)" }),
                "access must have at most 64 words of 255 bytes"
            ),
            (#""weight":{"value":0}"#, "weight must be a number from 1 to 1000"),
            (#""weight":{"value":-1}"#, "weight must be a number from 1 to 1000"),
            (#""weight":{"value":1001}"#, "weight must be a number from 1 to 1000"),
        ])
    func wrong(fields: String, reason: String) async throws {
        let own = try await ContentCloud()
        #expect(try own.save("a", fields).contains(reason))
        #expect(try own.lookUp("a", as: .friend) == "NOT_FOUND")
    }

    @Test(
        "Invalid settings of content are rejected, and nothing changes",
        arguments: [
            (#"{"Gone":{}}"#, "there is no record type Gone"), (#"{"Note":{}}"#, "Note has no field publishedAt"),
            (#"{"Chibi":{"publishedAt":"title"}}"#, "publishedAt needs TIMESTAMP, but title is STRING"),
            (#"{"Chibi":{"access":"title"}}"#, "access needs STRING_LIST, but title is STRING"),
            (#"{"Note":{"publishedAt":"secret"}}"#, "secret is encrypted"),
            (#"{"Chibi":{"until":"publishedAt","publishedAt":"publishedAt"}}"#, "can have only one meaning"),
            (#"{"Chibi":{"until":"publishedAt"}}"#, "can have only one meaning"),
            (#"{"Chibi":{"colour":"title"}}"#, "a type of content has publishedAt, until, every, access"),
            (#"{"Chibi":{"every":"weight"}}"#, "every needs STRING, but weight is INT64"),
            (#"{"":{}}"#, "the name of a type is missing"),
            (#"{"Chibi":[]}"#, ""), ("[]", ""),
        ])
    func wrongSettings(document: String, reason: String) async throws {
        let own = try await ContentCloud(settings: nil)
        let failure = await #expect(throws: (any Error).self) { try await own.set(document) }
        #expect("\(failure.map { "\($0)" } ?? "")".contains(reason), "\(String(describing: failure))")
        #expect(try own.store.read(ReadSet()).catalog.content() == ContentSettings())
    }

    @Test("Removing a field that content uses from the schema is rejected")
    func schema() async throws {
        let own = try await ContentCloud()
        let schema = ContentCloud.schema.replacing("until TIMESTAMP QUERYABLE,", with: "")
        await #expect(throws: AdminError.self) {
            _ = try await own.administration.importSchema(Array(schema.utf8), into: SmallCloud.tenant)
        }
        #expect(try own.store.read(ReadSet()).catalog.types["Chibi"]?.fields["until"] != nil)
    }

    @Test("Records from before their type was content stop no server, whatever they contain")
    func stored() async throws {
        let own = try await ContentCloud(settings: nil)
        let every = #""every":{"value":"{\"days\":[\"sat\"],\"zone\":\"UTC\"}"}"#
        let times: [Int64] = [.min, -1, 0, 253_402_300_800_000, .max / 2, .max - 1_000, .max]
        for (number, time) in times.enumerated() {
            #expect(try own.save("start-\(number)", "\(ContentCloud.published(at: time)),\(every)") == "")
            #expect(try own.save("end-\(number)", "\(ContentCloud.published(at: 0, until: time)),\(every)") == "")
        }
        try await own.set(#"{"Chibi":{"publishedAt":"publishedAt","until":"until","every":"every"}}"#)
        for _ in 0..<2 {
            await own.cloud.runDueJobs()
            own.now += 86_400_000
        }
        #expect(try own.query(as: .friend).count == 2 * times.count)
        #expect(try own.query(as: .person).allSatisfy { $0.hasPrefix("start-") || $0.hasPrefix("end-") })
        #expect(try own.cloud.check() == [])
    }

    @Test("Due moments of records saved before their type was content are stored, once")
    func moments() async throws {
        let own = try await ContentCloud(settings: nil)
        let start = SmallCloud.now + 60_000
        #expect(try own.save("a", ContentCloud.published(at: start, until: start + 60_000)) == "")
        #expect(try own.save("b", ContentCloud.published(at: SmallCloud.now - 1)) == "")
        func moments() throws -> [Milliseconds] {
            try own.store.rows(DueEventRow.of([(zone: 1, name: "a"), (zone: 1, name: "b")], in: 1)).map(\.at)
        }
        #expect(try moments() == [])
        for _ in 0..<2 {
            try await own.set(ContentCloud.settings)
            await own.cloud.runDueJobs()
            #expect(try moments() == [start])
        }
        // An event that is due and was not recorded is not skipped.
        own.now = start + 1
        let notes = NoteDueEvents([(zone: 1, name: "a")], in: 1, now: own.now)
        #expect(try await own.store.commit(notes.reading, decide: notes.decide) == 0)
        #expect(try moments() == [start])
        await own.cloud.runDueEvents()
        #expect(try moments() == [start + 60_000])
    }
}
