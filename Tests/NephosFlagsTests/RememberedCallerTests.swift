import NephosAdmin
import NephosBackend
import NephosRunner
import NephosSQLite
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

/// docs/flags.md: a flag is a record, and switching one is a save like any other.
@Suite("Flags and cached callers") struct RememberedCallerTests {
    @Test("Switching a flag invalidates no cached caller: callers are cached before and after")
    func switching() async throws {
        let own = try await FlagCloud()
        _ = try own.save([FlagCloud.boolean("tipJar")])
        let memory = own.cloud.backend.runner.memory(of: SmallCloud.tenant)
        let tokens = TokenPair(api: own.cloud.apiToken[...], web: "")
        #expect(try own.evaluate("tipJar").json["value"].bool == true)
        let before = try #require(memory.caller(tokens, now: own.cloud.inputs.now)?.1)
        for state in ["off", "on", "off"] {
            _ = try own.save([FlagCloud.boolean("tipJar", state: state)])
            #expect(try own.evaluate("tipJar").json["value"].bool == (state == "on"))
            let after = try #require(memory.caller(tokens, now: own.cloud.inputs.now)?.1)
            #expect(after === before, "the catalog that callers are remembered by is another")
        }
    }
}
