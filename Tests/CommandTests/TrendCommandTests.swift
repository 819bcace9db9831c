import Foundation
import NephosTesting
import Testing

/// docs/trends.md, "Tokens" and "Pictures".
@Suite("The commands for trends") struct TrendCommandTests {
    private static let id = DataFolder.container

    @Test("A token is printed once, listed without its secret, and revoked by the beginning of its id")
    func tokens() throws {
        let folder = try DataFolder.prepared()
        #expect(try folder.run(["trends", "token", "list", Self.id]).errors == "There is no trends token.\n")
        let made = try folder.run(["trends", "token", "create", Self.id, "--name", "Ada's phone"])
        let token = made.output.trimmingCharacters(in: .newlines)
        #expect(token.wholeMatch(of: /trends-[0-9a-f]{16}-[0-9a-f]{48}/) != nil && made.errors == "")
        #expect(try folder.run(["trends", "token", "create", Self.id, "--import"]).status == 0)
        let listed = try folder.run(["trends", "token", "list", Self.id]).output
        #expect(listed.contains("Ada's phone") && listed.contains("reads") && listed.contains("imports"))
        #expect(!listed.contains(token.suffix(48)))
        let id = String(token.split(separator: "-")[1])
        #expect(listed.contains(id))
        let unknown = try folder.run(["trends", "token", "revoke", Self.id, "zz"])
        #expect(unknown.status == 1 && unknown.errors.contains("There is no trends token zz"))
        #expect(try folder.run(["trends", "token", "revoke", Self.id, String(id.prefix(9))]).status == 0)
        let row = try folder.run(["trends", "token", "list", Self.id]).output.split(separator: "\n").first {
            $0.contains(id)
        }
        #expect(row?.hasSuffix("Z") == true, "\(row ?? "")")
        #expect(try folder.run(["check"]).status == 0)
    }

    @Test("The command draws what it prints as a picture")
    func picture() throws {
        let folder = try DataFolder.prepared()
        try folder.nephos("schema", "import", Self.id, folder.folder.path + "/schema.ckdb")
        try folder.nephos("records", "create", Self.id, "--record-type", "Article", "--fields-json", "{}")
        let drawn = try folder.run([
            "trends", "show", Self.id, "--type", "Article", "--output", "svg", "--view", "live",
        ])
        #expect(drawn.status == 0 && drawn.output.hasPrefix("<svg "))
        #expect(drawn.output.contains("Records of Article at the end of each day"))
        #expect(
            try folder.run(["trends", "show", Self.id, "--output", "svg"]).output.contains(
                "New records of Users by day"))
        #expect(try folder.run(["trends", "show", Self.id, "--output", "svg", "--view", "pie"]).status == 2)
    }
}
