import Foundation
import NephosTesting
import ServerTesting
import Testing

/// docs/content.md, "Publishing".
@Suite("The commands for content") struct ContentCommandTests {
    private static let id = DataFolder.container

    @Test("A record is published, seen in the list, explained and withdrawn")
    func published() throws {
        let folder = try DataFolder.prepared()
        let schema = DataFolder.schema.replacing(
            "stars INT64", with: "publishedAt TIMESTAMP, until TIMESTAMP, access LIST<STRING>, stars INT64")
        try schema.write(toFile: folder.folder.path + "/schema.ckdb", atomically: true, encoding: .utf8)
        try folder.nephos("schema", "import", Self.id, folder.folder.path + "/schema.ckdb")
        for name in ["a", "b"] {
            try folder.nephos(
                "records", "create", Self.id, "--record-type", "Article", "--record-name", name, "--fields-json", "{}")
        }
        func run(_ words: String...) throws -> Outcome { try folder.run(["content"] + words) }
        #expect(try run("list", Self.id).errors.contains("No type of"))
        let first = try run("publish", Self.id, "Article", "a")
        #expect(first.status == 0 && first.errors.contains("a is shown."), "\(first)")
        #expect(first.errors.contains("Article is content from now on, by access, publishedAt, until"))
        // Once it is content nothing is said of that any more, and the settings have it.
        let second = try run(
            "publish", Self.id, "Article", "b", "--at", "2999-10-25", "--until", "2999-11-01 00:00 Europe/Rome")
        #expect(
            second.errors
                == "b will be shown from 2999-10-25T00:00:00Z on, until 2999-10-31T23:00:00Z.\n", "\(second)")
        #expect(try folder.run(["settings", "export", Self.id]).output.contains("publishedAt: publishedAt"))
        let list = try run("list", Self.id).output
        #expect(
            list.contains(/Article +a +published +\d{4}-/) && list.contains(/Article +b +early +2999-10-25T/), "\(list)"
        )
        #expect(try run("explain", Self.id, "Article", "b").output.contains("Its time has not come"))
        #expect(try run("withdraw", Self.id, "Article", "a").errors == "a is a draft.\n")
        #expect(try run("list", Self.id, "Article").output.contains(/Article +a +draft +- +-/))
        #expect(try run("explain", Self.id, "Article", "a").output.contains("It is a draft"))
    }

    @Test("What cannot be meant is refused with what to do, and nothing changes")
    func wrong() throws {
        let folder = try DataFolder.prepared()
        try folder.nephos("schema", "import", Self.id, folder.folder.path + "/schema.ckdb")
        func run(_ words: String...) throws -> Outcome { try folder.run(["content"] + words) }
        let noField = try run("publish", Self.id, "Article", "a")
        #expect(noField.status == 1 && noField.errors.contains("Article has no TIMESTAMP field publishedAt"))
        let noType = try run("publish", Self.id, "Nope", "a")
        #expect(noType.status == 1 && noType.errors.contains("There is no record type Nope"))
        #expect(try run("withdraw", Self.id, "Article", "a").errors.contains("is no content"))
        #expect(try run("publish", Self.id, "Article", "a", "--at", "soon").status == 2)
        #expect(try run("list", Self.id).errors.contains("No type of"))
        let schema = DataFolder.schema.replacing("stars INT64", with: "publishedAt TIMESTAMP, stars INT64")
        try schema.write(toFile: folder.folder.path + "/schema.ckdb", atomically: true, encoding: .utf8)
        try folder.nephos("schema", "import", Self.id, folder.folder.path + "/schema.ckdb")
        let production = try run("publish", Self.id, "Article", "a", "--environment", "production")
        #expect(production.status == 1, "\(production)")
        let backwards = try run("publish", Self.id, "Article", "a", "--at", "2027-01-02", "--until", "2027-01-01")
        #expect(backwards.status == 1 && backwards.errors.contains("say --until after --at"), "\(backwards)")
        let endless = try run("publish", Self.id, "Article", "nobody", "--until", "2999-01-01")
        #expect(endless.status == 1 && endless.errors.contains("has no field that says until when"), "\(endless)")
        #expect(try run("publish", Self.id, "Article", "nobody").errors.contains("There is no record nobody"))
        // Nothing became content by any of it.
        #expect(try run("list", Self.id).errors.contains("No type of"))
    }
}
