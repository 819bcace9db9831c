import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

/// docs/flags.md, "Over HTTP".
@Suite("Flags over OFREP") struct OFREPTests {
    private static let tipJar = FlagCloud.boolean(
        "tipJar", ["rules": #"[{"id":"es","when":{"audience":"spanish"},"serve":{"split":{"on":25000,"off":75000}}}]"#])

    @Test("One flag is evaluated for a context, with value, variant, reason and why")
    func single() async throws {
        let own = try await FlagCloud()
        #expect(try own.save([Self.tipJar, FlagCloud.boolean("off", state: "off")]) == ["", ""])
        let (answer, json) = try own.evaluate(
            "tipJar", #"{"targetingKey":"d1","locale":"es-MX","platform":"iOS","appVersion":"2.4"}"#)
        #expect(answer.status == 200)
        #expect(
            String(decoding: answer.body, as: UTF8.self)
                == #"{"key":"tipJar","value":false,"variant":"off","reason":"SPLIT","metadata":{"rule":"es","bucket":83663}}"#
        )
        #expect(try own.evaluate("tipJar", #"{"locale":"en"}"#).json["reason"].string == "DEFAULT")
        #expect(json["key"].string == "tipJar")
        #expect(try own.evaluate("off").json["reason"].string == "DISABLED")
    }

    // docs/security.md, "What answers depend on"
    @Test("The state of flags is no hash by which somebody can check a guess of the rules")
    func keyed() async throws {
        let own = try await FlagCloud()
        #expect(try own.save([Self.tipJar]) == [""])
        let url = try #require(try own.evaluate().json["eventStreams"][0]["url"].string)
        #expect(url.contains("state="))
        var set = ReadSet()
        set.records = [RecordKey(zone: .name(1, defaultZoneName), name: "tipJar")]
        let reading = try own.store.read(set)
        guard case .record(let record)? = reading.records.first else {
            Issue.record("there is no flag")
            return
        }
        let audiences = try #require(reading.catalog.sections["audiences"])
        func hash(_ bytes: Bytes) -> UInt64 { bytes.withUnsafeBytes { xxHash64($0) } }
        let hashes = [hash(audiences.document), hash(record.name.bytes), hash(record.fields)]
        let numbers = [hashes.withUnsafeBytes { xxHash64($0) }, 0]
        let state = numbers.withUnsafeBytes { xxHash64($0) }
        #expect(!url.contains("state=\(String(state, radix: 16))"))
    }

    @Test("Evaluation errors are reported with OFREP's codes and ours")
    func failures() async throws {
        let own = try await FlagCloud()
        _ = try own.save([Self.tipJar])
        for (key, context, status, code, ours) in [
            ("gone", "{}", 404, "FLAG_NOT_FOUND", "NOT_FOUND"),
            ("tipJar", #"{"locale":"es"}"#, 400, "TARGETING_KEY_MISSING", "BAD_REQUEST"),
            ("tipJar", #"{"targetingKey":""}"#, 400, "INVALID_CONTEXT", "BAD_REQUEST"),
            ("tipJar", "[", 400, "INVALID_CONTEXT", "BAD_REQUEST"),
            ("tipJar", #"{"a":"\#(String(repeating: "x", count: 65_536))"}"#, 400, "INVALID_CONTEXT", "BAD_REQUEST"),
        ] {
            let (answer, json) = try own.evaluate(key, context)
            #expect(
                answer.status == status && json["errorCode"].string == code && json["serverErrorCode"].string == ours)
        }
        #expect(try own.evaluate("tipJar", as: .stranger).answer.status == 401)
    }

    // docs/audiences.md, "Contexts"
    @Test(
        "One value that cannot be read is not known, for one flag and for all, and everything else counts",
        arguments: [
            #""appVersion":"1..2""#, #""appVersion":2.4"#, #""locale":"""#, #""locale":"C""#, #""locale":"english""#,
            #""country":"Mexico""#, #""country":"419""#, #""osVersion":["17"]"#, #""platform":1"#, #""device":{}"#,
            #""timeZone":"Mars/Base""#,
        ])
    func odd(member: String) async throws {
        let own = try await FlagCloud()
        let conditions = [
            #"{"app":">=0"}"#, #"{"locale":["en","es"]}"#, #"{"country":"MX"}"#, #"{"os":">=0"}"#,
            #"{"platform":"1"}"#, #"{"device":"x"}"#,
        ]
        var rules = conditions.map { #"{"when":\#($0),"serve":"off"}"# }
        rules.append(#"{"id":"rest","when":{"claim":"beta"},"serve":"off"}"#)
        _ = try own.save([FlagCloud.boolean("a", ["rules": "[\(rules.joined(separator: ","))]"])])
        let context = #"{\#(member),"beta":true}"#
        let (one, json) = try own.evaluate("a", context)
        #expect(one.status == 200 && json["metadata"]["rule"] == "rest", "\(json)")
        let (all, flags) = try own.evaluate(nil, context)
        #expect(all.status == 200 && flags["flags"].elements.first?["metadata"]["rule"] == "rest", "\(flags)")
    }

    @Test("An API token is accepted as a bearer token too")
    func bearer() async throws {
        let own = try await FlagCloud()
        _ = try own.save([Self.tipJar])
        for (scheme, status) in [("Bearer ", 200), ("bearer  ", 200), ("Basic ", 401), ("", 401)] {
            let answer = try own.evaluate(
                "tipJar", headers: [("Authorization", scheme + own.cloud.apiToken)], as: .stranger
            ).answer
            #expect(answer.status == status, "\(scheme)")
        }
    }

    // docs/flags.md, "Over HTTP"
    @Test("An API token is accepted in OFREP's own header too, after one in the query and a bearer token")
    func apiKey() async throws {
        let own = try await FlagCloud()
        _ = try own.save([Self.tipJar])
        let key = own.cloud.apiToken
        for (headers, status) in [
            ([("X-API-Key", key)], 200), ([("x-api-key", key), ("Authorization", "Basic x")], 200),
            ([("X-API-Key", "")], 401), ([("X-API-Key", "0")], 401),
            ([("X-API-Key", "0"), ("Authorization", "Bearer \(key)")], 200),
            ([("X-API-Key", key), ("Authorization", "Bearer 0")], 401),
        ] {
            for flag in ["tipJar", nil] {
                #expect(try own.evaluate(flag, headers: headers, as: .stranger).answer.status == status, "\(headers)")
            }
        }
        #expect(try own.evaluate("tipJar", headers: [("X-API-Key", "0")], as: .app).answer.status == 200)
        // CloudKit's own endpoints do not have it.
        let target = "/database/1/\(SmallCloud.container)/development/public/users/caller"
        #expect(try own.cloud.ask("GET", target, headers: [("X-API-Key", key)], as: .stranger).status == 401)
    }

    @Test(
        "Errors at all paths have OFREP's members as well as ours: refusals, methods that are not allowed, paths that do not exist"
    )
    func everyPath() async throws {
        let own = try await FlagCloud()
        _ = try own.save([Self.tipJar])
        let flags = "/nephos/1/\(SmallCloud.container)/development/flags"
        let evaluate = "\(flags)/ofrep/v1/evaluate/flags"
        for (method, path, caller, status, key) in [
            ("POST", evaluate, .stranger, 401, nil), ("POST", "\(evaluate)/tipJar", .stranger, 401, "tipJar"),
            ("POST", "\(evaluate)/tipJar?ckAPIToken=0", .stranger, 401, "tipJar"),
            ("POST", "\(evaluate)?ckWebAuthToken=0", .app, 421, nil),
            ("GET", evaluate, .app, 405, nil), ("DELETE", "\(evaluate)/a%2Fb", .app, 405, "a/b"),
            ("POST", "\(evaluate)/a/b", .app, 404, nil), ("POST", "\(flags)/ofrep/v2/evaluate", .app, 404, nil),
            ("POST", flags, .app, 404, nil), ("POST", "\(evaluate)/%FF", .app, 400, nil),
            ("POST", "\(evaluate)/..", .app, 400, nil), ("GET", "\(flags)/stream", .stranger, 401, nil),
            ("POST", evaluate.replacing("development", with: "staging"), .app, 400, nil),
            ("POST", evaluate.replacing(SmallCloud.container, with: "iCloud.org.nephos.none"), .app, 401, nil),
        ] as [(String, String, SmallCloud.Caller, Int, String?)] {
            // A client that would show a page gets the same.
            for accept in ["*/*", "text/html"] {
                let answer = try own.cloud.ask(method, path, "{}", headers: [("Accept", accept)], as: caller)
                let json = try JSON(reading: answer.body)
                #expect(answer.status == status, "\(method) \(path): \(answer.text)")
                #expect(json["errorCode"] == "GENERAL" && json["key"].string == key, "\(answer.text)")
                #expect(json["errorDetails"].string == json["reason"].string && json["errorDetails"].string != nil)
                #expect(json["serverErrorCode"].string != nil && json["uuid"].string != nil)
            }
        }
        let others = try own.ask("POST", flags.replacing("flags", with: "others"), "{}")
        #expect(others.status == 404 && !others.text.contains("errorCode\":"))
    }

    // docs/operating.md, "Below a path"
    @Test("The stream that a response names is below the path of the public URL")
    func base() async throws {
        let own = try await FlagCloud(publicURL: "https://example.org/nephos")
        let url = try #require(try own.evaluate().json["eventStreams"][0]["url"].string)
        let path = "/nephos/1/\(SmallCloud.container)/development/flags/stream?"
        #expect(url.hasPrefix("https://example.org/nephos\(path)"), "\(url)")
    }

    @Test(
        "All flags are returned together with an entity tag, which changes with flags, context and time"
    )
    func bulk() async throws {
        let own = try await FlagCloud()
        let later = FlagCloud.boolean("later", ["schedule": #"[{"at":"2026-01-01T00:00:10Z","state":"off"}]"#])
        #expect(try own.save([Self.tipJar, later]) == ["", ""])
        let context = #"{"locale":"es"}"#
        let (first, json) = try own.evaluate(nil, context)
        #expect(json["flags"].elements.map { $0["key"].string } == ["later", "tipJar"])
        #expect(json["flags"].elements.last?["errorCode"].string == "TARGETING_KEY_MISSING")
        let tag = try #require(first.header("ETag"))
        func status(_ context: String = context, as caller: SmallCloud.Caller = .app) throws -> Int {
            try own.evaluate(nil, context, headers: [("If-None-Match", tag)], as: caller).answer.status
        }
        #expect(try status() == 304)
        #expect(try status(#"{"locale":"en"}"#) == 200)
        #expect(try status(as: .friend) == 200)
        own.cloud.inputs.now += 9_999
        #expect(try status() == 304)
        own.cloud.inputs.now += 1
        let (second, after) = try own.evaluate(nil, context, headers: [("If-None-Match", tag)])
        #expect(second.status == 200 && after["flags"].elements.first?["reason"].string == "DISABLED")
        own.cloud.inputs.now -= 10_000
        #expect(try status() == 304)
        #expect(try own.save([FlagCloud.boolean("new")]) == [""])
        #expect(try status() == 200)
    }

    @Test(
        "Switching a flag takes effect with the next request, by record and by endpoint, and changes no catalog version (S0-2)"
    )
    func switched() async throws {
        let own = try await FlagCloud()
        _ = try own.save([FlagCloud.boolean("a")])
        #expect(try own.evaluate("a").json["value"].bool == true)
        let version = try own.store.read(ReadSet()).catalog.version
        _ = try own.save([FlagCloud.boolean("a", state: "off")])
        #expect(try own.evaluate("a").json["value"].bool == false)
        let target = "/database/1/\(SmallCloud.container)/development/public/records/lookup"
        let record = try JSON(reading: own.ask("POST", target, #"{"records":[{"recordName":"a"}]}"#).body)["records"][0]
        #expect(record["fields"]["state"]["value"] == "off")
        #expect(try own.store.read(ReadSet()).catalog.version == version)
        // So do audiences.
        _ = try own.save([Self.tipJar])
        let spanish = #"{"targetingKey":"d1","locale":"es"}"#
        #expect(try own.evaluate("tipJar", spanish).json["reason"].string == "SPLIT")
        try await own.set(["audiences": #"{"spanish":{"locale":"pt"}}"#])
        #expect(try own.evaluate("tipJar", spanish).json["reason"].string == "DEFAULT")
    }

    @Test("A signed-in person is identified by the session, whatever the app claims")
    func person() async throws {
        let own = try await FlagCloud()
        let rules = #"[{"id":"in","when":{"signedIn":true,"percent":100},"serve":"on"}]"#
        _ = try own.save([FlagCloud.boolean("a", ["rules": rules, "defaultVariant": "off"])])
        #expect(try own.evaluate("a", #"{"targetingKey":"x","signedIn":true}"#).json["variant"].string == "off")
        #expect(try own.evaluate("a", as: .person).json["variant"].string == "on")
        let split = #"[{"serve":{"split":{"on":50000,"off":50000}}}]"#
        _ = try own.save([FlagCloud.boolean("b", ["rules": split])])
        let buckets = try ["x", "y"].map { key in
            try own.evaluate("b", #"{"targetingKey":"\#(key)"}"#, as: .person).json["metadata"]["bucket"].int64
        }
        #expect(buckets[0] == buckets[1])
    }

    @Test(
        "An invalid flag is rejected with the field and the reason; without settings any record can be saved",
        arguments: [
            (["rules": #"[{"serve":"maybe"}]"#], "flag f: rules: [0].serve: there is no variant maybe"),
            (["variants": #"{"off":0,"on":true}"#], "flag f: variants: off: its value is not of kind boolean"),
            (["state": "maybe"], "flag f: state: expected on or off, not maybe"),
            (["kind": "colour"], "flag f: kind: expected boolean, string, number, json"),
            (["schedule": #"[{"at":"tomorrow","state":"on"}]"#], "flag f: schedule: [0].at: expected a moment"),
        ])
    func refused(_ fields: [String: String], _ reason: String) async throws {
        let own = try await FlagCloud()
        let said = try own.save([FlagCloud.boolean("f", fields)])
        #expect(said.first?.hasPrefix(reason) == true, "\(said)")
        #expect(try own.evaluate("f").answer.status == 404)
    }

    @Test("A key can contain percent-encoded characters, and a path additional slashes")
    func spelled() async throws {
        let own = try await FlagCloud()
        let spellings = [
            ("100%25", "100%"), ("a%2541", "a%41"), ("%C3%A9", "é"), ("checkout%2Fnew%20button", "checkout/new button"),
            ("%2F", "/"), ("a%2f%2Fb", "a//b"), ("a%3Fb%23c%26d%3De%2Bf", "a?b#c&d=e+f"), ("%F0%9F%8D%95", "🍕"),
            ("..%2Fx", "../x"), ("a+b", "a+b"), ("%22%3C%3E%5C%5E%60%7B%7C%7D", #""<>\^`{|}"#),
        ]
        #expect(try own.save(spellings.map { FlagCloud.boolean($0.1) }).allSatisfy(\.isEmpty))
        for (path, key) in spellings {
            let (answer, json) = try own.evaluate(path)
            #expect(answer.status == 200 && json["key"].string == key, "\(path): \(answer.text)")
            #expect(try own.evaluate("\(path)%2F").json["errorCode"] == "FLAG_NOT_FOUND")
        }
        for root in ["/nephos", "//nephos", "/%6eephos"] {
            let target = "\(root)/1/\(SmallCloud.container)/development/flags/ofrep/v1/evaluate/flags/a%2541"
            #expect(try own.ask("POST", target, "{}").status == 200, "\(root)")
        }
    }

    @Test("Settings that a server cannot read are reported, and reject no save")
    func unreadable() async throws {
        let own = try await FlagCloud()
        _ = try own.save([FlagCloud.boolean("a")])
        let newer = CatalogSection<Int>("flags", isDeployed: true, uses: { _ in [] }, effects: { _, _ in [] }) {
            document throws(SectionFailure) in document.count
        }
        let change = try ChangeSections(
            ["flags": Array(#"{"kinds":[]}"#.utf8)[...]], of: [newer], by: "ada", now: own.cloud.inputs.now)
        _ = try await own.store.commit(change.reading, decide: change.decide)
        let (answer, json) = try own.evaluate("a")
        #expect(answer.status == 500 && json["errorCode"].string == "GENERAL")
        #expect(json["serverErrorCode"].string == "INTERNAL_ERROR")
        #expect(json["reason"].string?.contains("kinds: unknown key; flags has type") == true)
        #expect(try own.save([FlagCloud.boolean("a", state: "off")]) == [""])
        try await own.set(["flags": #"{"type":"FeatureFlag"}"#])
        #expect(try own.evaluate("a").json["value"].bool == false)
    }

    @Test("More flags than fit on a page are all returned")
    func many() async throws {
        let own = try await FlagCloud()
        let flags = (0..<1_200).map { FlagCloud.boolean("flag\($0)") }
        #expect(try own.save(flags).allSatisfy(\.isEmpty))
        #expect(try own.evaluate().json["flags"].elements.count == 1_200)
        #expect(try own.evaluate("flag1199").answer.status == 200)
        #expect(try own.cloud.check() == [])
    }
}
