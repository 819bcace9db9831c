import CloudKitWire
import NephosAdmin
import NephosDomain
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

@testable import NephosContent

/// docs/content.md, "Picking".
@Suite("Picking content") struct PickTests {
    @Test("Only visible content for the caller is picked (S0-52, S0-56)")
    func eligible() async throws {
        let picks = try await PickCloud()
        let now = SmallCloud.now
        try picks.save([
            .init(name: "plain"), .init(name: "draft", start: nil), .init(name: "early", start: now + 60_000),
            .init(name: "ended", start: now - 5_000, until: now - 1), .init(name: "spanish", audience: "spanish"),
            .init(name: "new", audience: "new"), .init(name: "web", audience: #"{"platform":"web"}"#),
            .init(name: "own", access: ["signedIn"]), .init(name: "testers", access: ["role:Testers"]),
        ])
        try await picks.sort()
        let answer = try picks.answer("pick", "count=50")
        #expect(answer["records"].elements.compactMap { $0["recordName"].string } == ["plain"])
        #expect(answer["eligible"] == 1)
        #expect(answer["changesAt"] == JSON.number("\(now + 60_000)"))
        #expect(answer["why"] == .null || answer["why"].string == nil)
        #expect(Set(try picks.names("pick", "count=50&locale=es-MX&version=2.4")) == ["plain", "spanish", "new"])
        #expect(Set(try picks.names("pick", "count=50&platform=Web")) == ["plain", "web"])
        #expect(Set(try picks.names("pick", "count=50", as: .person)) == ["plain", "own", "testers"])
        #expect(Set(try picks.names("pick", "count=50", as: .friend)) == ["plain", "own"])
        // It is shown because of the time alone.
        picks.own.now = now + 60_000
        try await picks.sort()
        #expect(Set(try picks.names("pick", "count=50")) == ["plain", "early"])
    }

    // docs/security.md, "What answers depend on"
    @Test("A marker cannot be read, and belongs to one endpoint and one caller", arguments: ["pick", "list"])
    func markers(what: String) async throws {
        let picks = try await PickCloud()
        let names = (0..<4).map { "secret" + String(repeating: "x", count: $0) }
        try picks.save(names.map { .init(name: $0) })
        try await picks.sort()
        let marker = try #require(try picks.answer(what, "count=1&seed=a")["after"].string)
        #expect(try picks.answer(what, "count=1&seed=a")["after"].string == marker)
        let bytes = try #require(Base64.bytes(exactly: marker, .urlSafe))
        #expect(!String(decoding: bytes, as: UTF8.self).contains("secret"))
        let next = try picks.answer(what, "count=1&after=\(marker)")
        #expect(next["after"].string?.utf8.count == marker.utf8.count)
        #expect(try picks.ask(what, "after=\(marker)").status == 200)
        let own = try #require(try picks.answer(what, "count=1", as: .person)["after"].string)
        #expect(try picks.ask(what, "after=\(own)", as: .person).status == 200)
        var changed = bytes
        changed[20] ^= 1
        let other = what == "pick" ? "list" : "pick"
        for (query, path, caller) in [
            (marker, what, .person), (own, what, .friend), (own, what, .app), (marker, other, .app),
            (Base64.text(changed, .urlSafe), what, .app),
        ] as [(String, String, SmallCloud.Caller)] {
            let answer = try picks.ask(path, "after=\(query)", as: caller)
            #expect(answer.status == 400 && answer.text.contains("after must come from"), "\(path) \(caller)")
        }
    }

    @Test("Who may read only their own records can neither list nor pick: counts would say what others have created")
    func dropBox() async throws {
        let picks = try await PickCloud()
        try picks.save([.init(name: "a")])
        try await picks.sort()
        let schema = ContentCloud.schema.replacing(
            "GRANT READ, WRITE, CREATE TO Admin,\n    GRANT READ TO \"_world\"",
            with: "GRANT READ, WRITE, CREATE TO Admin,\n    GRANT READ TO \"_creator\"")
        #expect(schema != ContentCloud.schema)
        _ = try await picks.own.administration.importSchema(Array(schema.utf8), into: SmallCloud.tenant)
        for what in ["list", "pick"] {
            let answer = try picks.ask(what, as: .person)
            #expect(answer.text.contains("ACCESS_DENIED") && !answer.text.contains("eligible"), "\(answer.text)")
            #expect(try picks.names(what, as: .friend) == ["a"])
        }
    }

    @Test("A forged position of a round is rejected, and one that does not fit is answered with little work")
    func forgedRounds() async throws {
        let picks = try await PickCloud()
        try picks.save((0..<40).map { .init(name: "r\($0)") })
        try await picks.sort()
        let catalog = try picks.own.store.read(ReadSet()).catalog
        let type = try #require(catalog.types["Chibi"]).row.number
        func bytes(_ numbers: [Int64]) -> [UInt8] {
            var writer = NumberWriter()
            for number in numbers { writer.number(number) }
            return writer.bytes
        }
        /// As the server encrypts it for an app without a person.
        func text(_ numbers: [Int64]) throws -> String {
            var content = NumberWriter()
            for number in [ContentMarker.pick.rawValue, Int64(type), 0] { content.number(number) }
            content.counted(bytes(numbers))
            let key = catalog.head.signingKey
            return try SealedToken.encryptInURL(content.bytes, for: .contentPage, key: key)
        }
        let unsealed = Base64.text(bytes([1, 5, 0, 0, 0]), .urlSafe)
        #expect(try picks.ask("pick", "after=\(unsealed)").status == 400)
        let far = Int64(1) << 40
        // Version, seed, round, position, buckets of three numbers each, and the shown items.
        for numbers in [
            [1, 5, -1, far, 0], [1, 5, -1, 0, 0], [1, 5, 0, far, 1, 1_000, 0, far], [1, 5, 0, 0, 1, 1_000, 0, far],
            [1, -1, .max, 3, 2, 0, 0, 7, 0, 0, 9] + Array(0..<50),
        ] as [[Int64]] {
            let answer = try picks.answer("pick", "count=50&after=\(text(numbers))")
            #expect(answer["eligible"] == 40)
        }
        for numbers in [[1, 5, 0, 0, 0] + Array(0..<51), [1, 5, 0, far + 1, 0], [2, 5, 0, 0, 0]] as [[Int64]] {
            #expect(try picks.ask("pick", "after=\(text(numbers))").status == 400)
        }
    }

    @Test("Records that do not fit into a response come with the next, and none is lost", arguments: ["pick", "list"])
    func largeRecords(what: String) async throws {
        let picks = try await PickCloud()
        // Nine of them fit into 8 MB.
        let drawing = String(repeating: "x", count: 900_000)
        for number in 0..<30 { try picks.save([.init(name: "r\(number)", drawing: drawing)]) }
        try await picks.sort()
        var (seen, after, pages) = ([] as [String], "", 0)
        repeat {
            let answer = try picks.answer(what, "count=20&seed=s\(after)")
            let names = answer["records"].elements.compactMap { $0["recordName"].string }
            #expect((1...10).contains(names.count), "\(names.count)")
            seen += names
            after = answer["after"].string.map { "&after=\($0)" } ?? ""
            pages += 1
        } while !after.isEmpty && pages < 30 && seen.count < 30
        // At its end a new round begins.
        #expect(seen.count >= 30 && Set(seen.prefix(30)).count == 30, "\(seen) in \(pages)")
    }

    @Test("Content added for a role is picked for its members, even if no content required roles before")
    func firstRole() async throws {
        let picks = try await PickCloud()
        try picks.save([.init(name: "plain")])
        try await picks.sort()
        for _ in 0..<2 { #expect(try picks.names("list", as: .person) == ["plain"]) }
        try picks.save([.init(name: "testers", access: ["role:Testers"])])
        try await picks.sort()
        for _ in 0..<2 {
            #expect(Set(try picks.names("list", as: .person)) == ["plain", "testers"])
            #expect(try picks.names("list", as: .friend) == ["plain"])
        }
    }

    @Test("When nothing is for the caller, the counts explain why (S0-57)")
    func why() async throws {
        let picks = try await PickCloud()
        let now = SmallCloud.now
        try picks.save([
            .init(name: "e1", start: now + 60_000), .init(name: "e2", start: now + 90_000),
            .init(name: "o", start: now - 5_000, until: now - 1), .init(name: "s1", audience: "spanish"),
            .init(name: "s2", audience: "spanish"), .init(name: "v", audience: "new"),
            .init(name: "p", audience: #"{"platform":"web"}"#), .init(name: "a", access: ["signedIn"]),
            .init(name: "d", start: nil),
        ])
        try await picks.sort()
        let visible = [("locale", 2), ("version", 1), ("platform", 1)]
        // How many records are hidden is for those who may write all of them.
        for (caller, counts) in [
            (.app, visible), (.friend, visible + [("early", 2), ("ended", 1), ("unreadable", 0)]),
        ] as [(SmallCloud.Caller, [(String, Int)])] {
            try picks.delete(caller == .friend ? ["a"] : [])
            try await picks.sort()
            let answer = try picks.answer("pick", "locale=de&version=1.0", as: caller)
            #expect(answer["records"].elements.isEmpty && answer["eligible"] == 0)
            let why = answer["why"]
            for reason in ["early", "ended", "locale", "version", "access", "unreadable", "platform"] {
                let count = counts.first { $0.0 == reason }.map { Int64($0.1) } ?? (caller == .friend ? 0 : nil)
                #expect(why[reason].int64 == count, "\(caller) \(reason): \(why)")
            }
        }
    }

    // docs/security.md, "What answers depend on"
    @Test("No tag changes with records that its reader may not see")
    func tagsOfHidden() async throws {
        let picks = try await PickCloud()
        let now = SmallCloud.now
        try picks.save([.init(name: "plain"), .init(name: "early", start: now + 60_000)])
        try await picks.sort()
        func tags() throws -> [String] {
            try [("list", ""), ("pick", "seed=a")].map { what, query in
                let answer = try picks.ask(what, query)
                let tag = try #require(answer.headers.first { $0.0 == "ETag" }?.1)
                #expect(try picks.ask(what, query, headers: [("If-None-Match", tag)]).status == 304)
                return tag
            }
        }
        let before = try tags()
        for hidden in [
            PickCloud.Item(name: "draft", start: nil), PickCloud.Item(name: "draft", start: now + 90_000),
            PickCloud.Item(name: "testers", access: ["role:Testers"]),
            PickCloud.Item(name: "ended", start: now - 5_000, until: now - 1),
        ] {
            try picks.save([hidden])
            try await picks.sort()
            #expect(try tags() == before, "\(hidden.name)")
        }
        try picks.save([.init(name: "early", start: now - 1)])
        try await picks.sort()
        let after = try tags()
        #expect(after[0] != before[0] && after[1] != before[1])
    }

    // docs/security.md, "Tables over values of clients"
    @Test("A cached tag belongs to one request, and to one container, also if another one gets its name")
    func cachedTags() {
        func source(signingKey: [UInt8] = [1], digest: [UInt8] = [1]) -> ContentForm.Source {
            ContentForm.Source(
                tenant: SmallCloud.tenant, signingKey: signingKey, type: 1, version: 1, catalog: 1, digest: digest,
                times: [0])
        }
        let tags = ResponseTags()
        tags.store("a", of: source())
        #expect(tags.tag(of: source()) == "a")
        #expect(tags.tag(of: source(signingKey: [2])) == nil)
        #expect(tags.tag(of: source(digest: [2])) == nil)
    }

    @Test("Collections are chosen before the limit (S0-56)")
    func collections() async throws {
        let picks = try await PickCloud()
        try picks.save(
            (0..<30).map { .init(name: "c\($0)", collection: ["cats", "dogs", "birds"][$0 % 3]) } + [
                .init(name: "none")
            ])
        try await picks.sort()
        #expect(try picks.names("list", "count=200&collection=cats").count == 10)
        #expect(try picks.names("list", "count=200&collection=cats,dogs").count == 20)
        #expect(try picks.names("list", "count=200&collection=cats&collection=birds").count == 20)
        #expect(try picks.names("list", "count=200").count == 31)
        #expect(try picks.answer("pick", "collection=fish")["eligible"] == 0)
        for seed in 0..<20 {
            let name = try #require(try picks.names("pick", "seed=\(seed)&collection=dogs").first)
            #expect((Int(name.dropFirst()) ?? 0) % 3 == 1)
        }
    }

    @Test("The same seed gives the same records, and added or removed records change the result for few (S0-55)")
    func seeded() async throws {
        let picks = try await PickCloud()
        try picks.save((0..<200).map { .init(name: "r\($0)") })
        try await picks.sort()
        func picked() throws -> [String] { try (0..<100).map { try picks.names("pick", "seed=day-\($0)")[0] } }
        let first = try picked()
        #expect(try picked() == first)
        #expect(Set(first).count > 50)
        try picks.save([.init(name: "another")])
        try await picks.sort()
        let second = try picked()
        #expect(zip(first, second).filter { $0 != $1 }.count < 10)
    }

    @Test("Nothing repeats until everything was shown, whatever the page size (S0-55)")
    func withoutRepeats() async throws {
        let picks = try await PickCloud()
        try picks.save((0..<97).map { .init(name: "r\($0)", audience: $0 < 40 ? "spanish" : nil, weight: 1 + $0 % 7) })
        try await picks.sort()
        for count in [1, 7, 50] {
            var (seen, after): ([String], String?) = ([], nil)
            for _ in 0..<2 {
                var round: Set<String> = []
                while round.count < 97 {
                    let query =
                        "locale=es&count=\(min(count, 97 - round.count))" + (after.map { "&after=\($0)" } ?? "&seed=s")
                    let answer = try picks.answer("pick", query)
                    let names = answer["records"].elements.compactMap { $0["recordName"].string }
                    #expect(!names.isEmpty)
                    for name in names { #expect(round.insert(name).inserted, "\(name) came again") }
                    seen += names
                    after = answer["after"].string
                }
            }
            #expect(seen.count == 194)
        }
    }

    @Test("The newest come first, page by page, each once")
    func newest() async throws {
        let picks = try await PickCloud()
        let now = SmallCloud.now
        try picks.save(
            (0..<120).map {
                .init(name: "r\($0)", start: now - Int64($0 / 2) * 1_000, audience: $0 % 4 == 0 ? "spanish" : nil)
            })
        try await picks.sort()
        var (names, after): ([String], String?) = ([], nil)
        repeat {
            let answer = try picks.answer("list", "count=17" + (after.map { "&after=\($0)" } ?? ""))
            names += answer["records"].elements.compactMap { $0["recordName"].string }
            after = answer["after"].string
        } while after != nil
        let expected = (0..<120).filter { $0 % 4 != 0 }
        #expect(Set(names) == Set(expected.map { "r\($0)" }) && names.count == expected.count)
        let times = names.map { (Int($0.dropFirst()) ?? 0) / 2 }
        #expect(times == times.sorted())
    }

    @Test("An unchanged response is 304, and a new one follows a change of a record or of time")
    func tags() async throws {
        let picks = try await PickCloud()
        try picks.save((0..<10).map { .init(name: "r\($0)") } + [.init(name: "early", start: SmallCloud.now + 60_000)])
        try await picks.sort()
        for what in ["list", "pick"] {
            func ask(_ tag: String?) throws -> RawResponse {
                try picks.ask(what, "seed=a&count=10", headers: tag.map { [("If-None-Match", $0)] } ?? [])
            }
            func tag(_ answer: RawResponse) -> String { answer.headers.first { $0.0 == "ETag" }?.1 ?? "" }
            let first = try ask(nil)
            #expect(first.status == 200 && tag(first) != "")
            #expect(try ask(tag(first)).status == 304)
            try picks.save([.init(name: "r0", weight: 3)])
            try await picks.sort()
            #expect(try ask(tag(first)).status == 200)
        }
        let list = try picks.ask("list")
        let tag = list.headers.first { $0.0 == "ETag" }?.1 ?? ""
        // Even before it was recorded that the time has come.
        picks.own.now = SmallCloud.now + 60_000
        #expect(try picks.ask("list", headers: [("If-None-Match", tag)]).status == 200)
        try await picks.sort()
        #expect(try picks.names("list", "count=200").contains("early"))
    }

    @Test("Time conditions hold to the millisecond, even without a sorting run")
    func edges() async throws {
        let picks = try await PickCloud()
        let now = SmallCloud.now
        try picks.save([
            .init(name: "later", audience: #"{"from":"2026-01-01T00:01:00Z"}"#),
            .init(name: "first", audience: #"{"until":"2026-01-01T00:01:00Z"}"#),
        ])
        try await picks.sort()
        for (step, names, next) in [
            (59_999, ["first"], now + 60_000), (60_000, ["later"], nil), (90_000, ["later"], nil),
        ] as [(Milliseconds, [String], Milliseconds?)] {
            picks.own.now = now + step
            let answer = try picks.answer("list")
            #expect(answer["records"].elements.compactMap { $0["recordName"].string } == names, "\(step)")
            #expect(answer["changesAt"].int64 == next, "\(step)")
        }
    }

    @Test("A cacheable response names what it depends on, and a personal one is never shared")
    func cached() async throws {
        let picks = try await PickCloud()
        try picks.save([.init(name: "a")])
        try await picks.sort()
        func kept(_ query: String, _ caller: SmallCloud.Caller, _ headers: [(String, String)] = []) throws -> String {
            let answer = try picks.ask("list", query, as: caller, headers: headers)
            #expect(answer.headers.contains { $0.0 == "Vary" && $0.1.contains("X-Nephos-Facts") })
            // So that a cache passes on nothing to a client without a token (OFREP's header).
            #expect(answer.headers.contains { $0.0 == "Vary" && $0.1.contains("X-API-Key") })
            return answer.headers.first { $0.0 == "Cache-Control" }?.1 ?? ""
        }
        #expect(try kept("", .app) == "public, max-age=60")
        let tag = try picks.ask("list", "", as: .app).headers.first { $0.0 == "ETag" }?.1 ?? ""
        #expect(try kept("", .app, [("If-None-Match", tag)]) == "public, max-age=60")
        for (query, caller, headers) in [
            ("", .person, []), ("", .key, []), ("device=d", .app, []), ("seed=s", .app, []),
            ("", .app, [("X-Nephos-Client", "1")]),
        ] as [(String, SmallCloud.Caller, [(String, String)])] {
            #expect(try kept(query, caller, headers) == "private, no-cache", "\(query) \(caller) \(headers)")
        }
        // Without a public URL its links lead where a proxy says that this client reached the server, so it is for no other client.
        var request = picks.own.cloud.request(
            "GET", "/nephos/1/\(SmallCloud.container)/development/content/Chibi/list",
            headers: [("X-Forwarded-Host", "evil.example")], as: .app)
        request.peer = Peer(isProxy: true, address: nil, origin: "http://10.0.0.1:8080")
        let proxied = try picks.own.cloud.answer(to: request)
        #expect(proxied.status == 200)
        #expect(proxied.headers.first { $0.0 == "Cache-Control" }?.1 == "private, no-cache")
    }

    @Test("A record hidden, changed or deleted since the sorting run is not picked")
    func stale() async throws {
        let picks = try await PickCloud()
        let now = SmallCloud.now
        try picks.save((0..<60).map { .init(name: "r\($0)", until: $0 < 20 ? now + 60_000 : nil) })
        try await picks.sort()
        picks.own.now = now + 60_000
        try picks.delete((20..<30).map { "r\($0)" })
        try picks.save((30..<40).map { .init(name: "r\($0)", audience: "spanish") })
        for query in ["count=50", "count=50&seed=1", "count=1&seed=2"] {
            for name in try picks.names("pick", query) { #expect((Int(name.dropFirst()) ?? 0) >= 40, "\(name)") }
        }
        #expect(Set(try picks.names("list", "count=200")) == Set((40..<60).map { "r\($0)" }))
        try await picks.sort()
        #expect(try picks.answer("pick")["eligible"] == 20)
    }

    @Test("Unreadable records are counted, and hide no others (S0-64)")
    func unreadable() async throws {
        let own = try await ContentCloud(settings: nil)
        // As saved before these fields had a meaning.
        for (name, fields) in [
            ("a", #""audience":{"value":"{\"locale\":"}"#), ("b", #""weight":{"value":0}"#),
            ("c", #""access":{"value":["sometimes"]}"#),
            ("d", #""every":{"value":"daily"}"#), ("good", #""weight":{"value":2}"#),
        ] {
            #expect(try own.save(name, ContentCloud.published(at: SmallCloud.now - 1) + "," + fields) == "")
        }
        try await own.set(PickCloud.settings)
        let picks = PickCloud(own)
        try await picks.sort()
        #expect(try picks.names("list") == ["good"])
        try picks.delete(["good"])
        try await picks.sort()
        #expect(try picks.answer("pick", as: .friend)["why"]["unreadable"] == 4)
    }

    @Test("A person's choices are used on all of their devices, and shown to nobody else")
    func chosen() async throws {
        let picks = try await PickCloud()
        try picks.save((0..<30).map { .init(name: "c\($0)", collection: ["cats", "dogs", "birds"][$0 % 3]) })
        try await picks.sort()
        func choose(_ body: String?, as caller: SmallCloud.Caller) throws -> RawResponse {
            try picks.own.cloud.ask(
                body == nil ? "GET" : "POST",
                "/nephos/1/\(SmallCloud.container)/development/content/Chibi/choose", body ?? "", as: caller)
        }
        #expect(try choose(nil, as: .person).text == #"{"collections":[]}"#)
        #expect(
            try choose(#"{"collections":["cats","dogs"]}"#, as: .person).text == #"{"collections":["cats","dogs"]}"#)
        #expect(try choose(nil, as: .person).text == #"{"collections":["cats","dogs"]}"#)
        #expect(try picks.names("list", "count=200", as: .person).count == 20)
        #expect(try picks.names("list", "count=200&collection=birds", as: .person).count == 10)
        #expect(try picks.answer("pick", as: .person)["eligible"] == 20)
        for caller in [SmallCloud.Caller.app, .friend] {
            #expect(try picks.answer("pick", as: caller)["eligible"] == 30)
        }
        // It is one of their own records.
        let stored = try picks.own.cloud.ask(
            "POST", "/database/1/\(SmallCloud.container)/development/private/records/lookup",
            #"{"records":[{"recordName":"content-Chibi"}]}"#, as: .person)
        #expect(stored.text.contains(#"["cats","dogs"]"#))
        #expect(try choose(#"{"collections":[]}"#, as: .person).status == 200)
        #expect(try picks.answer("pick", as: .person)["eligible"] == 30)
        for (body, reason) in [
            ("{}", "collections is missing"), (#"{"collections":["a,b"]}"#, "and no comma"),
            (#"{"collections":[""]}"#, "a collection's name must have"),
            (#"{"colours":[]}"#, "a choice has collections"),
            (
                #"{"collections":\#("[" + Array(repeating: #""x""#, count: 101).joined(separator: ",") + "]")}"#,
                "more than 100"
            ),
        ] {
            let answer = try choose(body, as: .person)
            #expect(answer.status == 400 && answer.text.contains(reason), "\(answer.text)")
        }
        #expect(try choose(#"{"collections":[]}"#, as: .key).status == 400)
        #expect(try [401, 421].contains(choose(#"{"collections":[]}"#, as: .app).status))
    }

    // docs/audiences.md, "Locales" and "Contexts"
    @Test("Content is for readers under any code of their language, and what cannot be read is not known")
    func readers() async throws {
        let picks = try await PickCloud()
        let languages = ["zh-Hant", "no", "he", "id", "es-419"]
        try picks.save(languages.map { .init(name: $0, audience: #"{"locale":["\#($0)"]}"#) } + [.init(name: "all")])
        try await picks.sort()
        for (locale, name) in [
            ("zh-TW", "zh-Hant"), ("zh_HK", "zh-Hant"), ("zh-CN", nil), ("nb-NO", "no"), ("nn", "no"), ("iw-IL", "he"),
            ("in", "id"), ("es-MX", "es-419"), ("es-ES", nil), ("es_AR.UTF-8", "es-419"), ("", nil), ("C", nil),
            ("xx_", nil), ("en_US_POSIX", nil),
        ] {
            let query = "locale=\(locale)&version=1..2&osVersion=v&country=MEX"
            #expect(Set(try picks.names("list", query)) == Set(["all"] + (name.map { [$0] } ?? [])), "\(locale)")
        }
    }

    @Test(
        "Invalid requests are rejected with the reason",
        arguments: [
            ("count=0", "count must be a number from 1 to 50"), ("count=51", "count must be a number"),
            ("count=x", "count must be a number"),
            ("seed=\(String(repeating: "s", count: 1_025))", "seed has more than"),
            ("after=zzz", "after must come from a response"), ("seed=%ff", "not percent-encoded UTF-8"),
        ])
    func wrong(query: String, reason: String) async throws {
        let picks = try await PickCloud()
        let answer = try picks.ask("pick", query)
        #expect(answer.status == 400 && answer.text.contains(reason), "\(answer.text)")
    }

    @Test("A type that is not content, or not sorted yet, is rejected")
    func closed() async throws {
        let picks = try await PickCloud()
        let answer = try picks.own.cloud.ask(
            "GET", "/nephos/1/\(SmallCloud.container)/development/content/Note/pick", as: .app)
        #expect(answer.status == 400 && answer.text.contains("Note is not content"))
        // Before items were prepared.
        let first = try picks.ask("pick")
        #expect(first.status == 503 || first.text.contains("TRY_AGAIN_LATER"), "\(first.status) \(first.text)")
    }
}
