import CloudKitWire
import NephosRunner
import NephosTesting
import RequestTesting
import Testing

@testable import NephosMessages

/// docs/messages.md, "Requesting the current message".
@Suite("The current message") struct CurrentTests {
    private static let hour: Int64 = 3_600_000

    @Test(
        "It is shown from its start until its end, to the millisecond, and drafts never; nothing is null (S2-17)")
    func times() async throws {
        let own = try await MessageCloud()
        let (start, end) = (own.now + Self.hour, own.now + 2 * Self.hour)
        #expect(try own.save("draft", MessageCloud.complete()) == "")
        #expect(try own.save("a", MessageCloud.complete(), at: start, until: end) == "")
        for (time, id, changes) in [
            (start - 1, nil, start), (start, "a", end), (end - 1, "a", end), (end, nil, nil),
        ] as [(Int64, String?, Int64?)] {
            own.now = time
            let answer = try JSON(reading: own.ask().body)
            #expect(answer["message"]["id"].string == id && answer["changesAt"].int64 == changes, "\(answer)")
        }
        #expect(try own.current()["id"].string == nil)
        // Record reads do not reveal either before its time.
        own.now = start - 1
        let look = #"{"records":[{"recordName":"a"},{"recordName":"draft"}]}"#
        let found = try JSON(reading: own.database("records/lookup", look, as: .person).body)["records"].elements
        #expect(found.map { $0["serverErrorCode"].string } == ["NOT_FOUND", "NOT_FOUND"])
    }

    @Test("Texts are in the caller's language, else in a wider one, else in the default (S2-22)")
    func languages() async throws {
        let own = try await MessageCloud()
        let title = #"{"en":"Colour","es":"Novedades","es-MX":"Novedades de México"}"#
        #expect(try own.save("a", MessageCloud.complete(.information, ["title": title]), at: own.now) == "")
        for (locale, language, text) in [
            ("", "en", "Colour"), ("locale=es-MX", "es-MX", "Novedades de México"), ("locale=es-AR", "es", "Novedades"),
            ("locale=es", "es", "Novedades"), ("locale=de", "en", "Colour"),
        ] {
            let message = try own.current(locale)
            #expect(message["language"].string == language && message["title"].string == text, "\(message)")
        }
        // Each text separately.
        #expect(try own.current("locale=es-MX")["body"].string == "body (es)")
    }

    // docs/audiences.md, "Locales"
    @Test(
        "A caller gets the text in their language under whichever code and script either side names it",
        arguments: [
            ("zh-TW", "zh-Hant"), ("zh-HK", "zh-Hant"), ("zh_CN", "zh"), ("zh-Hans-TW", "zh"), ("nb-NO", "no"),
            ("nn-NO", "no"), ("iw-IL", "he"), ("in", "id"), ("es-AR", "es-419"), ("es-ES", "es"),
            ("es_MX.UTF-8", "es-419"), ("eng", "en"), ("de", "en"),
        ])
    func codes(locale: String, language: String) async throws {
        let own = try await MessageCloud()
        let tags = ["en", "es", "es-419", "he", "id", "no", "zh", "zh-Hant"]
        let title = "{\(tags.map { #""\#($0)":"a title""# }.joined(separator: ","))}"
        #expect(try own.save("a", MessageCloud.complete(.information, ["title": title]), at: own.now) == "")
        #expect(try own.current("locale=\(locale)")["language"].string == language)
    }

