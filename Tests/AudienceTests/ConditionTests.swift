import Audience
import CloudKitWire
import Testing

/// docs/audiences.md: the meaning of conditions.
@Suite("Conditions") struct ConditionTests {
    /// How a flag with one rule is evaluated: by its rule, by default, or why that is unknown.
    private func served(_ condition: String, _ context: EvaluationContext, _ audiences: String = "{}") throws -> String
    {
        var book = try json(audiences)
        let set = FlagSet(
            [flag("f", rules: #"[{"id":"r","when":\#(condition),"serve":"on"}]"#), flag("needed")],
            try AudienceBook(&book), now: 0)
        do throws(Evaluation.Failure) {
            let evaluation = try set.evaluate("f", for: context)
            if let passedOver = evaluation.passedOver { return passedOver.doubt.description }
            return evaluation.variant.name
        } catch {
            return "\(error)"
        }
    }

    static let anna: EvaluationContext = {
        var context = EvaluationContext(now: 1_000)
        context.targetingKey = "anna"
        context.person = "_anna"
        context.roles = ["admin", "tester"]
        context.facts = ["subscriber": .bool(true), "plan": .string("pro"), "seats": .number(3)]
        context.claims = ["beta": .bool(true)]
        context.locale = LanguageTag("es-MX")
        context.report(.platform, "iOS")
        context.report(.device, "iPad")
        context.report(.country, "mx")
        context.timeZone = ClientZone("America/Los_Angeles")
        context.systemVersion = Version("17.4")
        context.appVersion = Version("2.4")
        return context
    }()

    @Test(
        "Each condition matches exactly the people it describes, and nobody whose value is unknown",
        arguments: [
            (#"{"locale":"es"}"#, "on"), (#"{"locale":["en","es-MX"]}"#, "on"), (#"{"locale":["en"]}"#, "off"),
            (#"{"platform":"ios"}"#, "on"), (#"{"platform":["macOS","IOS"]}"#, "on"), (#"{"platform":"web"}"#, "off"),
            (#"{"device":"iPad"}"#, "on"), (#"{"device":"iPhone"}"#, "off"), (#"{"country":["mx","ES"]}"#, "on"),
            (#"{"os":">=17 <18"}"#, "on"), (#"{"os":"16"}"#, "off"), (#"{"app":">=2.3 <3"}"#, "on"),
            (#"{"app":">=2.5"}"#, "off"), (#"{"signedIn":true}"#, "on"), (#"{"signedIn":false}"#, "off"),
            (#"{"role":"tester"}"#, "on"), (#"{"role":["other"]}"#, "off"), (#"{"person":"_anna"}"#, "on"),
            (#"{"person":["_bob"]}"#, "off"), (#"{"fact":"subscriber"}"#, "on"),
            (#"{"fact":{"plan":["team","pro"]}}"#, "on"),
            (#"{"fact":{"plan":"pro","seats":3}}"#, "on"), (#"{"fact":{"plan":"pro","seats":4}}"#, "off"),
            (#"{"fact":["beta","subscriber"]}"#, "on"), (#"{"fact":"beta"}"#, "off"), (#"{"claim":"beta"}"#, "on"),
            (#"{"claim":"subscriber"}"#, "off"),
            (#"{"from":"1970-01-01T00:00:01Z"}"#, "on"), (#"{"until":"1970-01-01T00:00:01Z"}"#, "off"),
            (#"{"day":["1969-12-31","1970-02-28"]}"#, "on"), (#"{"day":"1970-01-01"}"#, "off"),
            (#"{"percent":100}"#, "on"), (#"{"percent":0}"#, "off"), (#"{"locale":"es","app":"3"}"#, "off"),
            (#"{"all":[]}"#, "on"), (#"{"any":[]}"#, "off"), (#"{"any":[{"app":"3"},{"role":"admin"}]}"#, "on"),
            (#"{"not":{"app":"3"}}"#, "on"), (#"{"not":{"app":"2"}}"#, "off"), (#"{"flag":{"needed":"off"}}"#, "on"),
            (#"{"flag":"needed"}"#, "off"),
        ])
    func means(_ condition: String, _ variant: String) throws {
        #expect(try served(condition, Self.anna) == variant)
        // Nothing is known about a stranger, except that nobody is signed in.
        if variant == "on",
            !["{\"from", "{\"not", "{\"all", "{\"percent", "{\"flag"].contains(where: condition.hasPrefix)
        {
            #expect(try served(condition, EvaluationContext(now: 1_000)) == "off")
        }
    }

    @Test("An unknown value matches no condition, and matches the negation of one")
    func missing() throws {
        let nobody = EvaluationContext(now: 0)
        #expect(try served(#"{"app":">=1"}"#, nobody) == "off")
        #expect(try served(#"{"not":{"app":">=1"}}"#, nobody) == "on")
    }

    @Test("A condition of a newer version matches nobody, even when negated, and the answer reports it")
    func newer() throws {
        let why = "this version does not support the condition moon"
        for condition in [
            #"{"moon":"full"}"#, #"{"not":{"moon":"full"}}"#, #"{"all":[{"moon":"full"},{"app":"2"}]}"#,
            #"{"any":[{"moon":"full"},{"app":"3"}]}"#, #"{"app":"2","moon":{"phase":[1,2]}}"#,
        ] {
            #expect(try served(condition, Self.anna) == why, "\(condition)")
        }
        // The unknown condition makes no difference here.
        #expect(try served(#"{"any":[{"moon":"full"},{"app":"2"}]}"#, Self.anna) == "on")
        #expect(try served(#"{"all":[{"moon":"full"},{"app":"3"}]}"#, Self.anna) == "off")
    }

    @Test(
        "An audience matches the people that the settings define; a missing audience matches nobody, even when negated")
    func audiences() throws {
        let book = #"{"spanish":{"locale":"es"},"both":{"all":[{"audience":"spanish"},{"app":"2"}]}}"#
        #expect(try served(#"{"audience":"both"}"#, Self.anna, book) == "on")
        #expect(try served(#"{"not":{"audience":["both","spanish"]}}"#, Self.anna, book) == "off")
        #expect(try served(#"{"not":{"audience":"gone"}}"#, Self.anna, book) == "there is no audience gone")
    }

    @Test("A percentage without a targetingKey is an error only where it affects the result")
    func targetingKey() throws {
        var context = Self.anna
        context.targetingKey = nil
        #expect(try served(#"{"percent":10}"#, context) == "missingTargetingKey")
        #expect(try served(#"{"all":[{"percent":10},{"app":"3"}]}"#, context) == "off")
        #expect(try served(#"{"any":[{"percent":10},{"app":"2"}]}"#, context) == "on")
        for both in [#"[{"percent":10},{"moon":1}]"#, #"[{"moon":1},{"percent":10}]"#] {
            #expect(try served(#"{"all":\#(both)}"#, context) == "missingTargetingKey")
            #expect(try served(#"{"any":\#(both)}"#, context) == "missingTargetingKey")
        }
    }

    @Test(
        "Rejects invalid conditions and reports their position",
        arguments: [
            (#"{}"#, "a condition needs a key"), (#"[]"#, "expected an object"),
            (#"{"app":"1..2"}"#, "app: expected versions such as >=2.3 <3"),
            (#"{"locale":["es","xx_"]}"#, "locale[1]: expected a locale"),
            (#"{"percent":101}"#, "percent: expected 0 to 100"), (#"{"percent":-1}"#, "percent: expected 0 to 100"),
            (#"{"percent":0.0001}"#, "percent: expected 0 to 100"),
            (#"{"percent":{"salt":"a"}}"#, "percent: a percentage needs"),
            (#"{"from":"2027-02-30T00:00:00Z"}"#, "from: expected a moment"),
            (#"{"from":"2027-01-02T00:00:00Z","until":"2027-01-01T00:00:00Z"}"#, "until must be after from"),
            (#"{"every":{"days":["mon"],"zone":"Europe/Nowhere"}}"#, "every: there is no time zone Europe/Nowhere"),
            (#"{"every":{"days":["monday"],"zone":"UTC"}}"#, "every.days[0]: expected a day of the week"),
            (#"{"every":{"days":["mon"]}}"#, "every: a recurrence needs a time zone"),
            (#"{"every":{"from":"02-30","until":"03-01","zone":"UTC"}}"#, "every: without days"),
            (#"{"role":[]}"#, "role: an empty list would match nobody"),
            (#"{"fact":{}}"#, "fact: an object needs a name"),
            (#"{"fact":{"a":null}}"#, "fact.a: expected true, false"),
            (#"{"any":[{"not":{"app":"x"}}]}"#, "any[0].not.app"),
            (#"{"app":"1","app":"2"}"#, "the key 'app' appears twice"),
        ])
    func refused(_ text: String, _ reason: String) {
        let said = problem(text) { json throws(WireError) in
            var reader = ConditionReader(salt: "s")
            _ = try reader.read(&json)
        }
        #expect(said.hasPrefix(reason), "\(said)")
    }

    @Test("Limits the depth and number of conditions")
    func limits() {
        func read(_ text: String) -> String {
            problem(text) { json throws(WireError) in
                var reader = ConditionReader(salt: "s")
                _ = try reader.read(&json)
            }
        }
        let deep = { count in
            String(repeating: #"{"not":"#, count: count) + #"{"app":"1"}"# + String(repeating: "}", count: count)
        }
        #expect(read(deep(15)) == "")
        #expect(read(deep(16)).contains("more than 16 nested conditions"))
        let wide = { count in #"{"any":[\#(Array(repeating: #"{"app":"1"}"#, count: count).joined(separator: ","))]}"# }
        #expect(read(wide(1_999)) == "")
        #expect(read(wide(2_000)).contains("more than 2000 conditions"))
        #expect(
            read(#"{"role":[\#((0...1_000).map { "\"\($0)\"" }.joined(separator: ","))]}"#).contains(
                "more than 1000 values"))
        let every = #"{"every":{"days":"mon","zone":"UTC"}}"#
        let often = { (count: Int) in
            #"{"any":[\#(Array(repeating: every, count: count).joined(separator: ","))]}"#
        }
        #expect(read(often(99)) == "" && read(often(100)).contains("more than 2000 conditions"))
        let named = #"{"audience":[\#((0..<1_000).map { "\"\($0)\"" }.joined(separator: ","))]}"#
        #expect(read(named) == "" && read(#"{"any":[\#(named),\#(named)]}"#).contains("more than 2000 conditions"))
    }

    @Test(
        "Rejects invalid audiences",
        arguments: [
            (#"{"a":{"audience":"b"}}"#, "a: there is no audience b"),
            (
                #"{"a":{"audience":"b"},"b":{"not":{"audience":"a"}}}"#,
                "a: audiences refer to each other in a circle: a, b, a"
            ),
            (#"{"a":{"app":"x"}}"#, "a.app: expected versions"), (#"{"":{"app":"1"}}"#, "an audience needs a name"),
        ])
    func noAudiences(_ text: String, _ reason: String) {
        let said = problem(text) { json throws(WireError) in _ = try AudienceBook(&json) }
        #expect(said.hasPrefix(reason), "\(said)")
    }

    @Test("Rejects audiences that reference each other in long chains, whatever their names", arguments: [true, false])
    func rows(_ isAscending: Bool) {
        func text(_ count: Int) -> String {
            let names = (10..<10 + count).map { "a\(isAscending ? $0 : 99 - $0)" }
            let all = zip(names, names.dropFirst()).map { #""\#($0)":{"audience":"\#($1)"}"# }
            return "{\((all + [#""\#(names[count - 1])":{"app":"1"}"#]).joined(separator: ","))}"
        }
        #expect(problem(text(16)) { json throws(WireError) in _ = try AudienceBook(&json) } == "")
        let said = problem(text(17)) { json throws(WireError) in _ = try AudienceBook(&json) }
        #expect(said.contains("more than 16 audiences refer to each other in a row"), "\(said)")
    }

    @Test("Rejects audiences that reference each other so often that evaluation would take too long")
    func bomb() {
        var text = (1...14).map { #""a\#($0)":{"any":[{"audience":"a\#($0 - 1)"},{"audience":"a\#($0 - 1)"}]}"# }
        text.append(#""a0":{"app":"1"}"#)
        let said = problem("{\(text.joined(separator: ","))}") { json throws(WireError) in _ = try AudienceBook(&json) }
        #expect(said.contains("it has more than 10000 conditions"), "\(said)")
    }
}

/// docs/settings.md, "What a change does": whether a condition certainly includes fewer people than another.
@Suite("Conditions that include each other") struct ImplicationTests {
    private func condition(_ text: String) throws -> Condition {
        var reader = ConditionReader(salt: "s")
        var json = try json(text)
        return try reader.read(&json)
    }

    @Test(
        "A condition implies another if everybody who matches it certainly matches the other",
        arguments: [
            (#"{"country":"US"}"#, #"{"country":["US","CA"]}"#), (#"{"locale":"es-MX"}"#, #"{"locale":"es"}"#),
            (#"{"country":"US","app":">=2"}"#, #"{"country":"US"}"#),
            (#"{"any":[]}"#, #"{"app":"2"}"#), (#"{"app":"2"}"#, #"{"all":[]}"#),
            (#"{"any":[{"role":"a"},{"role":"b"}]}"#, #"{"role":["b","a"]}"#),
            (#"{"role":"a"}"#, #"{"any":[{"app":"2"},{"role":["a","b"]}]}"#),
            (#"{"day":"2027-03-07"}"#, #"{"day":["2027-03-07","2027-03-08"]}"#),
            (#"{"not":{"country":["US","CA"]}}"#, #"{"not":{"country":"US"}}"#),
            (#"{"percent":10}"#, #"{"percent":20}"#),
            (#"{"from":"2027-03-01T00:00:00Z"}"#, #"{"from":"2027-01-01T00:00:00Z"}"#),
            (#"{"until":"2027-01-01T00:00:00Z"}"#, #"{"until":"2027-03-01T00:00:00Z"}"#),
            (
                #"{"all":[{"any":[{"role":"a"},{"role":"b"}]},{"app":"2"}]}"#,
                #"{"any":[{"all":[{"role":"a"},{"app":"2"}]},{"role":["a","b"]}]}"#
            ),
        ])
    func certain(_ narrow: String, _ wide: String) throws {
        #expect(try condition(narrow).implies(condition(wide)))
        #expect(try !condition(wide).implies(condition(narrow)))
    }

    @Test(
        "What is not certain is not implied",
        arguments: [
            (#"{"app":">=2"}"#, #"{"app":">=1"}"#), (#"{"percent":{"share":10,"salt":"a"}}"#, #"{"percent":20}"#),
            (#"{"signedIn":true}"#, #"{"signedIn":false}"#), (#"{"weather":"rain"}"#, #"{"app":"1"}"#),
            (#"{"country":["US","CA"]}"#, #"{"country":["US","MX"]}"#),
        ])
    func uncertain(_ one: String, _ other: String) throws {
        #expect(try !condition(one).implies(condition(other)))
        #expect(try condition(one).implies(condition(one)))
    }

    @Test("A comparison of large conditions ends, and then nothing is implied") func large() throws {
        let many = (0..<40).map { #"{"any":[{"app":"\#($0)"},{"os":"\#($0)"}]}"# }.joined(separator: ",")
        let one = try condition(#"{"all":[\#(many)]}"#)
        let other = try condition(#"{"any":[{"all":[\#(many),{"role":"a"}]},{"all":[\#(many),{"role":"b"}]}]}"#)
        #expect(!one.implies(other))
    }
}
