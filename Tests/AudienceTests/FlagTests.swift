import Audience
import CloudKitWire
import Testing

/// docs/flags.md, "Evaluation".
@Suite("Flags") struct FlagTests {
    private func set(_ flags: (id: String, flag: Result<Flag, FlagFailure>)..., now: Int64 = 0) -> FlagSet {
        FlagSet(flags, .empty, now: now)
    }

    @Test(
        "A flag that is off serves its off variant; without rules, or when no rule matches, it serves its default")
    func reasons() throws {
        let rules =
            #"[{"id":"es","when":{"locale":"es"},"serve":"on"},{"id":"half","when":{"app":"2"},"serve":{"split":{"on":50000,"off":50000}}}]"#
        let set = set(
            flag("disabled", rules: rules, state: "off"), flag("fixed"), flag("ruled", rules: rules))
        let spanish = try context(#"{"locale":"es-MX"}"#)
        func said(_ id: String, _ context: EvaluationContext) throws -> String {
            let evaluation = try set.evaluate(id, for: context)
            return "\(evaluation.variant.name) \(evaluation.reason.rawValue) \(evaluation.rule ?? "-")"
        }
        #expect(try said("disabled", spanish) == "off DISABLED -")
        #expect(try said("fixed", spanish) == "off STATIC -")
        #expect(try said("ruled", spanish) == "on TARGETING_MATCH es")
        #expect(try said("ruled", context(#"{"locale":"en"}"#)) == "off DEFAULT -")
        let split = try set.evaluate("ruled", for: context(#"{"appVersion":"2.1","targetingKey":"d1"}"#))
        let bucket = try #require(split.bucket)
        #expect(split.reason == .split && split.variant.name == (bucket < 50_000 ? "on" : "off"))
        #expect(throws: Evaluation.Failure.missingTargetingKey) {
            try set.evaluate("ruled", for: context(#"{"appVersion":"2.1"}"#))
        }
        #expect(throws: Evaluation.Failure.notFound) { try set.evaluate("gone", for: spanish) }
    }

    @Test("A flag whose prerequisite is not met serves its off variant and names the prerequisite")
    func prerequisites() throws {
        let set = set(
            flag("base", rules: #"[{"serve":"on"}]"#), flag("dark"),
            flag("a", rules: #"[{"serve":"on"}]"#, prerequisites: #"["base",{"flag":"dark","variants":["off"]}]"#),
            flag("b", rules: #"[{"serve":"on"}]"#, prerequisites: #"["base","dark"]"#),
            flag("c", rules: #"[{"serve":"on"}]"#, prerequisites: #"["gone"]"#))
        let nobody = EvaluationContext(now: 0)
        #expect(try set.evaluate("a", for: nobody).variant.name == "on")
        let b = try set.evaluate("b", for: nobody)
        #expect(b.variant.name == "off" && b.reason == .disabled && b.prerequisite == "dark")
        #expect(try set.evaluate("c", for: nobody).prerequisite == "gone")
    }

    @Test("Flags that depend on each other in a cycle, or in too long a chain, are not evaluated")
    func circles() throws {
        var flags = [
            flag("a", prerequisites: #"["b"]"#), flag("b", rules: #"[{"when":{"flag":"a"},"serve":"on"}]"#),
            flag("self", prerequisites: #"["self"]"#), flag("fine"),
        ]
        for place in 0..<40 { flags.append(flag("row\(place)", prerequisites: #"["row\#(place + 1)"]"#)) }
        let set = FlagSet(flags, .empty, now: 0)
        let nobody = EvaluationContext(now: 0)
        for id in ["a", "b", "self"] {
            #expect(throws: Evaluation.Failure.broken("it needs flags that need each other in a circle")) {
                try set.evaluate(id, for: nobody)
            }
        }
        #expect(try set.evaluate("fine", for: nobody).reason == .static)
        #expect(throws: Evaluation.Failure.broken("it needs more than 32 flags in a row")) {
            try set.evaluate("row0", for: nobody)
        }
        #expect(throws: Evaluation.Failure.self) { try set.evaluate("row6", for: nobody) }
        #expect(try set.evaluate("row7", for: nobody).prerequisite == "row8")
    }

    @Test("A record that is not a valid flag reports what is wrong and affects no other flag")
    func broken() throws {
        let set = set(flag("bad", rules: #"[{"id":"x","when":{"app":"1..2"},"serve":"on"}]"#), flag("good"))
        let nobody = EvaluationContext(now: 0)
        #expect(throws: Evaluation.Failure.broken("rules: [0].when.app: expected versions such as >=2.3 <3 (byte 25)"))
        {
            try set.evaluate("bad", for: nobody)
        }
        var all: [String] = []
        set.evaluateAll(for: nobody) { id, result in all.append("\(id) \((try? result.get())?.variant.name ?? "-")") }
        #expect(all == ["bad -", "good off"])
    }

    @Test(
        "Rejects invalid rules and reports their position",
        arguments: [
            (#"{}"#, "rules: expected an array"), (#"[{"id":"a"}]"#, "rules: [0]: a rule needs serve"),
            (#"[{"serve":"maybe"}]"#, "rules: [0].serve: there is no variant maybe"),
            (#"[{"serve":{"split":{"on":50000}}}]"#, "rules: [0].serve.split: the shares add up to 50000"),
            (#"[{"serve":{"split":{"on":100001}}}]"#, "rules: [0].serve.split.on: a share must be 0 to 100000"),
            (
                #"[{"serve":{"split":{"on":100000},"variant":"on"}}]"#,
                "rules: [0].serve: serve needs either variant or split"
            ),
            (#"[{"id":"a","serve":"on"},{"id":"a","serve":"on"}]"#, "rules: [1]: two rules have the id a"),
            (#"[{"serve":"on"}] x"#, "rules: unexpected text after the document"),
        ])
    func refused(_ rules: String, _ reason: String) {
        guard case .failure(let failure) = flag("f", rules: rules).flag else {
            Issue.record("it was read")
            return
        }
        #expect(failure.description.hasPrefix(reason), "\(failure)")
    }

    @Test("Rejects a document of a megabyte before reading it")
    func large() {
        guard case .failure(let failure) = flag("f", rules: String(repeating: " ", count: 1 << 20)).flag else {
            Issue.record("it was read")
            return
        }
        #expect(failure.description == "rules: it has 1048576 bytes, and can have at most 65536")
    }

    @Test("A schedule switches a flag to the millisecond, and the set reports when")
    func schedule() throws {
        let set = set(
            flag(
                "f", rules: #"[{"serve":"on"}]"#, state: "off",
                schedule:
                    #"[{"at":"2027-03-28 03:00 Europe/Berlin","state":"off"},{"at":"2027-03-28 01:30 Europe/Berlin","state":"on"}]"#
            ),
            now: moment("2027-03-27T00:00:00Z"))
        let (on, off) = (moment("2027-03-28T00:30:00Z"), moment("2027-03-28T01:00:00Z"))
        #expect(set.edges == [on, off])
        for (now, variant) in [(on - 1, "off"), (on, "on"), (off - 1, "on"), (off, "off")] {
            #expect(try set.evaluate("f", for: EvaluationContext(now: now)).variant.name == variant)
        }
        #expect(set.nextEdge(after: on - 1) == on && set.nextEdge(after: on) == off && set.nextEdge(after: off) == nil)
        #expect((set.edge(at: on - 1), set.edge(at: on), set.edge(at: off)) == (0, 1, 2))
    }

    @Test(
        "A rule of a newer version is skipped where its condition matches, and the answer reports it",
        arguments: [
            #"{"id":"n","serve":"on","unless":{"app":"1"}}"#, #"{"unless":1,"id":"n","when":{"app":"2"},"serve":"on"}"#,
            #"{"id":"n","when":{"app":"2"},"unless":1,"serve":"on"}"#,
        ])
    func newer(_ rule: String) throws {
        let set = set(flag("f", rules: "[\(rule)]"))
        let evaluation = try set.evaluate("f", for: context(#"{"appVersion":"2"}"#))
        #expect(evaluation.variant.name == "off" && evaluation.passedOver?.rule == "n")
        #expect(evaluation.passedOver?.doubt == .newer("unless"))
    }

    @Test("Flags and audiences whose names look the same but differ in bytes are distinct")
    func bytes() throws {
        let (composed, decomposed) = ("\u{E9}", "e\u{301}")
        var json = try json(#"{"\#(composed)":{"app":"1"},"\#(decomposed)":{"app":"2"}}"#)
        let rules = { (name: String) in #"[{"when":{"audience":"\#(name)"},"serve":"on"}]"# }
        let set = FlagSet(
            [flag(composed, rules: rules(composed)), flag(decomposed, rules: rules(decomposed))],
            try AudienceBook(&json),
            now: 0)
        #expect(try set.evaluate(decomposed, for: context(#"{"appVersion":"2"}"#)).variant.name == "on")
        #expect(try set.evaluate(composed, for: context(#"{"appVersion":"2"}"#)).variant.name == "off")
    }

    @Test("A flag that needs too many conditions gets its own error, and other flags report how many they need")
    func steps() throws {
        let wide = #"{"any":[\#(Array(repeating: #"{"app":"1"}"#, count: 1_500).joined(separator: ","))]}"#
        var json = try json(#"{"wide":\#(wide)}"#)
        let rules = { (count: Int) in
            "["
                + (0..<count).map { #"{"id":"r\#($0)","when":{"audience":"wide"},"serve":"on"}"# }.joined(
                    separator: ",") + "]"
        }
        let set = FlagSet(
            [flag("most", rules: rules(6)), flag("more", rules: rules(7)), flag("needs", prerequisites: #"["most"]"#)],
            try AudienceBook(&json), now: 0)
        #expect(set.steps(of: "most") == 1 + 6 * 1_502 && set.steps == set.steps(of: "most") + 1)
        #expect(set.steps(of: "needs") == set.steps)
        #expect(
            throws: Evaluation.Failure.broken(
                "rules: they have more than 10000 conditions, with those of their audiences")
        ) {
            try set.evaluate("more", for: EvaluationContext(now: 0))
        }
    }
}
