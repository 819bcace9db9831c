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
        try (schema + messages).write(
            toFile: folder.folder.path + "/schema.ckdb", atomically: true, encoding: .utf8)
        try folder.nephos("schema", "import", id, folder.folder.path + "/schema.ckdb")
        #expect(try importing(content, folder).status == 0)
        try folder.nephos("schema", "deploy", id)
        return folder
    }

    /// Types of messages, and of their mirrors.
    private static let messages = """
        RECORD TYPE Message (
            kind STRING, title STRING, body STRING, buttons STRING, audience STRING, slot STRING,
            publishedAt TIMESTAMP, until TIMESTAMP, GRANT READ TO "_world"
        );
        RECORD TYPE Communs (\(mirrored));
        RECORD TYPE Notices (\(mirrored));

        """
    private static let mirrored = """
        title STRING, content STRING, imageLabel STRING, actionTitle STRING, cancelTitle STRING, okayTitle STRING,
            description STRING, type STRING, image ASSET, identifier INT64, version INT64, isCurrent INT64
        """

    private static func of(_ more: String) -> String { "messages: {type: Message, languages: [en]\(more)}\n" }

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

    /// From, to, a part of the report; nil if it does not ask.
    private static let changes: [(String, String, String?)] = [
        (content, content.replacing("access: access, ", with: ""), "reveals: content: records of type Article"),
        (
            content, content.replacing("until: until", with: "until: publishedAt, publishedAt: until"),
            "reveals: content: records of type Article that have ended become visible to everybody who may read the type"
        ),
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
        (
            "trends: {}\n", "trends: {metrics: true}\n",
            "reveals: trends: figures become visible to those who may read the server's metrics\n"
        ),
        ("trends: {metrics: true}\n", "trends: {}\n", nil),
        // An entry that is added says itself what it shows; one that is left out as well does not.
        (
            "trends: {private: [Article]}\n",
            "trends: {private: [Article], splits: [{type: Article, field: kind}]}\n", nil
        ),
        (
            "trends: {private: [Article]}\n", "trends: {splits: [{type: Article, field: kind}]}\n",
            "reveals: trends: values of field kind of Article"
        ),
        (
            "clients: {report: true, keepDays: 300}\n", "clients: {report: true}\n",
            "loses: clients: clients that have been absent for 90 days are forgotten, instead of 300\n"
        ),
        (
            "people: {signUp: closed}\n", "people: {signUp: open}\n",
            "opens: people: everybody can create an account"
        ),
        (
            "people: {signUp: open}\n", "people: {signUp: open, verifyEmail: false}\n",
            "opens: people: accounts are created without verifying"
        ),
        ("people: {signUp: open}\n", "people: {signUp: closed}\n", nil),
        // An app that names no slot shows the first.
        (
            of(", slots: [main, beta]"), of(", slots: [beta, main]"),
            "reveals: messages: apps that name no slot, and the mirror, show messages of slot beta\n"
        ),
        (of(""), of(", slots: [main, beta]"), nil),
        (of(", slots: [main, beta]"), of(""), nil),
        (of(", kinds: [website]"), of(", kinds: [website, email]"), nil),
        // What is left out may be what nobody has thought of.
        (
            of(", kinds: [website]"), of(""),
            "opens: messages: messages of kind information may be published\n"
        ),
        (of(""), "", "loses: messages: who has seen messages of type Message is forgotten 30 days later\n"),
        (of(", mirror: Communs"), of(""), nil),
        (
            of(", mirror: Communs"), of(", mirror: Notices"),
            "loses: messages: records of type Notices that are current are no longer\n"
        ),
        (
            "flags: {type: FeatureFlag}\n", "",
            "reveals: flags: flags of type FeatureFlag are no longer evaluated: clients use their default values\n"
        ),
        ("flags: {type: FeatureFlag}\n", "flags: {type: FeatureFlag, mirror: {type: A, record: b}}\n", nil),
        (
            "flags: {type: FeatureFlag, mirror: {type: A, record: b}}\n",
            "flags: {type: FeatureFlag, mirror: {type: A, record: c}}\n",
            "opens: flags: everybody who may write record c of type A switches flags\n"
        ),
        (
            "flags: {type: FeatureFlag, mirror: {type: A, record: b}}\n", "flags: {type: FeatureFlag}\n",
            "opens: flags: record b of type A is no longer checked when it is saved\n"
        ),
        // An audience that nothing names restricts nothing.
        ("audiences: {us: {country: [US]}}\n", "audiences: {us: {country: [US, CA]}}\n", nil),
    ]

    @Test(
        "What reveals, opens for writing, or loses what is stored asks; what hides or closes does not",
        arguments: changes)
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

    // docs/schema.md L41
    @Test(
        "A grant on a type that production has asks before a deploy, and says what it reveals and opens; an import lists it"
    )
    func grants() throws {
        let folder = try Self.prepared()
        let path = folder.folder.path + "/schema.ckdb"
        let plan = "RECORD TYPE Plan (title STRING, GRANT READ TO Admin);\n"
        let schema = try String(contentsOfFile: path, encoding: .utf8) + plan
        func importing(_ schema: String) throws -> Outcome {
            try schema.write(toFile: path, atomically: true, encoding: .utf8)
            let outcome = try folder.run(["schema", "import", Self.id, "FOLDER/schema.ckdb"])
            #expect(outcome.status == 0, "\(outcome)")
            return outcome
        }
        _ = try importing(schema)
        // Nobody has records of a type that is new.
        #expect(try folder.run(["schema", "deploy", Self.id]).status == 0)
        for (old, new, sentences) in [
            (
                #"GRANT CREATE TO "_icloud""#, #"GRANT CREATE, WRITE TO "_icloud""#,
                [
                    "reveals: records of type Article that are drafts, early or ended become visible to everybody who is signed in, who may change them\n",
                    "opens: records of type Article can be changed and deleted by everybody who is signed in\n",
                ]
            ),
            (
                plan, plan.replacing("Admin)", with: "Admin, GRANT READ TO \"_world\")"),
                ["reveals: records of type Plan become visible to everybody\n"]
            ),
        ] as [(String, String, [String])] {
            let changed = schema.replacing(old, with: new)
            #expect(changed != schema)
            let imported = try importing(changed)
            let trial = try folder.run(["schema", "deploy", Self.id, "--dry-run"])
            let deploy = try folder.run(["schema", "deploy", Self.id])
            #expect(trial.status == 0 && deploy.status == 2, "\(trial) \(deploy)")
            for sentence in sentences {
                for text in [imported.errors, trial.output, deploy.errors] {
                    #expect(text.contains(sentence), "\(text)")
                }
            }
            #expect(try folder.run(["schema", "deploy", Self.id, "--yes"]).status == 0)
            // The way back asks nobody; nor does what a role has had by another grant.
            _ = try importing(schema)
            #expect(try folder.run(["schema", "deploy", Self.id]).status == 0)
        }
        let world = #"GRANT READ TO "_world""#
        _ = try importing(schema.replacing(world, with: world + #", GRANT READ TO "_icloud""#))
        #expect(try folder.run(["schema", "deploy", Self.id]).status == 0)
    }

    @Test(
        "The rules of a flag name an audience, however they are written",
        arguments: [
            "\n[{\"when\":{\"audience\":\"us\"},\"serve\":\"on\"}]",
            "\t[{\"when\":{\"audience\":\"us\"},\"serve\":\"on\"}]",
            // More levels of JSON than other documents may have.
            "[{\"when\":" + String(repeating: "{\"all\":[", count: 15) + "{\"audience\":\"us\"}"
                + String(repeating: "]}", count: 15) + ",\"serve\":\"on\"}]",
        ])
    func spelling(rules: String) throws {
        let folder = try Self.prepared()
        func settings(_ condition: String) -> String {
            Self.content + "flags: {type: FeatureFlag}\naudiences: {us: \(condition)}\n"
        }
        #expect(try Self.importing(settings("{country: [US]}"), folder).status == 0)
        try folder.nephos("flag", "create", Self.id, "tipJar", "--default", "false")
        let text = String(decoding: try JSONEncoder().encode(rules), as: UTF8.self)
        try folder.nephos(
            "records", "update", Self.id, "--record-name", "tipJar", "--fields-json",
            #"{"rules":{"value":\#(text)}}"#)
        let wider = try Self.importing(settings("{country: [US, CA]}"), folder)
        #expect(
            wider.status == 2
                && wider.errors.contains(
                    "reveals: audiences: us includes other people: it is named by FeatureFlag tipJar"),
            "\(wider)")
    }

    @Test(
        "What is hidden, refused or added is listed as well, although it asks nobody",
        arguments: [
            (
                "trends: {metrics: true}\n", "trends: {}\n",
                "hides: trends: figures are no longer part of the server's metrics\n"
            ),
            (
                of(", slots: [main, beta]"), of(""),
                "hides: messages: messages of slot beta are no longer shown\n"
            ),
            (of(""), of(", slots: [main, beta]"), "reveals: messages: messages of slot beta are shown\n"),
            (
                of(", mirror: Communs"), of(""),
                "hides: messages: the current message no longer appears in a record of type Communs\n"
            ),
            (
                of(", kinds: [website]"), of(", kinds: [website, email]"),
                "opens: messages: messages of kind email may be published\n"
            ),
            (
                "flags: {type: FeatureFlag}\n", "flags: {type: FeatureFlag, mirror: {type: A, record: b}}\n",
                "opens: flags: everybody who may write record b of type A switches flags\n"
            ),
        ])
    func lists(old: String, new: String, report: String) throws {
        let folder = try Self.prepared()
        #expect(try Self.importing(old, folder, "--yes").status == 0)
        let outcome = try Self.importing(new, folder)
        #expect(outcome.status == 0 && outcome.errors.contains(report), "\(outcome)")
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
