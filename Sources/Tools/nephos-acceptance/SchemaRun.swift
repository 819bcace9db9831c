import NephosTesting

/// Tests the schema file itself: imported, exported, imported again, deployed.
struct SchemaRun {
    let path: String
    let container: TestContainer

    private var command: NephosCommand { container.cloud.server.command }

    func run(_ findings: inout Findings) throws {
        try command("schema", "import", container.id, path)
        let exported = try export("development")
        let folder = try TemporaryFolder(prefix: "nephos-schema")
        let copy = folder.path + "/exported.ckdb"
        try writeFile(copy, Array(exported.utf8))
        try command("schema", "import", container.id, copy)
        let again = try export("development")
        if again != exported { findings.mismatch("the export of the export differs: \(again)") }
        try command("schema", "deploy", container.id)
        let production = try export("production")
        if production != exported { findings.mismatch("production's export differs after deploy: \(production)") }
    }

    private func export(_ environment: String) throws -> String {
        let arguments = ["schema", "export", container.id, "--environment", environment]
        let result = try command.run(arguments)
        guard result.status == 0 else {
            throw UnusableAnswer(description: "\(arguments) ended with \(result.status): \(result.errors)")
        }
        return result.output
    }
}
