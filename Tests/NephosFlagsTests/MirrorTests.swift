import CloudKitWire
import NephosAdmin
import NephosDomain
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

/// docs/flags.md, "Mirroring an old design".
@Suite("The mirror of flags") struct MirrorTests {
    private static let settings = #"{"type":"FeatureFlag","mirror":{"type":"AppFeatures","record":"current"}}"#

    /// With a record of the old design, created by the user.
    private func cloud() async throws -> FlagCloud {
        let own = try await FlagCloud()
        #expect(try own.saveMirror(["tipJar": 1, "dark": 0, "level": 7], kind: "create") == "")
        try await own.set(["flags": Self.settings])
        return own
    }

    @Test(
        "A record with all switches becomes flags, and is still served to clients that read and write it (S0-35)"
    )
    func imported() async throws {
        let own = try await FlagCloud(isPrepared: false)
        #expect(try own.saveMirror(["tipJar": 1, "dark": 0, "level": 7], kind: "create") == "")
        #expect(
            try await own.run("import", "CONTAINER", "AppFeatures", "other").failure?.hasPrefix(
                "There is no record other") == true)
        let told = try await own.run("import", "CONTAINER", "AppFeatures", "current")
        #expect(
            told.failure == nil && told.output == "Flag | What\ndark | created, off\ntipJar | created, on\n", "\(told)")
        #expect(told.notes.contains("Skipped, since they are not switches: level."))
        let again = try await own.run("import", "CONTAINER", "AppFeatures", "current")
        #expect(again.output.contains("tipJar | already exists, not changed"))
        try await own.set(["flags": Self.settings])
        #expect(
            try own.evaluate("tipJar").json["value"].bool == true && own.evaluate("dark").json["value"].bool == false)
        // An old page writes the record, an old app reads it, and flags agree.
        #expect(try own.saveMirror(["dark": 1]) == "")
        #expect(try own.evaluate("dark").json["value"].bool == true)
        try await own.run("off", "CONTAINER", "tipJar")
        #expect(try own.mirror() == ["tipJar": 0, "dark": 1, "level": 7])
        // A newer flag has no field in the mirror, and a note says so.
        let made = try await own.run("create", "CONTAINER", "later", "--default", "true")
        #expect(made.notes.contains("Type AppFeatures has no INT64 field later"), "\(made)")
    }

    @Test("Saving a flag writes its field of the mirror in the same transaction, by the server's right")
    func written() async throws {
        let own = try await cloud()
        // The friend may not write the user's record.
        _ = try own.save([FlagCloud.boolean("dark")], as: .friend)
        #expect(try own.mirror() == ["tipJar": 1, "dark": 1, "level": 7])
        let tag = try own.mirrorRecord()["recordChangeTag"].string
        _ = try own.save([FlagCloud.boolean("dark")], as: .friend)
        #expect(try own.mirrorRecord()["recordChangeTag"].string == tag, "nothing changed")
        _ = try own.save([FlagCloud.boolean("dark", state: "off")], as: .friend)
        #expect(try own.mirror()["dark"] == 0)
        #expect(try own.cloud.check() == [])
    }

    @Test(
        "The field has the value served to an unknown caller: by rules, percentages, hours and other flags")
    func emptyContext() async throws {
        let own = try await cloud()
        func mirrored(_ fields: [String: String]) throws -> Int64? {
            #expect(try own.save([FlagCloud.boolean("dark", fields)]) == [""])
            return try own.mirror()["dark"]
        }
        #expect(try mirrored([:]) == 1)
        #expect(try mirrored(["rules": #"[{"when":{"locale":"es"},"serve":"on"}]"#, "defaultVariant": "off"]) == 0)
        #expect(try mirrored(["rules": #"[{"serve":{"split":{"on":99999,"off":1}}}]"#]) == 0)
        #expect(
            try mirrored([
                "rules": #"[{"when":{"from":"2026-01-01T00:00:00Z"},"serve":"on"}]"#, "defaultVariant": "off",
            ]) == 1)
        _ = try own.save([
            FlagCloud.boolean("first", state: "off"), FlagCloud.boolean("second", ["prerequisites": #"["first"]"#]),
        ])
        #expect(try mirrored(["prerequisites": #"["second"]"#]) == 0)
        _ = try own.save([FlagCloud.boolean("first")])
        #expect(try mirrored(["prerequisites": #"["second"]"#]) == 1)
    }

    @Test("Saving a field of the mirror switches its flag, with its history, whatever its schedule")
    func switching() async throws {
        let own = try await cloud()
        let schedule = #"[{"at":"2025-01-01T00:00:00Z","state":"off"}]"#
        _ = try own.save([
            FlagCloud.boolean("dark", state: "on", ["schedule": schedule]), FlagCloud.boolean("tipJar", state: "on"),
        ])
        #expect(try own.mirror() == ["tipJar": 1, "dark": 0, "level": 7])
        #expect(try own.saveMirror(["dark": 1, "tipJar": 0]) == "")
        #expect(try own.evaluate("dark").json["value"].bool == true)
        #expect(try own.evaluate("tipJar").json["value"].bool == false)
        #expect(try own.mirror() == ["tipJar": 0, "dark": 1, "level": 7])
        let history = try await own.run("history", "CONTAINER", "tipJar").output
        #expect(history.split(separator: "\n").count == 3 && history.contains("| off | "))
        // Fields without a flag are ordinary fields.
        #expect(try own.saveMirror(["level": 9]) == "")
        #expect(try own.saveMirror(["dark": 2]) == "field dark switches a flag: expected 0 or 1, not 2")
        #expect(try own.mirror() == ["tipJar": 0, "dark": 1, "level": 9])
        #expect(try own.cloud.check() == [])
    }

    @Test("Watchers are notified of the flag and of the mirror, each once, whichever was saved")
    func watched() async throws {
        let own = try await cloud()
        let subscriptions = ["AppFeatures", "FeatureFlag"].map { type in
            """
            {"operationType":"create","subscription":{"subscriptionID":"\(type)","subscriptionType":"query",\
            "query":{"recordType":"\(type)"},"firesOn":["create","update","delete"]}}
            """
        }
        _ = try own.save([FlagCloud.boolean("dark", state: "off"), FlagCloud.boolean("tipJar")])
        let target = "/database/1/\(SmallCloud.container)/development/public/subscriptions/modify"
        _ = try own.ask("POST", target, #"{"operations":[\#(subscriptions.joined(separator: ","))]}"#, as: .friend)
        func events() throws -> [String] {
            try own.store.rows(ChangeEventRow.oldest(in: 1, limit: 100)).map { "\($0.kind) \($0.name)" }
        }
        _ = try own.save([FlagCloud.boolean("dark"), FlagCloud.boolean("tipJar", state: "off")])
        #expect(try events() == ["updated dark", "updated tipJar", "updated current"])
        #expect(try own.saveMirror(["dark": 0, "tipJar": 1]) == "")
        #expect(try events().dropFirst(3) == ["updated current", "updated dark", "updated tipJar"])
        #expect(try own.cloud.check() == [])
    }

    @Test("The command and a restoration write the mirror like any save")
    func ways() async throws {
        let own = try await cloud()
        _ = try own.save([FlagCloud.boolean("dark", state: "off")])
        try await own.run("on", "CONTAINER", "dark")
        #expect(try own.mirror()["dark"] == 1)
        try await own.run("delete", "CONTAINER", "dark", "--yes")
        #expect(try own.mirror()["dark"] == 1, "a flag that is gone leaves its field as it was")
        #expect(try own.saveMirror(["dark": 0]) == "")
        _ = try await own.cloud.administration.restoreRecord(named: "dark", in: SmallCloud.tenant)
        #expect(try own.mirror()["dark"] == 1)
        #expect(try await own.run("history", "CONTAINER", "dark").output.contains("| on | "))
        #expect(try own.cloud.check() == [])
    }

    @Test("Flags that are not Boolean, or without a field in the mirror, are left out of it")
    func others() async throws {
        let own = try await cloud()
        let text = ["kind": "string", "variants": #"{"on":"x","off":"y"}"#]
        #expect(try own.save([FlagCloud.boolean("level", text), FlagCloud.boolean("new")]) == ["", ""])
        #expect(try own.mirror() == ["tipJar": 1, "dark": 0, "level": 7])
        #expect(try own.saveMirror(["level": 1]) == "")
        #expect(try own.evaluate("level").json["value"].string == "x")
    }

    @Test("Rejects saving both in one request, a missing type, and invalid settings")
    func refused() async throws {
        let own = try await cloud()
        let both = """
            {"operations":[\(FlagCloud.mirrorOperation(["dark": 1], kind: "forceUpdate")),{"operationType":"forceUpdate","record":{\
            "recordName":"dark","recordType":"FeatureFlag","fields":{"state":{"value":"on"},"variants":{"value":"{\\"on\\":true}"},\
            "offVariant":{"value":"on"},"defaultVariant":{"value":"on"}}}}]}
            """
        let target = "/database/1/\(SmallCloud.container)/development/public/records/modify"
        let answer = try JSON(reading: own.ask("POST", target, both, as: .person).body)
        #expect(answer["records"].elements.count == 2)
        for record in answer["records"].elements {
            #expect(record["reason"].string?.hasPrefix("record current mirrors flags that are saved") == true)
        }
        #expect(try own.save([FlagCloud.boolean("dark")]) == [""])
        try await own.set(["flags": Self.settings.replacing("AppFeatures", with: "Nothing")])
        #expect(try own.save([FlagCloud.boolean("dark", state: "off")]) == [""], "one that is there can be switched")
        let reason = try own.save([FlagCloud.boolean("fresh")]).first
        #expect(
            reason?.contains("mirrored in records of type Nothing, which is not in the schema") == true,
            "\(reason ?? "")")
        for (document, reason) in [
            (#"{"type":"A","mirror":{"type":"A","record":"a"}}"#, "another type"),
            (#"{"type":"A","mirror":{"type":"B"}}"#, "needs type and record"),
            (#"{"type":"A","mirror":{"field":"B"}}"#, "a mirror has type and record"),
        ] {
            await #expect { try await own.set(["flags": document]) } throws: { "\($0)".contains(reason) }
        }
    }
}

extension FlagCloud {
    static func mirrorOperation(_ fields: [String: Int64], kind: String) -> String {
        let values = fields.sorted { $0.key < $1.key }.map { #""\#($0)":{"value":\#($1)}"# }.joined(separator: ",")
        return
            #"{"operationType":"\#(kind)","record":{"recordName":"current","recordType":"AppFeatures","fields":{\#(values)}}}"#
    }

    /// Saves fields of the old design's record; returns the reason of a rejection, or "".
    func saveMirror(_ fields: [String: Int64], kind: String = "forceUpdate") throws -> String {
        let target = "/database/1/\(SmallCloud.container)/development/public/records/modify"
        let body = #"{"operations":[\#(Self.mirrorOperation(fields, kind: kind))]}"#
        return try JSON(reading: ask("POST", target, body, as: .person).body)["records"].elements.first?["reason"]
            .string ?? ""
    }

    func mirrorRecord() throws -> JSON {
        let target = "/database/1/\(SmallCloud.container)/development/public/records/lookup"
        return try JSON(reading: ask("POST", target, #"{"records":[{"recordName":"current"}]}"#).body)["records"][0]
    }

    func mirror() throws -> [String: Int64] {
        let fields = try mirrorRecord()["fields"]
        return ["tipJar", "dark", "level"].reduce(into: [:]) { $0[$1] = fields[$1]["value"].int64 }
    }
}
