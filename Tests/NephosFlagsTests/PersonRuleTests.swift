import CloudKitWire
import NephosAdmin
import NephosFlags
import NephosRunner
import NephosSettings
import NephosTesting
import RequestTesting
import Testing

/// docs/flags.md, "Setting flags up".
@Suite("Rules that name persons") struct PersonRuleTests {
    @Test("They are rejected while anybody can read the type, wherever the name is; rules that name a role are not")
    func refused() async throws {
        let own = try await FlagCloud()
        func said(_ when: String) throws -> String? {
            try own.save([FlagCloud.boolean("f", ["rules": #"[{"when":\#(when),"serve":"on"}]"#])]).first
        }
        let reason = "flag f: rules: a rule names persons, but everybody can read records of type FeatureFlag: "
        for when in [#"{"person":"_a"}"#, #"{"any":[{"locale":"es"},{"not":{"person":["_a"]}}]}"#] {
            #expect(try said(when)?.hasPrefix(reason) == true)
        }
        #expect(try said(#"{"role":"Admin"}"#) == "")
        let closed = FlagCloud.type.replacing(#"GRANT READ TO "_world""#, with: #"GRANT READ TO "Admin""#)
        let schema = SmallCloud.schema.replacing("RECORD TYPE Note", with: closed + "RECORD TYPE Note")
        _ = try await own.cloud.administration.importSchema(Array(schema.utf8), into: SmallCloud.tenant)
        #expect(try said(#"{"person":"_a"}"#) == "")
        #expect(try own.evaluate("f").json["reason"].string == "DEFAULT")
        // If the type becomes readable again, the flag can be switched off like any other, but its rules cannot be changed.
        let open = SmallCloud.schema.replacing("RECORD TYPE Note", with: FlagCloud.type + "RECORD TYPE Note")
        _ = try await own.cloud.administration.importSchema(Array(open.utf8), into: SmallCloud.tenant)
        #expect(try await own.run("off", "CONTAINER", "f").failure == nil)
        #expect(try own.evaluate("f").json["reason"].string == "DISABLED")
        #expect(try said(#"{"person":"_b"}"#)?.hasPrefix(reason) == true)
    }

    @Test("While rules name persons, neither an import nor a preset makes the type readable by everybody")
    func opened() async throws {
        let own = try await FlagCloud()
        let administration = Administration(
            engine: own.cloud.engine, inputs: own.cloud.inputs.ofOperator, features: [.settings, .flags])
        func file(readableBy role: String, adding types: String = "") -> [UInt8] {
            let type = FlagCloud.type.replacing(#"GRANT READ TO "_world""#, with: "GRANT READ TO \(role)")
            let schema = SmallCloud.schema.replacing("RECORD TYPE Note", with: "\(type)\(types)RECORD TYPE Note")
            return Array(schema.utf8)
        }
        func refusal(_ change: () async throws -> Void) async -> String {
            do {
                try await change()
                return ""
            } catch {
                return "\(error)"
            }
        }
        let reason = "Everybody could read flags with rules that name persons: f. Nothing was changed"
        _ = try await administration.importSchema(file(readableBy: "Admin"), into: SmallCloud.tenant)
        let rules = #"[{"when":{"person":"_a"},"serve":"on"}]"#
        #expect(try own.save([FlagCloud.boolean("f", ["rules": rules])]) == [""])
        let open = file(readableBy: #""_world""#)
        #expect(
            await refusal { _ = try await administration.importSchema(open, into: SmallCloud.tenant) }.contains(reason))
        #expect(await refusal { _ = try administration.previewImport(open, into: SmallCloud.tenant) }.contains(reason))
        #expect(
            await refusal {
                _ = try await administration.apply(
                    .adminOnly(role: "Admin"), to: "FeatureFlag", in: SmallCloud.container)
            }.contains(reason))
        // Other changes are possible.
        let other = file(readableBy: "Admin", adding: "RECORD TYPE Other (a STRING, GRANT READ TO \"_world\");\n")
        _ = try await administration.importSchema(other, into: SmallCloud.tenant)
        #expect(try own.save([FlagCloud.boolean("f", ["rules": "[]"])]) == [""])
        _ = try await administration.importSchema(open, into: SmallCloud.tenant)
    }
}
