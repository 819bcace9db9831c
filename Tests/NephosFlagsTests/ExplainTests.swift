import CloudKitWire
import NephosAdmin
import NephosDomain
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

/// docs/flags.md, "Commands".
@Suite("Explaining a flag's value, and finding stale flags") struct ExplainTests {
    private static let rules = """
        [{"id":"es","when":{"audience":"spanish"},"serve":{"split":{"on":25000,"off":75000}}},\
        {"id":"new","when":{"app":">=2.3","platform":"iOS"},"serve":"off"},{"id":"newer","when":{"moon":"full"},"serve":"off"},\
        {"id":"keeper","when":{"role":"Admin"},"serve":"off"}]
        """

    @Test("It names value, variant, reason, rule and bucket, and for each rule why it matches or not")
    func explained() async throws {
        let own = try await FlagCloud()
        _ = try own.save([FlagCloud.boolean("a", ["rules": Self.rules])])
        let spanish = try await own.run(
            "explain", "CONTAINER", "a", "--context", #"{"targetingKey":"d1","locale":"es-MX"}"#)
        for line in [
            "value | false", "variant | off", "reason | SPLIT", "rule | es", "bucket | ",
            "es | yes | all its conditions hold",
            "new | no | the app version is not known",
            "newer | cannot be said | this version does not support the condition moon",
            "keeper | no | the person has no role",
        ] { #expect(spanish.output.contains(line), "\(line) in \(spanish)") }
        let other = try await own.run("explain", "CONTAINER", "a", "--context", #"{"locale":"en","appVersion":"2.4"}"#)
        for line in [
            "value | true", "reason | DEFAULT", "passed over | newer: ",
            "es | no | audience spanish: the locale is different",
            "new | no | the platform is not known",
        ] { #expect(other.output.contains(line), "\(line) in \(other)") }
        let failed = try await own.run("explain", "CONTAINER", "a", "--context", #"{"locale":"es"}"#)
        #expect(failed.output.contains("error | TARGETING_KEY_MISSING"))
        #expect(try await own.run("explain", "CONTAINER", "b").failure?.hasPrefix("There is no flag b") == true)
        #expect(
            try await own.run("explain", "CONTAINER", "a", "--context", "[").failure?.hasPrefix(
                "--context: ") == true)
    }

    @Test("What cannot be read is named, with what it should be, and by the rule that needs it")
    func unreadable() async throws {
        let own = try await FlagCloud()
        _ = try own.save([FlagCloud.boolean("a", ["rules": Self.rules])])
        let odd = try await own.run(
            "explain", "CONTAINER", "a", "--context",
            #"{"locale":"en_US_POSIX","appVersion":"1..2","osVersion":17,"country":"MEX","platform":"iOS"}"#)
        for line in [
            #"cannot be read | locale is "en_US_POSIX", not a language such as es or es-MX, so it counts as not known"#,
            #"cannot be read | appVersion is "1..2", not a version such as 2.4, so it counts as not known"#,
            #"cannot be read | country is "MEX", not two letters such as MX, so it counts as not known"#,
            "cannot be read | osVersion is a number, not a version such as 17.4, so it counts as not known",
            #"es | no | audience spanish: the locale is not known, because "en_US_POSIX" cannot be read"#,
            #"new | no | the app version is not known, because "1..2" cannot be read"#,
        ] { #expect(odd.output.contains(line), "\(line) in \(odd)") }
    }

    @Test("For a person who is signed in it lists what their roles provide")
    func person() async throws {
        let own = try await FlagCloud()
        _ = try own.save([FlagCloud.boolean("a", ["rules": Self.rules])])
        _ = try await own.cloud.administration.assignRole(
            "Admin", to: "ada@example.org", in: SmallCloud.container, [.development])
        let folder = try TemporaryFolder(prefix: "nephos-flags")
        let file = folder.path + "/session"
        let token = try await own.cloud.administration.createSession(in: SmallCloud.tenant, email: "ada@example.org")
        try writeSecret(file, "\(token)\n")
        let told = try await own.run("explain", "CONTAINER", "a", "--session", file)
        #expect(told.output.contains("rule | keeper") && told.output.contains("targetingKey | _"), "\(told)")
        try writeSecret(file, "nobody")
        #expect(
            try await own.run("explain", "CONTAINER", "a", "--session", file).failure?.hasPrefix(
                "The session has expired") == true)
    }

    @Test("Stale flags are expired ones, and those that served everybody one value for 30 days, unless permanent")
    func stale() async throws {
        let own = try await FlagCloud()
        let never = #"[{"id":"rollout","serve":{"split":{"on":0,"off":100000}}}]"#
        let some = #"[{"id":"rollout","serve":{"split":{"on":1,"off":99999}}}]"#
        let same = #"[{"when":{"locale":"es"},"serve":"on"}]"#
        let later = #"[{"at":"2030-01-01T00:00:00Z","state":"off"}]"#
        _ = try own.save([
            FlagCloud.boolean("off", state: "off", ["rules": some]), FlagCloud.boolean("none", ["rules": never]),
            FlagCloud.boolean("same", ["rules": same]), FlagCloud.boolean("some", ["rules": some]),
            FlagCloud.boolean("later", ["schedule": later]),
            FlagCloud.boolean("needs", ["prerequisites": #"["some"]"#]),
        ])
        try await own.run("create", "CONTAINER", "old", "--default", "true", "--expires", "2026-01-20")
        let created = try await own.run("list", "CONTAINER").output
        #expect(created.contains("old | on"))
        func stale() async throws -> [String] {
            try await own.run("stale", "CONTAINER").output.split(separator: "\n").dropFirst().map {
                String($0.split(separator: " ")[0])
            }
        }
        #expect(try await stale() == [])
        own.cloud.inputs.now += 29 * 86_400_000
        #expect(try await stale() == ["old"])
        own.cloud.inputs.now += 86_400_000
        #expect(try await stale() == ["none", "off", "old", "same"])
        let told = try await own.run("stale", "CONTAINER")
        #expect(
            told.output.contains("none | everybody has been served false for 30 days")
                && told.output.contains("old | it expired on 2026-01-20"))
        try await own.setPermanent("same")
        try await own.setPermanent("old")
        own.cloud.inputs.now += 60 * 86_400_000
        #expect(try await stale() == ["none", "off"])
    }
}

extension FlagCloud {
    /// Like the console.
    fileprivate func setPermanent(_ id: String) async throws {
        let body = """
            {"operations":[{"operationType":"forceUpdate","record":{"recordName":"\(id)","recordType":"FeatureFlag",\
            "fields":{"permanent":{"value":1}}}}]}
            """
        let request = try RecordsModifyRequest(json: Array(body.utf8)[...])
        let place = RecordPlace(tenant: SmallCloud.tenant, scope: .public, session: nil)
        _ = try await cloud.administration.modifyRecords(request, in: place)
    }
}
