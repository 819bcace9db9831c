import Foundation
import NephosTesting
import Testing

/// docs/trends.md, "Tokens" and "Pictures".
@Suite("The commands for trends") struct TrendCommandTests {
    private static let id = DataFolder.container

    @Test("A token is printed once, listed without its secret, and revoked by the first characters of its id")
    func tokens() throws {
        let folder = try DataFolder.prepared()
        #expect(try folder.run(["trends", "token", "list", Self.id]).errors == "There are no trends tokens.\n")
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

    @Test("The command draws its output as a chart")
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

    @Test("A new app has figures with its first record, without any setup (S4-26)")
    func atOnce() throws {
        let folder = try Self.filled()
        let shown = try folder.run(["trends", "show", Self.id, "--type", "Article"])
        #expect(shown.status == 0 && shown.output.contains(" so far"), "\(shown)")
        #expect(shown.errors == "Article: 2 created, 0 deleted, 0 restored, 2 live, by day in UTC.\n")
        let head = try #require(shown.output.split(separator: "\n").first)
        #expect(
            head.split(separator: " ") == ["Article", "Created", "0", "2", "Change", "Deleted", "Restored", "Live"])
    }

    @Test("The operator of a container can export all figures, as docs/trends.md describes (S4-27)")
    func export() throws {
        let folder = try Self.filled()
        try folder.nephos("trends", "track", Self.id, "--split", "Article.title")
        try folder.nephos("trends", "backfill", Self.id)
        let csv = try folder.run(["trends", "show", Self.id, "--output", "csv"]).output.split(separator: "\r\n")
        #expect(csv.first == "type,start,created,deleted,restored,live")
        #expect(csv.contains { $0.hasPrefix("Article,") && $0.hasSuffix(",2,0,0,2") })
        let titles = try folder.run(["trends", "show", Self.id, "--split", "title", "--output", "csv"]).output
        #expect(titles.hasPrefix("type,split,start,created,deleted,restored,moved,live\r\n"))
        #expect(titles.contains("Article,'=1+1,") && titles.contains("Article,Hello,"))
        #expect(
            try folder.run(["trends", "show", Self.id, "--output", "json"]).output.hasPrefix("[{\"type\":\"Article\""))
        #expect(try folder.run(["trends", "recount", Self.id]).errors == "The figures match the records.\n")
    }

    @Test("The list shows the progress of everything, and the command that continues it")
    func list() throws {
        let folder = try Self.filled()
        func track(_ words: String...) throws -> Outcome { try folder.run(["trends", "track", Self.id] + words) }
        func list() throws -> String { try folder.run(["trends", "list", Self.id]).output }
        #expect(try track("--split", "Article.title").status == 0)
        #expect(try list().contains(/split +Article.title +- +counting back 0 %/))
        let done = try folder.run(["trends", "backfill", Self.id])
        #expect(done.status == 0 && done.errors.hasSuffix("All records of the tracked types are counted.\n"))
        #expect(try list().contains(/split +Article.title +- +counting +-/))
        let refused = try track("--list", "Article.stars")
        #expect(refused.status == 1 && refused.errors.contains("Article.stars is not a list: name a list"))
        #expect(
            try track("--split", "Article.title").errors == "Article.title is tracked already. Nothing was changed.\n")
        #expect(try folder.run(["trends", "untrack", Self.id, "--split", "Article.title", "--yes"]).status == 0)
        #expect(try !list().contains("split "))
        #expect(try track("--split", "Article").status == 2)
        #expect(
            try folder.run(["trends", "forget-source", Self.id, "Old", "--yes"]).errors.contains(
                "There are no figures from the source Old, or from any other source"))
        #expect(try folder.run(["trends", "totals", Self.id]).output.contains(/Article +2 +2 +20/))
        let deltas = try folder.run(["trends", "deltas", Self.id, "--viewer", "ada", "--look"])
        #expect(deltas.status == 0 && deltas.errors.contains("ada has never looked"))
    }

    @Test("Saved data cannot control a terminal")
    func controls() throws {
        let folder = try Self.filled()
        let fields = #"{"title":{"type":"stringType","value":"\u001b[2J\u009bred\r\n"}}"#
        try folder.nephos("records", "create", Self.id, "--record-type", "Article", "--fields-json", fields)
        try folder.nephos("trends", "track", Self.id, "--split", "Article.title")
        try folder.nephos("trends", "backfill", Self.id)
        let shown = try folder.run(["trends", "show", Self.id, "--split", "title"])
        #expect(shown.output.contains("\u{FFFD}[2J\u{FFFD}red\u{FFFD}\u{FFFD}"), "\(shown)")
        #expect(!shown.output.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{9B}" || $0 == "\r" })
    }

    @Test("Several containers are shown side by side, in the days of the first")
    func beside() throws {
        let folder = try Self.filled()
        let other = "iCloud.com.example.other"
        try folder.nephos("container", "create", other)
        try folder.nephos("schema", "import", other, folder.folder.path + "/schema.ckdb")
        try folder.nephos("records", "create", other, "--record-type", "Article", "--fields-json", "{}")
        let words = ["trends", "show", Self.id, "--type", "Article", "--also", other]
        let shown = try folder.run(words)
        let lines = shown.output.split(separator: "\n")
        #expect(lines[0].contains("Article of \(Self.id)") && lines[0].contains("Article of \(other)"), "\(shown)")
        #expect(lines.last?.contains(/so far +2 +█{15} +1 +█{15}/) == true, "\(shown)")
        #expect(try folder.run(words + ["--output", "csv"]).output.contains("\r\n\(other),Article,"))
        #expect(try folder.run(words + ["--output", "json"]).output.contains("{\"container\":\"\(other)\",\"type\""))
        let missing = try folder.run(["trends", "show", Self.id, "--also", "iCloud.com.example.nowhere"])
        try folder.nephos("trends", "track", Self.id, "--split", "Article.title")
        let uncounted = try folder.run(words + ["--split", "title"])
        #expect(
            uncounted.status == 1 && uncounted.errors.hasPrefix("Error: In \(other) no type is split"), "\(uncounted)")
        #expect(missing.status == 1 && missing.errors.contains("iCloud.com.example.nowhere"))
        #expect(try folder.run(words + ["--watch", "--output", "csv"]).status == 2)
    }

    /// With two articles.
    private static func filled() throws -> DataFolder {
        let folder = try DataFolder.prepared()
        try folder.nephos("schema", "import", id, folder.folder.path + "/schema.ckdb")
        for title in ["Hello", "=1+1"] {
            let fields = #"{"title":{"type":"stringType","value":"\#(title)"}}"#
            try folder.nephos("records", "create", id, "--record-type", "Article", "--fields-json", fields)
        }
        return folder
    }
}
