import Audience
import CloudKitWire
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

@testable import NephosMessages

/// docs/messages.md, "Lint".
@Suite("Lint of messages") struct LintTests {
    /// A message without findings.
    private func fine(_ kind: MessageKind = .information, _ more: [String: String] = [:]) -> [String: String] {
        MessageCloud.complete(kind, more)
    }

    private static let hour: Int64 = 3_600_000

    @Test("A complete message that fits has no findings; a draft's gaps are listed one by one, with their language")
    func incomplete() async throws {
        let own = try await MessageCloud()
        #expect(try own.save("a", fine(), at: own.now, until: own.now + Self.hour) == "")
        #expect(try own.lint("a").findings == [])
        let gaps = [
            "body": #"{"en":"body"}"#, "buttons": #"{"action":{"es":"ir"}}"#, "list": #"[{"en":"a"}]"#,
            "slot": "top", "audience": "nobody",
        ]
        #expect(try own.save("b", fine(.website, gaps)) == "")
        let found = try own.lint("b").findings
        #expect(found.allSatisfy { $0.severity == .error && $0.message == "b" })
        #expect(
            found.map { "\($0.rule.text) \($0.language) \($0.text)" } == [
                "incomplete  slot: it must be one of the settings' slots: main, side",
                "audience  audience: there is no audience 'nobody': add it with nephos settings import, or write a condition such as {\"locale\":\"es\"}",
                "incomplete es body: it is missing in es",
                "incomplete en buttons: the button action is missing in en",
                "incomplete en buttons: the button cancel is missing in en",
                "incomplete es buttons: the button cancel is missing in es",
                "incomplete es list: entry 1 is missing in es",
            ])
    }

    @Test("A configured language without any text is reported once")
    func language() async throws {
        let own = try await MessageCloud()
        let fields = fine(
            .information,
            ["title": #"{"en":"a"}"#, "body": #"{"en":"a"}"#, "buttons": #"{"okay":{"en":"OK"}}"#])
        #expect(try own.save("a", fields) == "")
        let found = try own.lint("a").findings
        #expect(found.map(\.rule) == [.language] && found.map(\.language) == ["es"])
    }

    @Test("A picture without a label cannot be published, and lint names it in each language (S2-23)")
    func label() async throws {
        let own = try await MessageCloud()
        let plain = fine()
        try await withTaskExecutorPreference(OwnThreads.ofTests) {
            let draft = try own.save("a", plain, picture: true, published: false)
            let refusal = try own.save("a", plain, picture: true)
            #expect(draft == "" && refusal.contains("imageLabel: the label of the picture"))
        }
        let found = try own.lint("a").findings
        #expect(found.map(\.rule) == [.label, .label] && found.map(\.language) == ["en", "es"])
        #expect(found.allSatisfy { $0.severity == .error })
    }

    @Test("A text that does not fit a phone is reported with its language; one that just fits is not")
    func length() async throws {
        let own = try await MessageCloud()
        func lint(_ fields: [String: String]) throws -> [MessageFinding] {
            #expect(try own.save("a", fine(.information, fields)) == "")
            return try own.lint("a").findings
        }
        func text(_ en: String, _ es: String) -> String { #"{"en":"\#(en)","es":"\#(es)"}"# }
        let (line, half) = (String(repeating: "x", count: 40), String(repeating: "y", count: 28))
        #expect(try lint(["title": text("\(half) \(half)", "a")]) == [])
        let title = try lint(["title": text("a", "\(half) \(half) z")])
        #expect(title.map(\.language) == ["es"] && title.map(\.rule) == [.length])
        #expect(title.first?.text.contains("takes 3 lines on a phone, which shows 2") == true)
        let lines = Array(repeating: line, count: 14).joined(separator: " ")
        #expect(try lint(["body": text(lines, "a")]) == [])
        #expect(try lint(["body": text(lines + " z", "a")]).first?.text.contains("take 15 lines") == true)
        let list = #"[{"en":"a","es":"b"},{"en":"a","es":"b"}]"#
        #expect(try lint(["body": text(lines, "a"), "list": list]).first?.text.contains("take 16 lines") == true)
        // East Asian characters count twice.
        let wide = String(repeating: "字", count: 16)
        #expect(try lint(["buttons": #"{"okay":\#(text(wide, "a"))}"#]) == [])
        let button = try lint(["buttons": #"{"okay":\#(text(wide + "字", "a"))}"#])
        #expect(button.first?.text.contains("the button okay has 34 letters and room for 32") == true)
    }

    @Test("A condition that a client saved and that nobody can match is an error")
    func mistakes() async throws {
        let own = try await MessageCloud()
        for (condition, reason) in [
            (#"{"lokale":"es"}"#, "lokale: this version supports no such condition; did you mean locale?"),
            (#"{"app":">=3 <2"}"#, "app: no version is in the range >=3 <2"),
        ] {
            #expect(try own.save("a", fine(.information, ["audience": condition])) == "")
            let found = try own.lint("a").findings
            #expect(found.map(\.rule) == [.audience] && found.first?.severity == .error, "\(found)")
            #expect(found.first?.text.hasPrefix("nobody belongs to its audience: \(reason)") == true, "\(found)")
        }
    }

    @Test("A past end and a missing end are reported")
    func times() async throws {
        let own = try await MessageCloud()
        #expect(try own.save("a", fine(), at: own.now, until: own.now + Self.hour) == "")
        #expect(try own.save("b", fine(.information, ["slot": "side"]), at: own.now) == "")
        #expect(try own.lint("a").findings == [])
        #expect(try own.lint("b").findings.first?.text.contains("it has no end") == true)
        own.now += Self.hour
        let ended = try own.lint("a").findings
        #expect(ended.map(\.rule) == [.time] && ended.first?.text.contains("it ended at") == true)
    }

    /// A feature that counts clients which reported a version and a locale.
    private func reports(_ clients: [(version: String, locale: String)], isCounting: Bool = true) -> Feature {
        var feature = Feature("reports")
        feature.clients = { _, _, now, body throws(AdminError) in
            for (version, locale) in clients {
                var context = EvaluationContext(now: now)
                (context.appVersion, context.locale) = (Version(version), LanguageTag(locale))
                body(context)
            }
            return isCounting
        }
        return feature
    }

    @Test("An audience without clients, and a version that none has, are found from what clients reported")
    func people() async throws {
        let own = try await MessageCloud(with: [reports([("2.4", "es-MX"), ("2.10", "en")])])
        func rules(_ kind: MessageKind, _ fields: [String: String]) throws -> [MessageFinding.Rule] {
            #expect(try own.save("a", fine(kind, fields)) == "")
            return try own.lint("a").findings.map(\.rule)
        }
        #expect(try rules(.information, ["audience": "mexico"]) == [])
        #expect(try rules(.information, ["audience": #"{"locale":"de"}"#]) == [.audience])
        #expect(try own.lint("a").findings.first?.text.contains("none of the 2 clients") == true)
        #expect(try rules(.newVersion, ["requires": "2.10"]) == [])
        #expect(try rules(.newVersion, ["requires": "2.11"]) == [.version])
        #expect(try own.lint("a").doubt == nil)
        // What clients do not report cannot be counted.
        #expect(try rules(.information, ["audience": #"{"role":"Editor"}"#]) == [])
        #expect(try own.lint("a").doubt?.contains("ask for what clients do not report") == true)
    }

    @Test("Without client reports lint states that a message's reach is unknown")
    func unknown() async throws {
        for (feature, reason) in [
            (nil, "set report: true under clients"), (reports([], isCounting: false), "set report: true under clients"),
            (reports([]), "no client has reported yet"),
        ] as [(Feature?, String)] {
            let own = try await MessageCloud(with: feature.map { [$0] } ?? [])
            #expect(try own.save("a", fine(.newVersion, ["audience": #"{"locale":"de"}"#])) == "")
            let (findings, doubt) = try own.lint("a")
            #expect(findings == [] && doubt?.contains(reason) == true)
        }
    }
}
