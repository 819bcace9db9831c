import Foundation
import NephosTesting
import Testing

/// docs/schema.md, "Commands"; docs/roles.md.
@Suite("The commands for schemas, roles and records") struct SchemaCommandTests {
    typealias Scenario = FaceTests.Scenario
    private static let id = DataFolder.container

    /// With the schema imported, the role given to Mary, and two articles in the public database.
    private static func prepared() throws -> DataFolder { try prototype.get().copy() }

    /// Created once; every scenario uses a copy.
    private static let prototype = Result { try prototypeFolder() }

    private static func prototypeFolder() throws -> DataFolder {
        let folder = try DataFolder.prepared()
        let file = folder.folder.path + "/schema.ckdb"
        try folder.nephos("schema", "import", id, file)
        try folder.nephos("role", "assign", id, "Admin", "mary@example.org")
        for (name, stars) in [("a", 1), ("b", 2)] {
            try folder.nephos(
                "records", "create", id, "--record-type", "Article", "--record-name", name, "--fields-json",
                #"{"title":{"type":"stringType","value":"\#(name.uppercased())"},"stars":{"value":\#(stars)}}"#)
        }
        return folder
    }

    private static let record = #"\{"recordName":"a","recordType":"Article",.*\}\n"#

    @Test(arguments: [
        Scenario("schema validate \(id) FOLDER/schema.ckdb", 0, output: "✅ Schema is valid\\.\n"),
        Scenario("schema import \(id) FOLDER/schema.ckdb", 0, errors: "No changes."),
        Scenario("schema export \(id)", 0, output: "DEFINE SCHEMA\n\n    CREATE ROLE Admin;(.|\n)+"),
        Scenario("schema export \(id) FOLDER/out.ckdb", 0),
        Scenario(
            "schema export \(id) --environment production", 0, output: "DEFINE SCHEMA\n\n    RECORD TYPE Users(.|\n)+"),
        Scenario(
            "schema deploy \(id) --dry-run", 0, output: "Record types and fields:\n(.|\n)+Permissions:\n(.|\n)+",
            errors: "Nothing was changed. Deploy it with: nephos schema deploy \(id)"),
        Scenario("schema deploy \(id)", 0, errors: "+ role Admin"),
        Scenario("schema reset \(id) --yes", 0, errors: "no records"),
        Scenario("role assign \(id) Admin mary@example.org", 0, errors: "already held role Admin in production"),
        Scenario("role revoke \(id) Admin mary@example.org --environment development", 0, errors: "lost role Admin"),
        Scenario(
            "role list \(id)", 0,
            output: "who +environment +user record +roles\n(mary@example\\.org .+ _[0-9a-f]{32}  Admin.*\n){2}"),
        Scenario("role list \(id) mary@example.org", 0, output: "who .+\n(mary.+\n){2}"),
        Scenario(
            "role explain \(id) Article", 0,
            output: "who +right +may +why\nanybody +read +yes +GRANT READ TO _world\n(.|\n)+"),
        Scenario(
            "role explain \(id) Article mary@example.org", 0,
            output: "(.|\n)+mary@example.org +write +yes +GRANT WRITE TO Admin\n(.|\n)+"),
        Scenario("role preset \(id) Article admin-only", 0, errors: "- grant CREATE to \"_icloud\" on Article"),
        Scenario("role preset \(id) Article admin-only --role Chief+Editor", 0, errors: "+ role \"Chief Editor\""),
        Scenario("role preset \(id) Article author-edits", 0, errors: "nephos schema deploy \(id)"),
        Scenario("role preset \(id) Article signed-in", 0, errors: "+ grant READ to \"_icloud\" on Article"),
        Scenario("role preset \(id) Article drop-box", 0, errors: "+ grant READ to \"_creator\" on Article"),
        Scenario("role preset \(id) Article drop-box --role Clerk", 0, errors: "+ role Clerk"),
        Scenario("stats \(id)", 0, output: "type +public records(.+)\nArticle +2 (.+)\nUsers +1 (.+)\n"),
        Scenario(
            "stats \(id) --people", 0,
            output:
                "person +user record +public records(.+)\n(.+)\n(.+\n)*mary@example\\.org +_[0-9a-f]{32} +1 (.+)\n(.+\n)*"
        ),
        Scenario("stats \(id) --people --limit 1", 0, output: "person(.+)\n.+\n"),
        Scenario("index build \(id) Article title stars:desc", 0, errors: "title stars:desc"),
        Scenario("reindex \(id)", 0, errors: "Rebuilt"),
        Scenario("trash list \(id)", 0, errors: "The trash is empty."),
        Scenario("records get \(id) --record-name a", 0, output: record),
        Scenario(
            "records get \(id) --record-name a --output table --requested-fields stars", 0,
            output: "recordName +stars\na +1\n"),
        Scenario(
            "records query \(id) --record-type Article --output table", 0,
            output: "recordName +stars +title\na +1 +A\nb +2 +B\n"),
        Scenario(
            "records query \(id) --record-type Article --filters stars+>=+2 title+==+B --sort-by stars+DESC", 0,
            output: #"\{"records":\[\{"recordName":"b".+\]\}\n"#),
        Scenario(
            "records query \(id) --record-type Article --limit 1", 0,
            output: #"\{"records":\[\{"recordName":"a".+\],"continuationToken":".+"\}\n"#),
        Scenario(
            "records query \(id) --record-type Article --filters title+==+stringType:2021-01-01", 0,
            output: #"\{"records":\[\]\}\n"#),
        Scenario(
            "records create \(id) --record-type Article --fields-file FOLDER/fields", 0,
            output: #"\{"recordName":"[0-9A-F-]{36}".+\}\n"#),
        Scenario("records delete \(id) --record-name a --yes", 0, errors: "nephos trash restore \(id) a"),
        Scenario(
            "records update \(id) --record-name a --fields-file FOLDER/fields --remove stars --output table", 0,
            output: "recordName +title\na +C\n"),
        Scenario("schema allow \(id) Article title searchable", 0, errors: "nephos schema deploy \(id)"),
        Scenario(
            "schema allow \(id) Article title queryable sortable", 0,
            errors: "Queries can already use the field in this way."),
    ])
    func whatWasAskedForGoesAloneToStandardOutput(_ scenario: Scenario) throws {
        let folder = try Self.prepared()
        try "{\"title\":{\"value\":\"C\"}}".write(
            toFile: folder.folder.path + "/fields", atomically: true, encoding: .utf8)
        try scenario.check(in: folder)
    }

    @Test(arguments: [
        Scenario("schema validate \(id) FOLDER/text", 1, errors: "❌ Schema validation failed: Encountered"),
        Scenario("schema import \(id) FOLDER/text", 1, errors: "Was expecting:\n    \"DEFINE\""),
        Scenario("schema import \(id) FOLDER/none", 1, errors: "Cannot read FOLDER/none."),
        Scenario("schema import iCloud.x FOLDER/schema.ckdb", 1, errors: "nephos container create iCloud.x"),
        Scenario(
            "schema import \(id) FOLDER/schema.ckdb --environment production", 1,
            errors: "BadRequestException: endpoint not applicable in the environment 'production'"),
        Scenario(
            "schema validate \(id) FOLDER/schema.ckdb --environment production", 1, errors: "nephos schema deploy"),
        Scenario("schema export \(id) FOLDER/no/out", 1, errors: "Cannot write FOLDER/no/out"),
        Scenario(
            "role assign \(id) admin mary@example.org", 1, errors: "There is no role admin. The roles are: Admin."),
        Scenario("role assign \(id) Admin x@example.org", 1, errors: "nephos account create x@example.org"),
        Scenario("role explain \(id) None", 1, errors: "There is no record type None"),
        Scenario("role preset \(id) None signed-in", 1, errors: "nephos schema export \(id)"),
        Scenario(
            "lint \(id)", 1,
            output:
                "severity +subject .+\nerror +Article +role Admin .+ nephos role preset \(id) Article admin-only .+\n",
            errors: "1 error."),
        Scenario("records update \(id) --record-name none --remove title", 1, errors: "Record not found: none"),
        Scenario(
            "records update \(id) --record-name a --remove title --if-tag zz", 1,
            errors: "not zz. Nothing was saved. Read it with"),
        Scenario(
            "records update \(id) --record-name a --fields-json {\"stars\":{\"value\":\"x\"}}", 1, errors: "stars"),
        Scenario("schema allow \(id) None title queryable", 1, errors: "nephos schema export \(id)"),
        Scenario("schema allow \(id) Article color queryable", 1, errors: "It has: stars, title."),
        Scenario(
            "schema allow \(id) Article stars searchable", 1,
            errors: "stars cannot be SEARCHABLE: its type permits QUERYABLE, SORTABLE."),
        Scenario(
            "index drop \(id) Article title", 1,
            errors: "has no index on title of Article. See all with: nephos index list \(id)"),
        Scenario("index build \(id) Article none", 1, errors: "has no field none"),
        Scenario(
            "index build \(id) Article stars:words", 1,
            errors: "stars:words cannot be part of an index: a field of type INT64 cannot be searched for words."),
        Scenario("trash restore \(id) a", 1, errors: "contains no record a. See all with: nephos trash list \(id)"),
        Scenario(
            "trash restore \(id) --record-type None --deleted-after 2026-01-01T00:00:00Z", 1,
            errors: "There is no record type None"),
        Scenario("records get \(id) --record-name none", 1, errors: "Record not found: none"),
        Scenario(
            "push configure \(id) --team T --key-id ABC123DEFG --key FOLDER/secret --topic t", 1,
            errors: "The team id must be"),
        Scenario(
            "webhook create \(id) --url example.org --record-type Article", 1, errors: "The URL must be a complete URL"),
        Scenario("records query \(id) --record-type None", 1, errors: "There is no record type None in"),
        Scenario(
            "records create \(id) --record-type Article --record-name a --fields-json {}", 1, errors: "already exists"),
    ])
    func aFailureEndsWith1AndSaysWhatToDo(_ scenario: Scenario) throws {
        let folder = try Self.prepared()
        try writeSecret(folder.folder.path + "/secret", "no key")
        try scenario.check(in: folder)
    }

    private static let wrongUsage = [
        Scenario("schema", 2, errors: "SUBCOMMANDS"),
        Scenario("schema reset \(id)", 2, errors: "Pass --yes to skip the prompt."),
        Scenario("schema deploy \(id) --environment development", 2, errors: "--environment"),
        Scenario("role assign \(id) Admin mary@example.org --environment staging", 2, errors: "both"),
        Scenario("role preset \(id) Article everybody", 2, errors: "admin-only"),
        Scenario(
            "role preset \(id) Article signed-in --role Admin", 2, errors: "--role is only for admin-only and drop-box."
        ),
        Scenario("role preset \(id) Article admin-only --role _x", 2, errors: "\"_x\" is not a valid role name."),
        Scenario("index build \(id) Article", 2, errors: "fields"),
        Scenario("trash list \(id) --limit 0", 2, errors: "A limit must be at least 1."),
        Scenario("trash restore \(id)", 2, errors: "Pass either a record, or a type with --record-type."),
        Scenario("trash restore \(id) a --dry-run", 2, errors: "--dry-run need --record-type."),
        Scenario("trash restore \(id) --record-type Article", 2, errors: "Pass a time with --deleted-after"),
        Scenario(
            "trash restore \(id) --record-type Article --deleted-after yesterday", 2,
            errors: "yesterday is not a valid time."),
        Scenario("records delete \(id) --record-name a", 2, errors: "Pass --yes"),
        Scenario("records delete \(id) --record-name none --yes", 1, errors: "Record not found: none"),
        Scenario("records get \(id) --record-name a --database-type private", 2, errors: "nephos session create"),
        Scenario(
            "records query \(id) --record-type Article --filters stars", 2,
            errors: "A filter must be FIELD OPERATOR VALUE"),
        Scenario(
            "records query \(id) --record-type Article --filters stars+LIKE+1", 2, errors: "no operator LIKE."),
        Scenario(
            "records query \(id) --record-type Article --filters stars+==+doubleType:1e400", 2,
            errors: "This is not a valid number: 1e400"),
        Scenario(
            "records query \(id) --record-type Article --filters stars+==+1e400", 1, errors: "compare value type STRING"
        ),
        Scenario("records query \(id) --record-type Article --sort-by stars+UP", 2, errors: "A sort must be FIELD ASC"),
        Scenario(
            "records query \(id) --record-type Article --limit 0", 2, errors: "--limit must be from 1 to 200, not 0."
        ),
        Scenario("records create \(id) --record-type Article", 2, errors: "Pass one of --fields-json"),
        Scenario(
            "records query \(id) --record-type Article --requested-fields titel", 2,
            errors: "Article has no field titel. It has: stars, title."),
        Scenario(
            "records get \(id) --record-name a --requested-fields title,stars", 2,
            errors: "Article has no field title,stars. It has: stars, title. Pass fields one after the other"),
        Scenario("records update \(id) --record-name a --remove titel", 2, errors: "Article has no field titel."),
        Scenario(
            "records update \(id) --record-name a --remove createdTimestamp", 2,
            errors: "Article has no field createdTimestamp."),
        Scenario(
            "records export \(id) Article --requested-fields titel", 2, errors: "Article has no field titel."),
        Scenario(
            "webhook create \(id) --url https://example.org --record-type Article --field titel", 2,
            errors: "Article has no field titel."),
        Scenario(
            "records create \(id) --record-type Article --fields-json []", 2,
            errors: "The fields must be a JSON object, such as {\"title\":{\"value\":\"One\"}}"
        ),
    ]

    @Test(.onOneEngine, arguments: wrongUsage)
    func wrongUsageEndsWith2(_ scenario: Scenario) throws {
        try scenario.check(in: try Self.prepared())
    }

    @Test("An export can be imported, and exports the same again") func roundTrip() throws {
        let folder = try Self.prepared()
        let path = folder.folder.path + "/out.ckdb"
        try folder.nephos("schema", "export", DataFolder.container, path)
        let text = try readFile(path)
        #expect(try folder.run(["schema", "import", DataFolder.container, path]).errors == "No changes.\n")
        #expect(
            try folder.run(["schema", "export", DataFolder.container]).output == String(decoding: text, as: UTF8.self))
    }

    @Test("With --if-tag a record is changed only if its tag is unchanged") func ifTag() throws {
        let folder = try Self.prepared()
        let id = DataFolder.container
        func tag() throws -> String {
            let record = try JSON(parsing: folder.run(["records", "get", id, "--record-name", "a"]).output)
            return record["recordChangeTag"].string ?? ""
        }
        let update = ["records", "update", id, "--record-name", "a", "--fields-json", #"{"title":{"value":"New"}}"#]
        let first = try tag()
        let changed = try JSON(parsing: folder.run(update + ["--if-tag", first]).output)
        #expect(changed["fields"]["title"]["value"] == "New" && changed["fields"]["stars"]["value"] == 1)
        let now = try tag()
        #expect(changed["recordChangeTag"].string == now && now != first)
        let refused = try folder.run(update + ["--if-tag", first])
        #expect(
            refused.status == 1 && refused.errors.contains("its tag is \(now), not \(first). Nothing was saved."),
            "\(refused)")
        #expect(try folder.run(update).status == 0)
        #expect(try folder.run(update + ["--remove", "title"]).status == 2)
        #expect(try folder.run(["records", "update", id, "--record-name", "a"]).status == 2)
    }

    @Test("A deleted record is in the trash and can be restored") func trash() throws {
        let folder = try Self.prepared()
        let id = DataFolder.container
        let before = try folder.run(["records", "get", id, "--record-name", "a"]).output
        try folder.nephos("records", "delete", id, "--record-name", "a", "-y")
        #expect(try folder.run(["records", "get", id, "--record-name", "a"]).status == 1)
        let list = try folder.run(["trash", "list", id]).output
        #expect(
            try list.wholeMatch(of: Regex("record +type +deleted +by\na +Article +[0-9TZ:-]+ +-\n")) != nil, "\(list)")
        #expect(try folder.run(["trash", "restore", id, "a"]).output == "a\n")
        let after = try folder.run(["records", "get", id, "--record-name", "a"]).output
        #expect(before.contains(#""title":{"type":"STRING","value":"A"}"#))
        #expect(after.contains(#""title":{"type":"STRING","value":"A"}"#))
        #expect(try folder.run(["check", id]).status == 0)
    }

    @Test("All records of a type are restored from the trash, and those that cannot be are listed") func trashOfAType()
        throws
    {
        let folder = try Self.prepared()
        let id = DataFolder.container
        let restore = ["trash", "restore", id, "--record-type", "Article", "--deleted-after", "2026-01-01T00:00:00Z"]
        try folder.nephos("records", "delete", id, "--record-name", "a", "-y")
        let trial = try folder.run(restore + ["--dry-run"])
        #expect(trial.output == "record  what would happen\na       would be restored\n" && trial.status == 0)
        #expect(trial.errors == "1 of 1 records would be restored.\n")
        let done = try folder.run(restore)
        #expect(done.output.isEmpty && done.status == 0 && done.errors == "1 of 1 records were restored.\n")
        #expect(try folder.run(["records", "get", id, "--record-name", "a"]).status == 0)
        try folder.nephos("records", "delete", id, "--record-name", "a", "-y")
        let new = ["records", "create", id, "--record-type", "Article", "--record-name", "a", "--fields-json", "{}"]
        #expect(try folder.run(new).status == 0)
        let left = try folder.run(restore)
        #expect(left.output == "record  why not\na       a record with its name exists\n" && left.status == 1)
        #expect(left.errors.contains("0 of 1 records were restored.") && left.errors.contains("1 records were not"))
    }

    @Test("A person's private records are accessible with a session of that person") func privateRecords() throws {
        let folder = try Self.prepared()
        let id = DataFolder.container
        let token = folder.folder.path + "/token"
        try writeSecret(token, try folder.nephos("session", "create", id, "mary@example.org"))
        let own = ["--database-type", "private", "--session", token]
        let create = ["records", "create", id, "--record-type", "Article", "--record-name", "p", "--fields-json", "{}"]
        #expect(try folder.run(create + own).status == 0)
        #expect(
            try folder.run(["records", "get", id, "--record-name", "p"] + own).output.contains(#""recordName":"p""#))
        #expect(try folder.run(["records", "get", id, "--record-name", "p"]).status == 1)
        try writeSecret(token, "x")
        let wrong = try folder.run(["records", "get", id, "--record-name", "p"] + own)
        #expect(wrong.status == 1 && wrong.errors.contains("session"))
        let shared = try folder.run([
            "records", "get", id, "--record-name", "p", "--database-type", "shared", "--session", token,
        ])
        #expect(shared.status == 2 && shared.errors.contains("--zone-owner"), "\(shared)")
        let saved = try folder.run(create + ["--database-type", "shared", "--session", token])
        #expect(saved.status == 2 && saved.errors.contains("Please provide one of 'public' and 'private'."), "\(saved)")
    }
}

@Suite("Roles beside a running server", .onOwnThreads) struct RunningServerRoleTests {
    // docs/protocol.md SR3, G7
    @Test("Roles that an operator defines, assigns and revokes take effect with the next request (S0-23)") func atOnce()
        throws
    {
        let cloud = try TestCloud()
        let container = try cloud.container()
        let mary = try container.person("mary@example.org")
        func create(_ name: String) throws -> String? {
            let operation: JSON = [
                "operationType": "create",
                "record": ["recordName": .string(name), "recordType": "Article", "fields": [:]],
            ]
            let answer = try mary.post("records/modify", .public, ["operations": [operation]]).json
            return answer["records"][0]["serverErrorCode"].string
        }
        #expect(try create("a") == nil)
        try cloud.server.command("role", "preset", container.id, "Article", "admin-only")
        #expect(try create("b") == "ACCESS_DENIED")
        try cloud.server.command("role", "assign", container.id, "Admin", "mary@example.org")
        #expect(try create("c") == nil)
        try cloud.server.command("role", "revoke", container.id, "Admin", "mary@example.org")
        #expect(try create("d") == "ACCESS_DENIED")
        try cloud.server.command("schema", "reset", container.id, "--yes")
        #expect(try create("a") == nil, "development makes types again")
        #expect(try cloud.server.command.run(["check"]).status == 0)
    }
}
