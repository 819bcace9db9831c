import CloudKitWire
import NephosAdmin
import NephosDomain
import NephosFlags
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

/// docs/flags.md, "Commands".
@Suite("The commands for flags") struct OperatorTests {
    /// On a server without flags.
    private func bare() async throws -> FlagCloud {
        let own = try await FlagCloud(isPrepared: false)
        let none = try await own.run("list", "CONTAINER")
        #expect(none.failure == nil && none.notes.contains("has no flags. Create the first with"), "\(none)")
        return own
    }

    @Test(
        "The first flag creates the settings and the type, which only a role can write; strangers can add none (S0-48)")
    func first() async throws {
        let own = try await bare()
        let made = try await own.run(
            "create", "CONTAINER", "tipJar", "--default", "false", "--owner", "ada", "--note", "A jar.", "--expires",
            "2027-06-30")
        #expect(
            made.failure == nil && made.notes.hasPrefix("Created flag tipJar in development, which is off."), "\(made)")
        #expect(
            made.notes.contains("the role Admin can change") && made.notes.contains("Created the section flags"))
        #expect(try own.evaluate("tipJar").json["value"].bool == false)
        #expect(
            try await own.run("create", "CONTAINER", "dark", "--default", "true").notes
                == "Created flag dark in development, which is on.\n")
        #expect(try own.evaluate("dark").json["value"].bool == true)
        #expect(
            try own.save([FlagCloud.boolean("mine")]).first?.hasPrefix("you are not allowed to create records") == true)
        let schema = String(decoding: try own.cloud.administration.exportSchema(of: SmallCloud.tenant), as: UTF8.self)
        #expect(schema.contains(#"TIMESTAMP SORTABLE,"#), "\(schema)")
        // Newest first, as in the article.
        let query =
            #"{"query":{"recordType":"FeatureFlag","sortBy":[{"systemFieldName":"modifiedTimestamp","ascending":false}]},"resultsLimit":1}"#
        own.cloud.inputs.now += 1_000
        _ = try await own.run("on", "CONTAINER", "tipJar")
        let found = try own.query(query)
        #expect(found["records"].elements.map { $0["recordName"].string } == ["tipJar"], "\(found)")
        #expect(try own.cloud.check() == [])
    }

    @Test("An invalid flag creates neither type nor settings")
    func nothing() async throws {
        let own = try await bare()
        for (id, reason) in [
            ("", "must have 1 to 255 bytes"), ("_a", "must not start with '_'"), ("a\nb", "control characters"),
        ] {
            #expect(try await own.run("create", "CONTAINER", id, "--default", "true").failure?.contains(reason) == true)
        }
        let long = "\"\(String(repeating: "x", count: 65_536))\""
        #expect(
            try await own.run("create", "CONTAINER", "a", "--default", long).failure?.contains("65536 bytes") == true)
        #expect(try own.store.read(ReadSet()).catalog.sections.isEmpty)
        #expect(try own.store.read(ReadSet()).catalog.types["FeatureFlag"] == nil)
    }

    @Test("On a type that everybody can add to, creating a flag warns as lint does")
    func open() async throws {
        let own = try await FlagCloud()
        let made = try await own.run("create", "CONTAINER", "a", "--default", "true")
        #expect(
            made.notes.contains("Warning: everybody who is signed in can add") && made.notes.contains("role preset"))
    }

    @Test("Production gets type and settings with the schema; a command for flags without them says so")
    func production() async throws {
        let own = try await bare()
        let there = ["--environment", "production"]
        func run(_ words: String...) async throws -> OperatorCall.Outcome {
            try await OperatorCall(own.cloud, name: "ada").run(["flag"] + words + there)
        }
        let refused = try await run("create", SmallCloud.container, "a", "--default", "true")
        // There is nothing to deploy yet.
        let first = "Create the first in development with: nephos flag create \(SmallCloud.container) ID"
        let then = "\nProduction gets its settings afterwards, with: nephos schema deploy \(SmallCloud.container)"
        #expect(refused.failure?.contains(first) == true && refused.failure?.contains(then) == true, "\(refused)")
        let none = try await run("list", SmallCloud.container)
        #expect(none.failure == nil && none.notes.contains(first) && none.notes.contains(then), "\(none)")
        try await own.run("create", "CONTAINER", "a", "--default", "true")
        #expect(
            try await run("list", SmallCloud.container).notes.contains(
                "has no flags. Production gets its settings with: nephos schema deploy"))
        _ = try await own.cloud.administration.deploySchema(of: SmallCloud.container)
        #expect(
            try await run("list", SmallCloud.container).notes
                == "There are no flags. Copy those of development with: nephos flag copy \(SmallCloud.container) --from development --to production\n"
        )
        #expect(try await run("create", SmallCloud.container, "a", "--default", "true").failure == nil)
        #expect(try await run("list", SmallCloud.container).output.contains("a | on | boolean"))
    }

    @Test(
        "A value of any kind is a flag",
        arguments: [
            ("\"blue\"", #""blue""#), ("2.5", "2.5"), (#"{"a":[1]}"#, #"{"a":[1]}"#), ("null", "null"),
            ("[1,2]", "[1,2]"),
        ])
    func kinds(_ text: String, _ value: String) async throws {
        let own = try await bare()
        #expect(try await own.run("create", "CONTAINER", "a", "--default", text).failure == nil)
        #expect(String(decoding: try own.evaluate("a").answer.body, as: UTF8.self).contains("\"value\":\(value),"))
    }

    @Test(
        "Invalid input is reported in plain words, and changes nothing",
        arguments: [
            (
                ["create", "CONTAINER", "b", "--default", "blue"],
                "--default: blue is not valid JSON. Use true, false, a number"
            ),
            (["create", "CONTAINER", "b", "--default", "true", "--expires", "soon"], "soon is not a date"),
            (["create", "CONTAINER", "a", "--default", "true"], "Flag a already exists."),
            (["on", "CONTAINER", "b"], ". See all with: nephos flag list "),
            (["on", "CONTAINER", "n1"], "Record n1 has the type Note, so it is not a flag"),
            (["rollout", "CONTAINER", "a", "120"], "120 is not a percentage"),
            (["rollout", "CONTAINER", "a", "1.2345"], "1.2345 is not a percentage"),
            (["schedule", "CONTAINER", "a", "on", "tomorrow"], "Pass a moment such as"),
            (["schedule", "CONTAINER", "a", "on", "2020-01-01T00:00:00Z"], "is in the past"),
            (
                ["rule", "add", "CONTAINER", "a", "--serve", "maybe"],
                "Flag a has no variant maybe. Its variants are: "
            ),
            (
                ["rule", "add", "CONTAINER", "a", "--when", "{", "--serve", "on"],
                #"--when: { is not valid JSON. It must be a JSON object, such as {"locale":"en"}."#
            ),
            (["rule", "add", "CONTAINER", "a", "--serve", "on", "--at", "3"], "The place must be from 1 to 1."),
            (["rule", "remove", "CONTAINER", "a", "x"], "Flag a has no rule x. It has none."),
            (["delete", "CONTAINER", "a"], "Pass --yes"),
        ])
    func refused(_ words: [String], _ reason: String) async throws {
        let own = try await FlagCloud()
        _ = try own.save([FlagCloud.boolean("a")])
        let before = try await own.run("list", "CONTAINER", "--output", "json").output
        let call = OperatorCall(own.cloud, name: "ada")
        let told = try await call.run(["flag"] + words.map { $0 == "CONTAINER" ? SmallCloud.container : $0 })
        #expect(told.failure?.contains(reason) == true, "\(told)")
        #expect(try await own.run("list", "CONTAINER", "--output", "json").output == before)
    }

    @Test("Switching off is one save, and takes effect with the next request, whatever a schedule set before")
    func off() async throws {
        let own = try await FlagCloud()
        let schedule = #"[{"at":"2025-01-01T00:00:00Z","state":"on"},{"at":"2026-01-02T00:00:00Z","state":"on"}]"#
        _ = try own.save([FlagCloud.boolean("a", state: "off", ["schedule": schedule])])
        #expect(try own.evaluate("a").json["value"].bool == true)
        let told = try await own.run("off", "CONTAINER", "a")
        #expect(
            told.notes == "Flag a is off in development.\nIts schedule switches it on at 2026-01-02T00:00:00Z.\n",
            "\(told)")
        #expect(try own.evaluate("a").json["reason"].string == "DISABLED")
        #expect(try await own.run("history", "CONTAINER", "a").output.split(separator: "\n").count == 3)
        #expect(try await own.run("off", "CONTAINER", "a").notes.hasPrefix("Flag a is off in development already."))
        own.cloud.inputs.now += 86_400_000
        #expect(try own.evaluate("a").json["value"].bool == true)
    }

    @Test("A percentage of everybody is a separate rule after the others; included people stay as it grows")
    func rollout() async throws {
        let own = try await FlagCloud()
        try await own.run("create", "CONTAINER", "a", "--default", "false")
        #expect(
            try await own.run("rollout", "CONTAINER", "a", "12.5").notes.contains(
                "It is switched off, so this has no effect yet."))
        try await own.run("on", "CONTAINER", "a")
        try await own.run("rule", "add", "CONTAINER", "a", "--when", #"{"locale":"es"}"#, "--serve", "off", "--at", "1")
        func served() throws -> Set<Int> {
            Set(
                try (0..<200).filter { number in
                    let json = try own.evaluate("a", #"{"targetingKey":"d\#(number)"}"#).json
                    #expect(json["reason"].string == "SPLIT" && json["metadata"]["rule"].string == "rollout")
                    return json["value"].bool == true
                })
        }
        let few = try served()
        #expect((10..<45).contains(few.count))
        #expect(try await own.run("rollout", "CONTAINER", "a", "50").failure == nil)
        let more = try served()
        #expect(more.isSuperset(of: few) && (70..<130).contains(more.count), "\(more.count)")
        #expect(try own.evaluate("a", #"{"locale":"es"}"#).json["value"].bool == false)
        #expect(try await own.run("rule", "list", "CONTAINER", "a").output.contains("2 | rollout | "))
        // 0 or 100 percent needs no targetingKey.
        try await own.run("rollout", "CONTAINER", "a", "100")
        #expect(try own.evaluate("a").json["value"].bool == true)
        try await own.run("rollout", "CONTAINER", "a", "0")
        #expect(try own.evaluate("a").json["value"].bool == false)
        let removed = try await own.run("rule", "remove", "CONTAINER", "a", "1")
        #expect(removed.failure == nil, "\(removed)")
        #expect(
            try await own.run("rule", "list", "CONTAINER", "a", "--output", "json").output
                == #"[{"id":"rollout","serve":"off"}]"# + "\n")
        try await own.run("create", "CONTAINER", "b", "--default", "5")
        #expect(
            try await own.run("rollout", "CONTAINER", "b", "5").failure?.contains("has only its off variant") == true)
    }

    @Test(
        "The first rule of a Boolean flag leaves its opposite to everybody else; this and switching on print who gets what"
    )
    func opposite() async throws {
        let own = try await bare()
        try await own.run("create", "CONTAINER", "a", "--default", "false")
        let added = try await own.run("rule", "add", "CONTAINER", "a", "--when", #"{"locale":"es"}"#, "--serve", "on")
        #expect(
            added.notes
                == "Added the rule to flag a in development.\nOnce it is on, everybody else gets false (off).\n",
            "\(added)")
        #expect(
            try await own.run("on", "CONTAINER", "a").notes
                == "Flag a is on in development.\nEverybody else gets false (off).\n")
        #expect(try own.evaluate("a", #"{"locale":"es"}"#).json["value"].bool == true)
        #expect(try own.evaluate("a", #"{"locale":"en"}"#).json["value"].bool == false)
        // Later rules leave it as it is.
        try await own.run("rule", "add", "CONTAINER", "a", "--when", #"{"platform":"web"}"#, "--serve", "off")
        #expect(try own.evaluate("a", #"{"locale":"en"}"#).json["value"].bool == false)
        let more = try await own.run(
            "rule", "add", "CONTAINER", "a", "--when", #"{"platform":"iOS"}"#, "--serve", "off", "--else", "on")
        #expect(more.notes.hasSuffix("Everybody else gets true (on).\n"), "\(more)")
        #expect(try own.evaluate("a", #"{"locale":"en"}"#).json["value"].bool == true)
        #expect(try await own.run("rule", "list", "CONTAINER", "a").notes == "Everybody else gets true (on).\n")
        for rule in ["3", "2", "1"] { try await own.run("rule", "remove", "CONTAINER", "a", rule) }
        #expect(try await own.run("on", "CONTAINER", "a").notes.hasSuffix("Everybody gets true (on).\n"))
    }

    @Test(
        "A split leaves the off variant to everybody else, a rule for everybody and other kinds of flags nothing but what --else names"
    )
    func others() async throws {
        let own = try await FlagCloud()
        try await own.run("create", "CONTAINER", "split", "--default", "true")
        let split = try await own.run(
            "rule", "add", "CONTAINER", "split", "--when", #"{"locale":"es"}"#, "--serve",
            #"{"split":{"on":25000,"off":75000}}"#)
        #expect(split.notes.hasSuffix("Everybody else gets false (off).\n"), "\(split)")
        try await own.run("create", "CONTAINER", "all", "--default", "true")
        let all = try await own.run("rule", "add", "CONTAINER", "all", "--serve", "on", "--id", "r")
        #expect(all.notes.hasSuffix("Everybody gets true (on) by rule r.\n"), "\(all)")
        #expect(try await own.run("show", "CONTAINER", "all").output.contains("defaultVariant | on"))
        _ = try own.save([
            (
                "theme",
                [
                    "kind": "string", "state": "on", "variants": #"{"dark":"dark","paper":"paper"}"#,
                    "offVariant": "paper",
                    "defaultVariant": "dark",
                ]
            )
        ])
        let theme = try await own.run(
            "rule", "add", "CONTAINER", "theme", "--when", #"{"locale":"es"}"#, "--serve", "dark")
        #expect(theme.notes.hasSuffix(#"Everybody else gets "dark" (dark)."# + "\n"), "\(theme)")
        let paper = try await own.run(
            "rule", "add", "CONTAINER", "theme", "--when", #"{"locale":"fr"}"#, "--serve", "dark", "--else", "paper")
        #expect(paper.notes.hasSuffix(#"Everybody else gets "paper" (paper)."# + "\n"), "\(paper)")
        #expect(
            try await own.run("rule", "add", "CONTAINER", "theme", "--serve", "dark", "--else", "red").failure?
                .hasPrefix(
                    "Flag theme has no variant red.") == true)
        #expect(
            try await own.run("schedule", "CONTAINER", "all", "on", "2026-02-01T00:00:00Z").notes.hasSuffix(
                "Everybody gets true (on) by rule r.\n"))
    }

    @Test(
        "A condition that nobody can match as it was meant is refused with its place",
        arguments: [
            (#"{"lokale":"es"}"#, "--when: lokale: this version supports no such condition; did you mean locale?"),
            (#"{"any":[{"not":{"moon":1}}]}"#, "--when: any[0].not.moon: this version supports no such condition"),
            (
                #"{"audience":"spanich"}"#,
                "--when: audience: there is no audience spanich in the settings, which have spanish: add it"
            ),
            (#"{"all":[{"audience":["spanish","beta"]}]}"#, "--when: all[0].audience[1]: there is no audience beta"),
            (#"{"app":">=2.x"}"#, "--when: app: expected versions such as >=2.3 <3"),
            (#"{"app":">=3 <2.5"}"#, "--when: app: no version is in the range >=3 <2.5: its bounds exclude each other"),
            (#"{"os":"<17 >17"}"#, "--when: os: no version is in the range <17 >17"),
            (#"{"country":["ES","Spain"]}"#, "--when: country[1]: a country is two letters such as MX, not Spain"),
        ])
    func conditions(_ condition: String, _ reason: String) async throws {
        let own = try await FlagCloud()
        _ = try own.save([FlagCloud.boolean("a")])
        let told = try await own.run("rule", "add", "CONTAINER", "a", "--when", condition, "--serve", "on")
        #expect(told.failure?.hasPrefix(reason) == true, "\(told)")
        #expect(try await own.run("rule", "list", "CONTAINER", "a").notes.hasPrefix("It has no rules."))
    }

    @Test(
        "Ranges that contain any version are accepted",
        arguments: ["<=2", ">2.5-beta.2 <2.5", "<1 || >999999998", "=17", ">=2 <2.0.1", "<0.0.1"])
    func ranges(_ range: String) async throws {
        let own = try await FlagCloud()
        _ = try own.save([FlagCloud.boolean("a")])
        let told = try await own.run(
            "rule", "add", "CONTAINER", "a", "--when", #"{"app":"\#(range)"}"#, "--serve", "on")
        #expect(told.failure == nil, "\(told)")
    }

    @Test(
        "Lint finds rules that clients saved and that nobody can match, dependencies that are missing, and rules without an effect"
    )
    func lint() async throws {
        let own = try await FlagCloud()
        #expect(try await own.run("lint", "CONTAINER").notes == "Nothing found.\n")
        _ = try own.save([
            FlagCloud.boolean("fine", ["rules": #"[{"when":{"audience":"spanish"},"serve":"off"}]"#]),
            FlagCloud.boolean("key", ["rules": #"[{"id":"es","when":{"all":[{"lokale":"es"}]},"serve":"off"}]"#]),
            FlagCloud.boolean("rule", ["rules": #"[{"id":"r","wen":{"locale":"es"},"serve":"off"}]"#]),
            FlagCloud.boolean("audience", ["rules": #"[{"when":{"audience":"beta"},"serve":"off"}]"#]),
            FlagCloud.boolean("needs", ["prerequisites": #"["gone"]"#]),
            FlagCloud.boolean("self", ["prerequisites": #"["self"]"#]),
            FlagCloud.boolean(
                "late", ["rules": #"[{"id":"all","serve":"off"},{"id":"es","when":{"locale":"es"},"serve":"on"}]"#]),
            FlagCloud.boolean("same", ["rules": #"[{"when":{"locale":"es"},"serve":"on"}]"#]),
        ])
        let found = try await own.run("lint", "CONTAINER")
        for line in [
            "key | es | error | when.all[0].lokale: this version supports no such condition; did you mean locale?",
            "rule | r | error | wen: this version supports no such key of a rule",
            "audience | 1 | error | when.audience: there is no audience beta in the settings, which have spanish",
            "needs | - | error | it depends on flag gone, which does not exist",
            "late | es | warning | it is never reached, since rule all before it is for everybody",
            "same | - | warning | everybody gets true, whether a rule matches or not",
        ] { #expect(found.output.contains(line), "\(line) in \(found)") }
        #expect(found.output.contains("self | - | error | ") && !found.output.contains("fine"))
        #expect(found.failure == "5 errors in the flags; see the table above.")
        #expect(try await own.run("lint", "CONTAINER", "fine").notes == "Nothing found.\n")
        #expect(try await own.run("lint", "CONTAINER", "none").failure?.hasPrefix("There is no flag none") == true)
    }

    @Test("Concurrent commands for one flag overwrite none of each other's changes")
    func concurrent() async throws {
        let own = try await FlagCloud()
        try await own.run("create", "CONTAINER", "a", "--default", "true")
        let failures = await withTaskGroup(of: String?.self) { group in
            for number in 0..<6 {
                group.addTask {
                    do {
                        return try await own.run("rule", "add", "CONTAINER", "a", "--serve", "on", "--id", "r\(number)")
                            .failure
                    } catch { return "\(error)" }
                }
            }
            return await group.reduce(into: [String]()) { if let failure = $1 { $0.append(failure) } }
        }
        let rules = try await own.run("rule", "list", "CONTAINER", "a").output
        // Failed commands changed nothing.
        #expect(failures.allSatisfy { $0.contains("keep changing") }, "\(failures)")
        #expect(rules.split(separator: "\n").count - 1 == 6 - failures.count)
        #expect(
            try await own.run("history", "CONTAINER", "a").output.split(separator: "\n").count - 2 == 6 - failures.count
        )
    }

    @Test("No command has two inputs with one name")
    func inputs() {
        let groups = Feature.flags.useCases
        for useCase in (groups + groups.flatMap(\.groups)).flatMap(\.useCases) {
            #expect(Set(useCase.fields.map(\.name)).count == useCase.fields.count, "\(useCase.path)")
        }
    }

    @Test("Schedules switch a flag at their time")
    func schedule() async throws {
        let own = try await FlagCloud()
        try await own.run("create", "CONTAINER", "a", "--default", "false")
        try await own.run("schedule", "CONTAINER", "a", "off", "2026-01-01T01:00:00Z")
        try await own.run("schedule", "CONTAINER", "a", "on", "2026-01-01 02:00 Europe/Berlin")
        try await own.run("schedule", "CONTAINER", "a", "off", "2026-01-01 03:00 Europe/Berlin")
        #expect(try own.evaluate("a").json["value"].bool == false)
        own.cloud.inputs.now += 3_600_000
        #expect(try own.evaluate("a").json["value"].bool == true)
        own.cloud.inputs.now += 3_600_000
        #expect(try own.evaluate("a").json["value"].bool == false)
    }

    @Test(
        "A schedule may have an offset",
        arguments: ["2026-01-01T02:00:00+01:00", "2025-12-31 15:30:00-0930", "2026-01-01T06:45:00.000+05:45"])
    func scheduleWithAnOffset(time: String) async throws {
        let own = try await FlagCloud()
        try await own.run("create", "CONTAINER", "a", "--default", "false")
        try await own.run("schedule", "CONTAINER", "a", "on", time)
        own.cloud.inputs.now += 3_599_999
        #expect(try own.evaluate("a").json["value"].bool == false)
        own.cloud.inputs.now += 1
        #expect(try own.evaluate("a").json["value"].bool == true)
    }

    @Test("Flags are listed and shown with their problems")
    func shown() async throws {
        let own = try await FlagCloud()
        try await own.set(["flags": #"{"type":"Other"}"#])
        _ = try own.save([FlagCloud.boolean("broken", state: "maybe")])
        try await own.set(["flags": #"{"type":"FeatureFlag"}"#])
        _ = try own.save([FlagCloud.boolean("a", ["displayName": "A flag"])])
        let list = try await own.run("list", "CONTAINER").output.split(separator: "\n")
        #expect(list.count == 3 && list[1].hasPrefix("a | on | boolean | off: false, on: true | "))
        #expect(list[2].contains("broken | broken | - | state: expected on or off, not maybe"))
        #expect(try await own.run("show", "CONTAINER", "a").output.contains("displayName | A flag"))
        #expect(
            try await own.run("show", "CONTAINER", "broken").failure?.hasPrefix("It is not a valid flag: state") == true
        )
        #expect(
            try await own.run("show", "CONTAINER", "a", "--output", "json").output.hasPrefix(
                #"{"id":"a","state":"on","#))
    }

    @Test("A flag is deleted unless others need it")
    func deleted() async throws {
        let own = try await FlagCloud()
        _ = try own.save([FlagCloud.boolean("a"), FlagCloud.boolean("b", ["prerequisites": #"["a"]"#])])
        #expect(
            try await own.run("delete", "CONTAINER", "a", "--yes").failure
                == "Other flags need a: b. Change them first.")
        #expect(try await own.run("delete", "CONTAINER", "b", "--yes").failure == nil)
        #expect(try await own.run("delete", "CONTAINER", "a", "--yes").failure == nil)
        #expect(try own.evaluate("a").answer.status == 404)
    }
}
