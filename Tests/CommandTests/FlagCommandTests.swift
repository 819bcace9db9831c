import Foundation
import NephosTesting
import Testing

/// docs/flags.md, "Commands": command lines as operators type them.
@Suite("The commands for flags, from the command line") struct FlagCommandTests {
    private static let id = DataFolder.container

    @Test("A flag is created, targeted, rolled out, explained, switched and restored") func typed() throws {
        let folder = try DataFolder.prepared()
        func run(_ words: String...) throws -> Outcome { try folder.run(["flag"] + words) }
        #expect(try run("list", Self.id).errors.contains("Create the first with: nephos flag create"))
        let made = try run(
            "create", Self.id, "tipJar", "--default", "false", "--owner", "ada", "--expires", "2099-01-01")
        #expect(
            made.status == 0 && made.errors.hasPrefix("Created flag tipJar in development, which is off.\n"), "\(made)")
        #expect(
            try run("rule", "add", Self.id, "tipJar", "--when", #"{"locale":"es"}"#, "--serve", "off", "--id", "es")
                .status == 0)
        #expect(try run("rollout", Self.id, "tipJar", "12.5").status == 0)
        let rules = try run("rule", "list", Self.id, "tipJar", "--output", "json").output
        #expect(
            rules == #"[{"id":"es","when":{"locale":"es"},"serve":"off"},"#
                + #"{"id":"rollout","serve":{"split":{"on":12500,"off":87500}}}]"# + "\n")
        #expect(
            try run("on", Self.id, "tipJar").errors
                == "Flag tipJar is on in development.\nEverybody else gets true (on) or false (off) by rule rollout.\n")
        let why = try run("explain", Self.id, "tipJar", "--context", #"{"locale":"es-MX","targetingKey":"d1"}"#).output
        #expect(why.contains("TARGETING_MATCH") && why.contains("rollout"), "\(why)")
        #expect(try run("schedule", Self.id, "tipJar", "off", "2099-01-01 00:00 Europe/Berlin").status == 0)
        #expect(try run("history", Self.id, "tipJar").output.split(separator: "\n").count == 6)
        #expect(try run("revert", Self.id, "tipJar", "1").status == 0)
        #expect(try run("show", Self.id, "tipJar").output.contains("rollout") == false)
        #expect(try run("stale", Self.id).errors == "No flag is stale.\n")
        #expect(
            try run("rule", "remove", Self.id, "tipJar", "es").errors.hasPrefix("Error: Flag tipJar has no rule es."))
        let refused = try run("copy", Self.id, "--from", "development", "--to", "production", "--dry-run")
        #expect(refused.status == 1 && refused.errors.contains("nephos schema deploy"), "\(refused)")
        #expect(try folder.run(["schema", "deploy", Self.id]).status == 0)
        #expect(
            try run("copy", Self.id, "--from", "development", "--to", "production").errors.hasPrefix("Copied 1 flag."))
        #expect(try run("list", Self.id, "--environment", "production").output.contains("tipJar"))
        let rollout = try run("rollout", Self.id, "tipJar", "5", "--environment", "production").errors
        #expect(
            rollout.hasPrefix("In production, flag tipJar serves 5 %")
                && rollout.contains("nephos flag on \(Self.id) --environment production tipJar"), "\(rollout)")
        #expect(try folder.run(["check"]).status == 0)
    }

    @Test("A record with all switches becomes flags, and mirrors their values afterwards") func mirror() throws {
        let folder = try DataFolder.prepared()
        let record = [Self.id, "--record-type", "AppFeatures", "--record-name", "current"]
        let fields = #"{"tipJar":{"value":1},"dark":{"value":0}}"#
        #expect(try folder.run(["records", "create"] + record + ["--fields-json", fields]).status == 0)
        let imported = try folder.run(["flag", "import", Self.id, "AppFeatures", "current"])
        #expect(
            imported.status == 0 && imported.output.contains("created, on") && imported.output.contains("created, off"))
        try "version: 1\nflags: {type: FeatureFlag, mirror: {type: AppFeatures, record: current}}\n".write(
            toFile: folder.folder.path + "/settings.yaml", atomically: true, encoding: .utf8)
        #expect(try folder.run(["settings", "import", Self.id, "FOLDER/settings.yaml", "--yes"]).status == 0)
        #expect(try folder.run(["flag", "off", Self.id, "tipJar"]).status == 0)
        #expect(try folder.run(["flag", "on", Self.id, "dark"]).status == 0)
        let shown = try folder.run(["records", "get", Self.id, "--record-name", "current"]).output
        #expect(shown.contains(#""dark":{"type":"INT64","value":1}"#), "\(shown)")
        #expect(shown.contains(#""tipJar":{"type":"INT64","value":0}"#), "\(shown)")
        #expect(try folder.run(["check"]).status == 0)
    }

    @Test("Flags whose section was removed from the settings are not denied, and the way back is named") func removed()
        throws
    {
        let folder = try DataFolder.prepared()
        #expect(try folder.run(["flag", "create", Self.id, "tipJar", "--default", "true"]).status == 0)
        try "version: 1\n".write(toFile: folder.folder.path + "/empty.yaml", atomically: true, encoding: .utf8)
        #expect(try folder.run(["settings", "import", Self.id, "FOLDER/empty.yaml", "--yes"]).status == 0)
        let listed = try folder.run(["flag", "list", Self.id])
        #expect(listed.status == 0 && listed.errors.contains("have no section flags, so records of type FeatureFlag"))
        #expect(listed.errors.contains("nephos settings import \(Self.id) FILE"), "\(listed)")
        #expect(try folder.run(["flag", "on", Self.id, "tipJar"]).errors.contains("have no section flags"))
    }

    @Test("A build fails on an unknown flag and reports its position") func sources() throws {
        let folder = try DataFolder.prepared()
        #expect(try folder.run(["flag", "create", Self.id, "tipJar", "--default", "true"]).status == 0)
        #expect(try folder.run(["flag", "generate", Self.id, "FOLDER/Flags.swift"]).status == 0)
        #expect(try folder.run(["flag", "check", Self.id, "FOLDER"]).status == 0)
        try #"let a = FeatureFlag(id: "gone", default: true, name: "")"#.write(
            toFile: folder.folder.path + "/a.swift", atomically: true, encoding: .utf8)
        let failed = try folder.run(["flag", "check", Self.id, "FOLDER"])
        #expect(
            failed.status == 1 && failed.output.contains("a.swift:1") && failed.output.contains("gone"), "\(failed)")
    }
}