    // docs/audiences.md, "Contexts"
    @Test(
        "What cannot be read is not known, and everything else of the request counts",
        arguments: [
            "locale=xx_", "locale=", "locale=C", "version=1..2", "version=", "osVersion=beta", "country=MEX",
            "country=", "timeZone=Europe/Nowhere", "platform=", "deviceType=", "device=",
        ])
    func odd(query: String) async throws {
        let own = try await MessageCloud()
        #expect(
            try own.save("a", MessageCloud.complete(.information, ["audience": #"{"claim":"none"}"#]), at: own.now)
                == "")
        #expect(try own.save("b", MessageCloud.complete(), at: own.now - 1) == "")
        #expect(try own.current(query)["id"] == "b")
        let name = query.prefix { $0 != "=" }
        let rest = [("locale", "es-MX"), ("version", "v2.1")].filter { $0.0 != name }.map { "\($0.0)=\($0.1)" }
        let message = try own.current(([query] + rest).joined(separator: "&"))
        #expect(message["language"].string == (name == "locale" ? "en" : "es"), "\(message)")
    }

    @Test("A list has its entries in order, each in the caller's language (S2-36)")
    func list() async throws {
        let own = try await MessageCloud()
        let list = #"[{"en":"one","es":"uno"},{"es":"dos","en":"two"}]"#
        #expect(try own.save("a", MessageCloud.complete(.information, ["list": list]), at: own.now) == "")
        #expect(try own.current()["list"].elements.map(\.string) == ["one", "two"])
        #expect(try own.current("locale=es")["list"].elements.map(\.string) == ["uno", "dos"])
    }

    @Test(
        "A picture is published with a label or as decoration, and its URL is valid when returned (S2-23, S2-39)"
    )
    func pictures() async throws {
        let own = try await MessageCloud()
        try await withTaskExecutorPreference(OwnThreads.ofTests) {
            let plain = MessageCloud.complete()
            #expect(try own.save("a", plain, picture: true).contains("imageLabel: the label of the picture"))
            #expect(try own.save("a", plain, picture: true, decorative: true) == "")
            let decoration = try own.current()["image"]
            #expect(decoration["decorative"].bool == true && decoration["label"].string == nil)
            let label = #"{"en":"A pigeon","es":"Una paloma"}"#
            let labelled = MessageCloud.complete(.information, ["imageLabel": label])
            #expect(try own.save("a", labelled, picture: true) == "")
            let image = try own.current("locale=es")["image"]
            #expect(image["decorative"].bool == false && image["label"] == "Una paloma")
            let url = try #require(image["url"].string)
            #expect(try own.file("GET", url) == Array("a pigeon".utf8))
            // A URL is valid for minutes: a client with an old one gets a new one.
            let tag = try #require(try own.ask("locale=es").headers.first { $0.0 == "ETag" }?.1)
            #expect(try own.ask("locale=es", headers: [("If-None-Match", tag)]).status == 304)
            own.now += 4 * 60_000
            #expect(try own.ask("locale=es", headers: [("If-None-Match", tag)]).status == 200)
        }
    }

    @Test("An emoji can replace a picture")
    func images() async throws {
        let own = try await MessageCloud()
        #expect(try own.save("a", MessageCloud.complete(.information, ["emoji": "💃"]), at: own.now) == "")
        let emoji = try own.current()["image"]
        #expect(emoji["emoji"] == "💃" && emoji["decorative"].bool == true && emoji["label"].string == nil)
        let label = #"{"en":"A dancer","es":"Una bailaora"}"#
        let labelled = MessageCloud.complete(.information, ["emoji": "💃", "imageLabel": label])
        #expect(try own.save("a", labelled, at: own.now) == "")
        let image = try own.current("locale=es")["image"]
        #expect(image["label"] == "Una bailaora" && image["decorative"].bool == false)
    }

    @Test("Buttons depend on the kind and on what is known of the caller (S2-15, S2-21, S2-38)")
    func buttons() async throws {
        let own = try await MessageCloud()
        func buttons(_ kind: MessageKind, _ query: String) throws -> [String] {
            #expect(try own.save("a", MessageCloud.complete(kind), at: own.now) == "")
            return try own.current(query)["buttons"].elements.map { button in
                let rest = ["action", "url", "to", "subject", "product"].compactMap { button[$0].string }
                return ([button["role"].string ?? "", button["title"].string ?? ""] + rest).joined(separator: " ")
            }
        }
        #expect(try buttons(.information, "") == ["okay okay"])
        #expect(try buttons(.website, "") == ["action action open https://example.org/new", "cancel cancel"])
        #expect(
            try buttons(.email, "locale=es") == [
                "action action (es) mail ada@example.org subject (es)", "cancel cancel (es)",
            ])
        #expect(try buttons(.newVersion, "version=2.4.9") == ["action action update", "cancel cancel"])
        #expect(try buttons(.newVersion, "") == ["action action update", "cancel cancel"])
        #expect(try buttons(.newVersion, "version=2.5") == ["okay okay"])
        #expect(try buttons(.purchase, "state=other") == ["action action purchase pro", "cancel cancel"])
        #expect(try buttons(.purchase, "state=other,subscribed") == ["okay okay"])
    }

    @Test("Of several for a person the most urgent is chosen, then the latest; each slot has its own (S2-17)")
    func choice() async throws {
        let own = try await MessageCloud()
        func save(_ id: String, _ audience: String, _ start: Int64, _ priority: Int = 0, slot: String = "main") throws {
            let fields = MessageCloud.complete(.information, ["audience": audience, "slot": slot])
            #expect(try own.save(id, fields, at: own.now + start, priority: priority) == "")
        }
        try save("all", "everybody", -3)
        try save("mexico", "mexico", -2)
        try save("urgent", "new", -5, 1)
        try save("side", "everybody", -1, slot: "side")
        #expect(try own.current()["id"] == "all")
        #expect(try own.current("locale=es-MX")["id"] == "mexico")
        #expect(try own.current("locale=es-MX&version=2.1")["id"] == "urgent")
        #expect(try own.current("slot=side&version=2.1")["id"] == "side")
    }

    @Test("An unchanged response is 304, and a new one follows a change of a message or of time")
    func unchanged() async throws {
        let own = try await MessageCloud()
        #expect(try own.save("a", MessageCloud.complete(), at: own.now, until: own.now + Self.hour) == "")
        func tag() throws -> String { try #require(try own.ask("locale=es").headers.first { $0.0 == "ETag" }?.1) }
        let first = try tag()
        #expect(try own.ask("locale=es", headers: [("If-None-Match", first)]).status == 304)
        #expect(try own.ask("locale=en", headers: [("If-None-Match", first)]).status == 200)
        let other = MessageCloud.complete(.information, ["body": #"{"en":"x","es":"y"}"#])
        #expect(try own.save("a", other, at: own.now, until: own.now + Self.hour) == "")
        let second = try tag()
        #expect(try second != first && own.ask("locale=es", headers: [("If-None-Match", second)]).status == 304)
        own.now += Self.hour
        #expect(try own.ask("locale=es", headers: [("If-None-Match", second)]).status == 200)
    }

    // docs/security.md, "What answers depend on"
    @Test("A tag does not change with drafts and with messages for others")
    func tagsOfHidden() async throws {
        let own = try await MessageCloud()
        #expect(try own.save("a", MessageCloud.complete(), at: own.now, until: own.now + Self.hour) == "")
        for query in ["locale=es", "locale=es&slot=side"] {
            func tag() throws -> String { try #require(try own.ask(query).headers.first { $0.0 == "ETag" }?.1) }
            let first = try tag()
            for number in 0..<2 {
                let draft = MessageCloud.complete(.information, ["body": #"{"en":"x\#(number)","es":"y"}"#])
                #expect(try own.save("draft", draft) == "")
                #expect(try tag() == first && own.ask(query, headers: [("If-None-Match", first)]).status == 304)
            }
        }
    }

    @Test(
        "An invalid request is rejected with the reason",
        arguments: [
            ("slot=top", "slot must be one of main, side"), ("device=%ff", "not percent-encoded UTF-8"),
            ("device=\(String(repeating: "d", count: 1_025))", "device has more than"),
        ])
    func wrong(query: String, reason: String) async throws {
        let own = try await MessageCloud()
        let answer = try own.ask(query)
        #expect(answer.status == 400 && answer.text.contains(reason), "\(answer.text)")
    }

    @Test("A caller gets the same message until they have seen it, it changes, or it ends")
    func again() async throws {
        let own = try await MessageCloud()
        let end = own.now + 10_000
        #expect(try own.save("a", MessageCloud.complete(), at: own.now, until: end) == "")
        func status(_ query: String, _ tag: String?) throws -> Int {
            try own.ask(query, headers: tag.map { [("If-None-Match", $0)] } ?? []).status
        }
        func tag(_ query: String) throws -> String? {
            try own.ask(query).headers.first { $0.name == "ETag" }?.value
        }
        for device in ["phone", "tablet"] {
            let query = "device=\(device)&locale=es"
            let first = try tag(query)
            for _ in 0..<3 { #expect(try status(query, first) == 304) }
            #expect(try status(query, "W/\"other\"") == 200 && status(query, nil) == 200)
            #expect(try status("device=\(device)&locale=en", first) == 200)
        }
        let phone = try tag("device=phone&locale=es")
        for _ in 0..<2 { #expect(try status("device=phone&locale=es", phone) == 304) }
        #expect(try own.see(#"{"id":"a","device":"phone"}"#).status == 200)
        for _ in 0..<2 { #expect(try status("device=phone&locale=es", phone) == 200) }
        // The first report has created a salt, which is a change.
        let again = try tag("device=tablet&locale=es")
        for _ in 0..<2 { #expect(try status("device=tablet&locale=es", again) == 304) }
        #expect(try own.see(#"{"id":"a","device":"tablet"}"#).status == 200)
        for _ in 0..<2 { #expect(try status("device=tablet&locale=es", again) == 200) }
        let third = try tag("device=third")
        for _ in 0..<2 { #expect(try status("device=third", third) == 304) }
        own.now = end
        #expect(try status("device=third", third) == 200 && own.current("device=third")["id"].string == nil)
    }
}
