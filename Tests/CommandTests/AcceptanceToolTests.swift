import NephosTesting
import Testing

/// The tool of `make acceptance`, without the folder of schema files.
@Suite("The acceptance tool", .onOwnThreads) struct AcceptanceToolTests {
    @Test("Schemas of our own go through a server without a mismatch")
    func fixtures() throws {
        let folder = try TemporaryFolder()
        let output = folder.path + "/output"
        let tool = try ChildProcess(
            try builtProgram("nephos-acceptance", orNamedBy: "NEPHOS_ACCEPTANCE_BINARY"), [],
            environment: ["NEPHOS_SCHEMAS": folder.path + "/absent"], output: output, errors: folder.path + "/errors")
        let end = tool.wait()
        let text = String(decoding: try readFile(output), as: UTF8.self)
        #expect(end == .exited(0), "\(text)")
        #expect(text.contains("library.ckdb") && text.contains("nephos check: clean"))
    }
}
