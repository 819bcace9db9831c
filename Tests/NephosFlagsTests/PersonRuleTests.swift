import NephosAdmin
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
}
