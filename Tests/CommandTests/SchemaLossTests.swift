import Foundation
import NephosTesting
import Testing

/// docs/schema.md L47 to L49: an import that loses stored data asks first, and what settings use cannot be removed.
@Suite("Schemas that lose stored data") struct SchemaLossTests {
    private static let id = DataFolder.container
    private static let types = ["Article", "Note"].map { name in
        "RECORD TYPE \(name) (\"___recordID\" REFERENCE QUERYABLE, title STRING, stars INT64, \(grants));"
    }
    private static let grants = #"GRANT WRITE TO "_creator", GRANT CREATE TO "_icloud", GRANT READ TO "_world""#

    /// Two articles, and one in the trash; a note in a private database, without stars.
    private static func prepared() throws -> DataFolder { try prototype.get().copy() }

    private static let prototype = Result {
        let folder = try DataFolder.prepared()
        try write(types.joined(), folder)
        try folder.nephos("schema", "import", id, folder.folder.path + "/schema.ckdb")
        for name in ["a", "b", "c"] {
            try folder.nephos(
                "records", "create", id, "--record-type", "Article", "--record-name", name, "--fields-json",
                #"{"title":{"value":"A"},"stars":{"value":1}}"#)
        }
        try folder.nephos("records", "delete", id, "--record-name", "c", "--yes")
        let session = folder.folder.path + "/token"
        try writeSecret(session, try folder.nephos("session", "create", id, "mary@example.org"))
        try folder.nephos(
            "records", "create", id, "--record-type", "Note", "--record-name", "n", "--fields-json",
            #"{"title":{"value":"N"}}"#, "--database-type", "private", "--session", session)
        return folder
    }

    private static func write(_ types: String, _ folder: DataFolder) throws {
        try "DEFINE SCHEMA \(types)".write(
            toFile: folder.folder.path + "/schema.ckdb", atomically: true, encoding: .utf8)
    }

    @Test(
        "An import that loses records or values is refused without an answer, and says what and how much, as validate and a dry run do",
        arguments: [
            (types[1], ["record type Article: 2 records, and 1 in the trash"]),
            (types[0], ["record type Note: 1 record, 1 of them in private databases"]),
            (
                types.joined().replacing("stars INT64, ", with: ""),
                ["field stars of Article: values in 2 records, and in 1 in the trash"]
            ),
            (
                types.joined().replacing("title STRING, ", with: ""),
                [
                    "field title of Article: values in 2 records, and in 1 in the trash",
                    "field title of Note: values in 1 record, 1 of them in private databases",
                ]
            ),
            (
                "",
                [
                    "record type Article: 2 records, and 1 in the trash",
                    "record type Note: 1 record, 1 of them in private databases",
                ]
            ),
        ])
    func asked(types: String, losses: [String]) throws {
        let folder = try Self.prepared()
        try Self.write(types, folder)
        let before = try folder.run(["schema", "export", Self.id]).output
        func run(_ verb: String, _ options: String...) throws -> Outcome {
            try folder.run(["schema", verb, Self.id, "FOLDER/schema.ckdb"] + options)
        }
        let refused = try run("import")
        #expect(refused.status == 2 && refused.errors.contains("Pass --yes to skip the prompt."), "\(refused)")
        let checked = try run("validate")
        #expect(checked.status == 0 && checked.output == "✅ Schema is valid.\n", "\(checked)")
        let trial = try run("import", "--dry-run")
        #expect(trial.status == 0, "\(trial)")
        for loss in losses {
            for text in [refused.errors, checked.errors, trial.output] {
                #expect(text.contains("  \(loss)\n"), "\(text)")
            }
        }
        #expect(try folder.run(["schema", "export", Self.id]).output == before)
        #expect(try folder.run(["records", "get", Self.id, "--record-name", "a"]).output.contains("stars"))
        let sure = try run("import", "--yes")
        #expect(sure.status == 0 && losses.allSatisfy { sure.errors.contains($0) }, "\(sure)")
        #expect(try run("import").errors.contains("No changes."))
        #expect(try folder.run(["check"]).status == 0)
    }

    @Test("An import that removes types and fields without stored values does not ask")
    func harmless() throws {
        let folder = try Self.prepared()
        // No note has stars, and nothing has the type Draft.
        let types = Self.types[0] + Self.types[1].replacing("stars INT64, ", with: "")
        for text in [types + "RECORD TYPE Draft (a STRING);", types] {
            try Self.write(text, folder)
            let outcome = try folder.run(["schema", "import", Self.id, "FOLDER/schema.ckdb"])
            #expect(outcome.status == 0, "\(outcome)")
        }
    }

    @Test("A type that is removed and added again is empty, and removing it again loses nothing")
    func again() throws {
        let folder = try Self.prepared()
        for (text, options) in [(Self.types[1], ["--yes"]), (Self.types.joined(), []), (Self.types[1], [])] {
            try Self.write(text, folder)
            let outcome = try folder.run(["schema", "import", Self.id, "FOLDER/schema.ckdb"] + options)
            #expect(outcome.status == 0, "\(outcome)")
        }
    }

    @Test("A file without the type of flags is refused, with the section, the type and what to do")
    func flags() throws {
        let folder = try Self.prepared()
        try folder.nephos("flag", "create", Self.id, "tipJar", "--default", "false")
        // Records that nobody has stored are no reason: it is the type that flags need.
        try folder.nephos("flag", "delete", Self.id, "tipJar", "--yes")
        for verb in ["validate", "import"] {
            let refused = try folder.run(["schema", verb, Self.id, "FOLDER/schema.ckdb"])
            #expect(refused.status == 1, "\(refused)")
            #expect(
                refused.errors.contains(
                    "section flags of the settings uses record type FeatureFlag (flags.type), which this schema does not have. Nothing was changed: add it to the schema, or first import settings that do not use it with: nephos settings import"
                ), "\(refused)")
        }
        #expect(try folder.run(["flag", "create", Self.id, "tipJar", "--default", "false"]).status == 0)
    }
}
