import Foundation
import NephosTesting
import Testing

/// docs/settings.md, "What a change does": what becomes visible, hidden, or writable, and what asks first.
@Suite("The effects of settings") struct SettingsEffectTests {
    private static let id = DataFolder.container
    private static let content = "content:\n  Article: {until: until, access: access, audience: audience}\n"

    /// With a type for content, its settings, and an article that appears in the year 3000.
    private static func prepared() throws -> DataFolder { try prototype.get().copy() }

    private static let prototype = Result {
        let folder = try DataFolder.prepared()
        let schema = DataFolder.schema.replacing(
            "stars INT64",
            with:
                "publishedAt TIMESTAMP, until TIMESTAMP, access LIST<STRING>, audience STRING, kind STRING, stars INT64"
        )
        try schema.write(toFile: folder.folder.path + "/schema.ckdb", atomically: true, encoding: .utf8)
        try folder.nephos("schema", "import", id, folder.folder.path + "/schema.ckdb")
        #expect(try importing(content, folder).status == 0)
        try folder.nephos("schema", "deploy", id)
        return folder
    }

    private static func write(_ text: String, _ folder: DataFolder) throws {
        try "version: 1\n\(text)".write(
            toFile: folder.folder.path + "/settings.yaml", atomically: true, encoding: .utf8)
    }

    private static func importing(_ text: String, _ folder: DataFolder, _ options: String...) throws -> Outcome {
        try write(text, folder)
        return try folder.run(["settings", "import", id, "FOLDER/settings.yaml"] + options)
    }

