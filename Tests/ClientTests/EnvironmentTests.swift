import Foundation
import NephosTesting
import Testing

extension ClientTests {
    /// docs/client.md, "Configuring containers".
    @Suite struct EnvironmentTests {
        @Test("One setting switches a program from development to production, and back (S0-32)") func oneSetting()
            throws
        {
            let development = try Cloud(schema: TestContainer.recordType("Note", ["text STRING"])).container
            try development.cloud.server.command("schema", "deploy", development.id)
            let production = try TestContainer(
                id: development.id, environment: "production", cloud: development.cloud)
            let url = "http://127.0.0.1:\(development.cloud.server.port)"
            let device = try Device(["NEPHOS_URL": url, "NEPHOS_CONTAINER": development.id])
            // Tokens belong to an environment, so the credentials file has those of both.
            let entries = try [development, production].map { container in
                (
                    "\(url) \(container.id) \(container.environment)",
                    ["apiToken": container.apiToken, "webAuthToken": try container.signIn("ada@example.org")]
                )
            }
            let folder = device.folder.path + "/nephos"
            let (credentials, file) = (folder + "/nephos-credentials.json", folder + "/nephos.json")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try JSONEncoder().encode(Dictionary(uniqueKeysWithValues: entries))
                .write(to: URL(fileURLWithPath: credentials))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: credentials)
            try giveToOrdinaryUser(folder)

            for environment in ["development", "production"] {
                try JSONEncoder().encode(["environment": environment]).write(to: URL(fileURLWithPath: file))
                try device("edit", "where", environment)
                try device("push")
                // The program's state belongs to this environment.
                try FileManager.default.removeItem(atPath: device.folder.path + "/notes.json")
            }
            for environment in ["development", "production", "development"] {
                try JSONEncoder().encode(["environment": environment]).write(to: URL(fileURLWithPath: file))
                try device("pull")
                #expect(try device.notes() == ["where=\(environment)"])
                try FileManager.default.removeItem(atPath: device.folder.path + "/notes.json")
            }
        }
    }
}
