import Foundation
import NephosTesting
import ServerTesting
import Testing

/// docs/content.md, "Publishing".
@Suite("The commands for content") struct ContentCommandTests {
    private static let id = DataFolder.container

    @Test("A record is published, listed, explained and withdrawn")
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
        #expect(first.status == 0 && first.errors.contains("a is shown in development."), "\(first)")
        #expect(first.errors.contains("Article is now content, with the fields access, publishedAt, until"))
        // Once it is content, the command prints no note about that, and the settings include it.
        let second = try run(
            "publish", Self.id, "Article", "b", "--at", "2999-10-25", "--until", "2999-11-01 00:00 Europe/Rome")
        #expect(
            second.errors
                == "b will be shown in development from 2999-10-25T00:00:00Z on, until 2999-10-31T23:00:00Z.\n",
            "\(second)")
        #expect(try folder.run(["settings", "export", Self.id]).output.contains("publishedAt: publishedAt"))
        let list = try run("list", Self.id).output
        #expect(
            list.contains(/Article +a +published +\d{4}-/) && list.contains(/Article +b +early +2999-10-25T/), "\(list)"
        )
        #expect(try run("explain", Self.id, "Article", "b").output.contains("Its time has not come"))
        #expect(
            try run("withdraw", Self.id, "Article", "a").errors
                == "a will no longer be shown in development. It is a draft again.\n")
        #expect(
            try run("withdraw", Self.id, "Article", "a").errors
                == "a is a draft in development already. Nothing was changed.\n")
        #expect(try run("list", Self.id, "Article").output.contains(/Article +a +draft +- +-/))
        #expect(try run("explain", Self.id, "Article", "a").output.contains("It is a draft"))
    }

    @Test("A record that cannot be published leaves its type and all other records unchanged")
    func refused() throws {
        let folder = try DataFolder.prepared()
        let schema = DataFolder.schema.replacing(
            "stars INT64", with: "publishedAt TIMESTAMP, weight INT64, stars INT64")
        try schema.write(toFile: folder.folder.path + "/schema.ckdb", atomically: true, encoding: .utf8)
        try folder.nephos("schema", "import", Self.id, folder.folder.path + "/schema.ckdb")
        try folder.nephos(
            "records", "create", Self.id, "--record-type", "Article", "--record-name", "bad", "--fields-json",
            #"{"weight":{"type":"int64Type","value":0}}"#)
        let outcome = try folder.run(["content", "publish", Self.id, "Article", "bad"])
        #expect(
            outcome.status == 1 && outcome.errors.contains("bad cannot be published: weight must be a number from 1"))
        #expect(try !folder.run(["settings", "export", Self.id]).output.contains("content"))
    }

    /// Articles a, b and c, of which the first two are content at their times.
    private func articles() throws -> DataFolder {
        let folder = try DataFolder.prepared()
        let schema = DataFolder.schema.replacing(
            "stars INT64", with: "publishedAt TIMESTAMP, until TIMESTAMP, every STRING, audience STRING, stars INT64")
        try schema.write(toFile: folder.folder.path + "/schema.ckdb", atomically: true, encoding: .utf8)
        try folder.nephos("schema", "import", Self.id, folder.folder.path + "/schema.ckdb")
        for (name, fields) in [
            ("a", #"{"stars":{"type":"int64Type","value":1}}"#),
            ("b", #"{"every":{"type":"stringType","value":"daily"}}"#), ("c", "{}"),
        ] {
            try folder.nephos(
                "records", "create", Self.id, "--record-type", "Article", "--record-name", name, "--fields-json", fields
            )
        }
        let published = try folder.run([
            "content", "publish", Self.id, "Article", "a", "--at", "2999-10-25", "--until", "2999-11-01",
        ])
        #expect(published.status == 0, "\(published)")
        return folder
    }

    @Test("The history names authors, and a record can be restored to an earlier version")
    func history() throws {
        let folder = try articles()
        func run(_ words: String...) throws -> Outcome { try folder.run(["content"] + words) }
        let words = ["content", "withdraw", Self.id, "Article", "a"]
        #expect(try folder.run(words, environment: ["USER": "ada"]).status == 0)
        let history = try run("history", Self.id, "Article", "a").output
        #expect(
            history.contains(/3 +\d{4}-\S+ +draft +- +- +ada by command/)
                && history.contains(/2 +\d{4}-\S+ +early +2999-10-25T00:00:00Z +2999-11-01T/), "\(history)")
        let reverted = try run("revert", Self.id, "Article", "a", "2")
        #expect(reverted.status == 0 && reverted.errors == "a is now as in version 2.\n", "\(reverted)")
        #expect(try run("list", Self.id, "Article").output.contains(/Article +a +early +2999-10-25/))
        #expect(try run("revert", Self.id, "Article", "a", "2").errors == "a is already as in version 2.\n")
        try folder.nephos("records", "delete", Self.id, "--record-name", "a", "--yes")
        #expect(try run("revert", Self.id, "Article", "a", "1").errors == "a is restored as in version 1.\n")
        let gone = try run("history", Self.id, "Article", "a").output
        #expect(gone.contains("deleted"), "\(gone)")
        let none = try run("revert", Self.id, "Article", "a", "99")
        #expect(none.status == 1 && none.errors.contains("No version 99 of a is kept"), "\(none)")
        #expect(
            try run("history", Self.id, "Article", "nobody").errors.contains("keeps no history of a record nobody"))
    }

    @Test("The calendar shows what is published when, also as a file for calendar programs")
    func calendar() throws {
        let folder = try articles()
        func run(_ words: String...) throws -> Outcome { try folder.run(["content"] + words) }
        #expect(try run("calendar", Self.id).errors == "No content starts or stops being shown on these days.\n")
        #expect(try run("publish", Self.id, "Article", "a", "--until", "2999-11-01").status == 0)
        let table = try run("calendar", Self.id, "Article", "--days", "1000").output
        #expect(table.contains(/\d{4}-\S+ +2999-11-01T00:00:00Z +Article +a/), "\(table)")
        let file = try run("calendar", Self.id, "--output", "ics").output
        #expect(file.hasPrefix("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n") && file.hasSuffix("END:VCALENDAR\r\n"), "\(file)")
        #expect(file.contains("DTEND:29991101T000000Z\r\n") && file.contains("SUMMARY:a (Article)\r\n"), "\(file)")
        #expect(try run("calendar", Self.id, "--days", "0").status == 2)
    }

    @Test("Unreadable content is listed with the reason (S0-64), and explain names why a record is not picked")
    func bad() throws {
        let folder = try articles()
        func run(_ words: String...) throws -> Outcome { try folder.run(["content"] + words) }
        let bad = try run("bad", Self.id)
        #expect(
            bad.status == 1 && bad.output.contains(/Article +b +every does not contain valid recurring hours/), "\(bad)"
        )
        try folder.nephos(
            "records", "create", Self.id, "--record-type", "Article", "--record-name", "d", "--fields-json",
            #"{"audience":{"type":"stringType","value":"{\"locale\":[\"es\"]}"}}"#)
        func why(_ context: String...) throws -> String {
            try folder.run(["content", "explain", Self.id, "Article", "d"] + context).output
        }
        #expect(try why().contains("is not picked for an app that reports nothing: the locale is not known"))
        #expect(
            try why("--context", #"{"locale":"de"}"#).contains(
                "an app that reports this context: the locale is different"))
        #expect(try why("--context", #"{"locale":"es-MX"}"#).contains("is picked for an app that reports this context"))
        let odd = try why("--context", #"{"locale":"C","appVersion":"1..2"}"#)
        #expect(
            odd.contains(#"the locale is not known, because "C" cannot be read."#)
                && odd.contains(#"In the context, appVersion is "1..2", not a version such as 2.4"#), "\(odd)")
        #expect(try folder.run(["content", "explain", Self.id, "Article", "d", "--context", "{"]).status == 1)
        #expect(try run("explain", Self.id, "Article", "c").output.contains("It is picked for everybody who sees it."))
    }

    @Test("An audience to which nobody can belong as it was meant is listed, and not published by command")
    func mistaken() throws {
        let folder = try articles()
        try folder.nephos(
            "records", "create", Self.id, "--record-type", "Article", "--record-name", "d", "--fields-json",
            #"{"audience":{"type":"stringType","value":"{\"lokale\":\"es\"}"}}"#)
        let reason = "audience: lokale: this version supports no such condition; did you mean locale?"
        let bad = try folder.run(["content", "bad", Self.id])
        #expect(bad.status == 1 && bad.output.contains(reason), "\(bad)")
        let refused = try folder.run(["content", "publish", Self.id, "Article", "d"])
        #expect(refused.status == 1 && refused.errors.contains("d cannot be published: \(reason)"), "\(refused)")
    }

    @Test("Invalid input is rejected with advice, and nothing changes")
    func wrong() throws {
        let folder = try DataFolder.prepared()
        try folder.nephos("schema", "import", Self.id, folder.folder.path + "/schema.ckdb")
        func run(_ words: String...) throws -> Outcome { try folder.run(["content"] + words) }
        let noField = try run("publish", Self.id, "Article", "a")
        #expect(noField.status == 1 && noField.errors.contains("Article has no TIMESTAMP field publishedAt"))
        let noType = try run("publish", Self.id, "Nope", "a")
        #expect(noType.status == 1 && noType.errors.contains("There is no record type Nope"))
        #expect(try run("withdraw", Self.id, "Article", "a").errors.contains("is not content"))
        #expect(try run("publish", Self.id, "Article", "a", "--at", "soon").status == 2)
        #expect(try run("list", Self.id).errors.contains("No type of"))
        let schema = DataFolder.schema.replacing("stars INT64", with: "publishedAt TIMESTAMP, stars INT64")
        try schema.write(toFile: folder.folder.path + "/schema.ckdb", atomically: true, encoding: .utf8)
        try folder.nephos("schema", "import", Self.id, folder.folder.path + "/schema.ckdb")
        let production = try run("publish", Self.id, "Article", "a", "--environment", "production")
        #expect(production.status == 1, "\(production)")
        let backwards = try run("publish", Self.id, "Article", "a", "--at", "2027-01-02", "--until", "2027-01-01")
        #expect(backwards.status == 1 && backwards.errors.contains("--until must be later than --at"), "\(backwards)")
        let endless = try run("publish", Self.id, "Article", "nobody", "--until", "2999-01-01")
        #expect(endless.status == 1 && endless.errors.contains("has no field for until"), "\(endless)")
        #expect(try run("publish", Self.id, "Article", "nobody").errors.contains("There is no record nobody"))
        // None of these commands turned the type into content.
        #expect(try run("list", Self.id).errors.contains("No type of"))
    }
}