    @Test(
        "A file without a section that hides, and a deploy of it, change nothing until it is confirmed, and say what becomes visible"
    )
    func leftOut() throws {
        let folder = try Self.prepared()
        let sentence =
            "reveals: content: records of type Article that are drafts or not yet published become visible to everybody who may read the type"
        let refused = try Self.importing("", folder)
        #expect(refused.status == 2 && refused.errors.contains("Pass --yes to skip the prompt."), "\(refused)")
        #expect(refused.errors.contains("- content\n") && refused.errors.contains(sentence), "\(refused)")
        let diff = try folder.run(["settings", "diff", Self.id, "FOLDER/settings.yaml"])
        #expect(diff.output.contains("- content\n") && diff.output.contains(sentence), "\(diff)")
        #expect(try folder.run(["settings", "export", Self.id]).output.contains("Article"))
        #expect(try Self.importing("", folder, "--yes").status == 0)

        let trial = try folder.run(["schema", "deploy", Self.id, "--dry-run"])
        #expect(
            trial.status == 0 && trial.output.contains("- content\n") && trial.output.contains(sentence), "\(trial)")
        let deploy = try folder.run(["schema", "deploy", Self.id])
        #expect(deploy.status == 2 && deploy.errors.contains(sentence), "\(deploy)")
        let production = ["settings", "export", Self.id, "--environment", "production"]
        #expect(try folder.run(production).output.contains("Article"))
        let sure = try folder.run(["schema", "deploy", Self.id, "--yes"])
        #expect(sure.status == 0 && sure.errors.contains(sentence), "\(sure)")
        #expect(try folder.run(production).output == "version: 1\n")
        // The way back hides, and asks nobody.
        let back = try Self.importing(Self.content, folder)
        #expect(back.status == 0 && back.errors.contains("+ content\n") && back.errors.contains("hides: "), "\(back)")
        #expect(try folder.run(["schema", "deploy", Self.id]).status == 0)
        // A reset compares, too.
        #expect(try Self.importing("", folder, "--yes").status == 0)
        let reset = try folder.run(["schema", "reset", Self.id])
        #expect(reset.status == 2 && reset.errors.contains("+ content\n"), "\(reset)")
    }

    @Test(
        "What reveals, opens for writing, or loses what is stored asks; what hides or closes does not",
        arguments: [
            // From, to, a part of the report; nil if it does not ask.
            (content, content.replacing("access: access, ", with: ""), "reveals: content: records of type Article"),
            (content, content.replacing("until: until", with: "until: publishedAt, publishedAt: until"), "reveals: "),
            (content.replacing("access: access, ", with: ""), content, nil),
            ("flags: {type: Article}\n", "", "opens: flags: records of type Article are no longer checked"),
            (
                "constraints: {Article: [{rule: unique, field: title}]}\n", "",
                "opens: constraints: unique of title no longer holds for records of type Article"
            ),
            (
                "constraints: {Article: [{rule: unique, field: title}]}\n",
                "constraints: {Article: [{rule: unique, field: title}, {rule: required, field: kind}]}\n", nil
            ),
            (
                "trends: {splits: [{type: Article, field: kind}]}\n", "",
                "loses: trends: what was counted by field kind of Article"
            ),
            ("trends: {private: [Article]}\n", "trends: {}\n", "loses: trends: what was counted of Article"),
            ("trends: {}\n", "trends: {metrics: true}\n", "reveals: trends: "),
            // An entry that is added says itself what it shows; one that is left out as well does not.
            (
                "trends: {private: [Article]}\n",
                "trends: {private: [Article], splits: [{type: Article, field: kind}]}\n", nil
            ),
            (
                "trends: {private: [Article]}\n", "trends: {splits: [{type: Article, field: kind}]}\n",
                "reveals: trends: values of field kind of Article"
            ),
            ("clients: {report: true, keepDays: 300}\n", "clients: {report: true}\n", "loses: clients: "),
            (
                "people: {signUp: closed}\n", "people: {signUp: open}\n",
                "opens: people: everybody can create an account"
            ),
            (
                "people: {signUp: open}\n", "people: {signUp: open, verifyEmail: false}\n",
                "opens: people: accounts are created without verifying"
            ),
            ("people: {signUp: open}\n", "people: {signUp: closed}\n", nil),
            // An audience that nothing names restricts nothing.
            ("audiences: {us: {country: [US]}}\n", "audiences: {us: {country: [US, CA]}}\n", nil),
        ])
    func asks(old: String, new: String, report: String?) throws {
        let folder = try Self.prepared()
        #expect(try Self.importing(old, folder, "--yes").status == 0)
        let outcome = try Self.importing(new, folder)
        #expect(outcome.status == (report == nil ? 0 : 2), "\(outcome)")
        if let report {
            #expect(outcome.errors.contains(report), "\(outcome)")
            #expect(try Self.importing(new, folder, "--yes").errors.contains(report))
        }
    }

    @Test("What a section that is new in the file does is reported, and asks nobody")
    func added() throws {
        let folder = try Self.prepared()
        let outcome = try Self.importing(Self.content + "people: {signUp: open}\n", folder)
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.errors.contains("opens: people: everybody can create an account"), "\(outcome)")
    }

    @Test(
        "An audience that widens asks if content, messages or flags name it, and says which; one that narrows does not")
    func audiences() throws {
        let folder = try Self.prepared()
        let settings = Self.content + "flags: {type: FeatureFlag}\n"
        func audience(_ condition: String) -> String {
            settings + "audiences: {us: \(condition), north: {any: [{audience: us}, {country: [IS]}]}}\n"
        }
        #expect(try Self.importing(audience("{country: [US]}"), folder).status == 0)
        try folder.nephos("flag", "create", Self.id, "tipJar", "--default", "false")
        try folder.nephos(
            "flag", "rule", "add", Self.id, "tipJar", "--when", #"{"audience":"us"}"#, "--serve", "on")
        try folder.nephos(
            "records", "create", Self.id, "--record-type", "Article", "--record-name", "a", "--fields-json",
            #"{"audience":{"value":"north"}}"#)
        let wider = try Self.importing(audience("{country: [US, CA]}"), folder)
        #expect(wider.status == 2, "\(wider)")
        #expect(
            wider.errors.contains("reveals: audiences: us includes other people: it is named by FeatureFlag tipJar"),
            "\(wider)")
        #expect(
            wider.errors.contains("reveals: audiences: north includes other people: it is named by Article a"),
            "\(wider)")
        #expect(try Self.importing(audience("{country: [US, CA]}"), folder, "--yes").status == 0)
        // A flag decides what somebody gets, and fewer people get one of its variants: others get another one.
        let narrow = audience("{all: [{country: [US]}, {app: \">=2\"}]}")
        let narrower = try Self.importing(narrow, folder)
        #expect(
            narrower.status == 2
                && narrower.errors.contains("reveals: audiences: us includes fewer people: it is named by FeatureFlag"),
            "\(narrower)")
        try folder.nephos("flag", "delete", Self.id, "tipJar", "--yes")
        let harmless = try Self.importing(narrow, folder)
        #expect(
            harmless.status == 0
                && harmless.errors.contains("hides: audiences: north includes fewer people: it is named by Article a"),
            "\(harmless)")
        // Nor is anything hidden if fewer people are excluded.
        try folder.nephos(
            "records", "update", Self.id, "--record-name", "a", "--fields-json",
            #"{"audience":{"value":"{\"not\":{\"audience\":\"north\"}}"}}"#)
        let excluded = try Self.importing(audience("{all: [{country: [US]}, {app: \">=2\"}, {os: \"9\"}]}"), folder)
        #expect(excluded.status == 2 && excluded.errors.contains("named by Article a"), "\(excluded)")
    }
}
