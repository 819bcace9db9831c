import Foundation
import NephosTesting
import Testing

@Suite("nephos check of a data folder") struct SQLiteCheckTests {
    @Test func aRowThatWasChangedBehindTheServersBackIsFound() throws {
        let folder = try DataFolder.prepared(in: TestStore(.sqlite))
        try folder.nephos("token", "create", DataFolder.container, "--name", "as it was written")
        let file = "\(folder.nephos.data)/containers/\(DataFolder.container)/development.sqlite"
        try replace("as it was written", with: "as it was WRITTEN", in: file)

        let result = try folder.run(["check"])
        #expect(result.status == 1)
        let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines[2].wholeMatch(of: /iCloud\.com\.example\.app\/development +\d+ +[1-9]\d*/) != nil)
        #expect(lines[7].wholeMatch(of: /place +table +finding/) != nil)
        #expect(lines[8].hasPrefix("iCloud.com.example.app/development  api_tokens "))
        #expect(result.errors.contains("restore a backup"))
        #expect(try folder.run(["check", DataFolder.container]).status == 1)
    }

    @Test("Where files are missing, the report ends with the folder in which they were looked for")
    func aFileThatIsElsewhereIsMissing() throws {
        let cloud = try TestCloud(store: TestStore(.sqlite))
        let ada = try cloud.container().person("ada@example.org")
        _ = try ada.send(file: [1, 2, 3], to: try ada.uploadURLs(field: "file")[0])
        var command = cloud.server.command
        #expect(try command.run(["check"]).status == 0)

        let folder = try TemporaryFolder(prefix: "nephos-elsewhere")
        command.environment["NEPHOS_ASSETS"] = folder.path + "/assets"
        let result = try command.run(["check"])
        #expect(result.status == 1 && result.output.contains(": is missing"), "\(result)")
        let place = "1 finding. Files were looked for in \(folder.path)/assets."
        #expect(
            result.errors.contains(place + " If they are elsewhere, set NEPHOS_ASSETS. Otherwise stop"), "\(result)")
    }

    /// Overwrites bytes of a file that no process has open.
    private func replace(_ old: String, with new: String, in path: String) throws {
        var bytes = try #require(FileManager.default.contents(atPath: path))
        let range = try #require(bytes.range(of: Data(old.utf8)), "\(path) does not hold \(old)")
        bytes.replaceSubrange(range, with: Data(new.utf8))
        try bytes.write(to: URL(fileURLWithPath: path))
    }
}
