import NephosTesting
import Testing

extension ServerTests {
    /// docs/constraints.md, "Setting them up".
    @Suite struct ConstraintImportTests {
        @Test("Rules that stored records violate are rejected with how many and which, and nothing changes")
        func broken() throws {
            let own = try ConstraintContainer()
            for number in 0..<12 {
                #expect(
                    try own.save("r\(number)", ["identifier": value("same"), "stars": value(.int(Int64(number)))]) == ""
                )
            }
            try own.ada.createZones("Notes")
            #expect(try own.save([("p", ["stars": value(99)])], zone: "Notes", in: .private) == [""])
            let result = try own.keep(
                """
                {field: identifier, rule: unique}
                {field: stars, rule: range, max: 9}
                {field: title, rule: length, max: 9}
                """)
            #expect(result.status == 1)
            #expect(
                result.errors.contains(
                    "Commun[0] unique of identifier: 11 of 13 records of Commun violate it: r1, r10, r11, r2, r3, r4, r5, r6, r7, r8, …"
                ),
                "\(result.errors)")
            #expect(
                result.errors.contains("Commun[1] range of stars: 3 of 13 records of Commun violate it: p, r10, r11"),
                "\(result.errors)")
            #expect(!result.errors.contains("Commun[2]") && result.errors.contains("Nothing was changed."))
            #expect(try own.save("new", ["identifier": value("same"), "stars": value(99)]) == "")
            #expect(try own.command("settings", "export", own.container.id).output == "version: 1\n")
            try own.check()
        }

        @Test("Existing records count, and removing a rule removes all of its claims")
        func before() throws {
            let own = try ConstraintContainer()
            try own.ada.createZones("Notes")
            for number in 0..<250 {
                let fields: JSON = ["identifier": value(.string("\(number)"))]
                if number % 2 == 0 {
                    #expect(try own.save([("r\(number)", fields)], zone: "Notes", in: .private) == [""])
                } else if number < 100 {
                    #expect(try own.save("r\(number)", fields) == "")
                }
            }
            #expect(try own.keep("{field: identifier, rule: unique}").status == 0)
            #expect(try own.save("x", ["identifier": value("7")]).contains("'r7' conflicts with it"))
            #expect(
                try own.save([("x", ["identifier": value("248")])], zone: "Notes", in: .private)[0].contains("'r248'"))
            try own.check()
            #expect(try own.importSettings("version: 1\n").errors.contains("  - constraints\n"))
            #expect(try own.save("x", ["identifier": value("7")]) == "")
            #expect(try own.keep("{field: identifier, rule: unique}").status == 1)
            try own.delete("r7")
            #expect(try own.keep("{field: identifier, rule: unique}").status == 0)
            #expect(try own.save("y", ["identifier": value("7")]).contains("'x' conflicts with it"))
            // A changed message does not change the rule.
            #expect(try own.keep("{field: identifier, rule: unique, message: Taken.}").status == 0)
            #expect(try own.save("y", ["identifier": value("7")]) == "Taken. Record 'x' conflicts with it.")
            try own.check()
        }

        @Test(
            "Invalid rules are rejected with their position, and nothing changes",
            arguments: [
                ("{field: content}", "line 4, column 7: constraints.Commun[0]: a constraint needs rule"),
                ("{rule: unique}", "rule unique needs field"),
                ("{field: content, rule: primary}", "rule must be one of"),
                ("{field: content, rule: oneOf}", "rule oneOf needs values"),
                ("{field: stars, rule: range, min: 5, max: 1}", "min must not be greater than max"),
                ("{field: stars, rule: range, min: tomorrow}", "expected a number or a time"),
                ("{field: title, rule: length, max: 1.5}", "whole numbers"),
                ("{field: title, rule: localized, languages: [xx_]}", "is not a valid language"),
                ("{rule: atMost, count: 0}", "expected 1 to 100"), ("{rule: atMost, count: 101}", "expected 1 to 100"),
                ("{rule: noOverlap, start: at, end: at}", "start and end must be different fields"),
                ("{field: content, rule: required, values: [a]}", "rule required does not take values"),
                (
                    "{field: nothing, rule: required}",
                    "Commun[0]: Commun has no field nothing. Nothing was changed: correct the settings"
                ),
                ("{field: content, rule: required, where: {nothing: 1}}", "Commun has no field nothing"),
                ("{field: secret, rule: required}", "secret is encrypted"),
                ("{field: title, rule: boolean}", "boolean needs INT64, but title is STRING"),
                ("{field: tags, rule: unique}", "unique needs"),
                ("{field: content, fields: [title], rule: unique}", "rule unique takes field or fields"),
                ("{field: content, rule: required}\n{field: content, rule: required}", "this constraint appears twice"),
            ])
        func meaningless(rules: String, reason: String) throws {
            let own = try ConstraintContainer()
            let result = try own.keep(rules)
            #expect(result.status == 1 && result.errors.contains(reason), "\(result.errors)")
            #expect(try own.command("settings", "export", own.container.id).output == "version: 1\n")
            #expect(
                try own.keep("{field: a, rule: required}", type: "Nothing").errors.contains(
                    "there is no record type Nothing"))
        }

        @Test(
            "A schema without a field that a constraint uses is rejected, until the settings drop the constraint",
            arguments: [
                (
                    "identifier STRING QUERYABLE",
                    "section constraints of the settings uses field identifier of Commun (constraints.Commun[0])"
                ),
                (
                    "isCurrent INT64",
                    "section constraints of the settings uses field isCurrent of Commun (constraints.Commun[1])"
                ),
                (
                    "slot STRING",
                    "section constraints of the settings uses field slot of Commun (constraints.Commun[2])"
                ),
                (nil, "section constraints of the settings uses record type Commun (constraints.Commun)"),
            ])
        func schemas(field: String?, reason: String) throws {
            let own = try ConstraintContainer(
                """
                {field: identifier, rule: unique}
                {field: title, rule: notEmpty, where: {isCurrent: 1}}
                {rule: noOverlap, start: at, end: until, group: [slot]}
                """)
            #expect(try own.save("a", ["identifier": value("1")]) == "")
            let before = try own.command("schema", "export", own.container.id).output
            let new = field.map { ConstraintContainer.schema.replacing($0, with: "other STRING") } ?? ""
            let folder = try TemporaryFolder(prefix: "nephos-schema")
            try writeFile(folder.path + "/schema", Array("DEFINE SCHEMA\n\(new)\n".utf8))
            for action in ["validate", "import"] {
                let result = try own.command("schema", action, own.container.id, folder.path + "/schema")
                #expect(result.status == 1 && result.errors.contains(reason), "\(result)")
                #expect(result.errors.contains("first import settings that do not use it"), "\(result)")
            }
            #expect(try own.command("schema", "export", own.container.id).output == before)
            #expect(try own.save("b", ["identifier": value("1")]).contains("'a' conflicts with it"))
            // A field that no constraint names may be removed.
            try own.container.importSchema(ConstraintContainer.schema.replacing("price DOUBLE,\n", with: ""))
            #expect(try own.importSettings("version: 1\n").status == 0)
            let result = try own.command("schema", "import", own.container.id, folder.path + "/schema", "--yes")
            #expect(result.status == 0, "\(result)")
            try own.check()
        }

        @Test(
            "A field that a constraint of production uses cannot be removed there, though development no longer uses it"
        )
        func kept() throws {
            let own = try ConstraintContainer("{field: identifier, rule: unique}", environment: "production")
            #expect(try own.command("schema", "deploy", own.container.id).status == 0)
            #expect(try own.save("a", ["identifier": value("1")]) == "")
            #expect(try own.importSettings("version: 1\n").status == 0)
            let folder = try TemporaryFolder(prefix: "nephos-schema")
            let new = ConstraintContainer.schema.replacing("identifier STRING QUERYABLE", with: "other STRING")
            try writeFile(folder.path + "/schema", Array("DEFINE SCHEMA\n\(new)\n".utf8))
            // What is active in production must be in the file.
            let result = try own.command("schema", "import", own.container.id, folder.path + "/schema")
            #expect(result.status == 1 && result.errors.contains("identifier"), "\(result)")
            #expect(try own.save("b", ["identifier": value("1")]).contains("'a' conflicts with it"))
            #expect(try own.command("schema", "deploy", own.container.id, "--yes").status == 0)
            #expect(try own.save("b", ["identifier": value("1")]) == "")
            try own.check()
        }

        @Test("A deploy whose rules production violates changes nothing there; otherwise the rules apply immediately")
        func deployed() throws {
            let own = try ConstraintContainer(environment: "production")
            #expect(try own.save([("a", ["identifier": value("1")]), ("b", ["identifier": value("1")])]) == ["", ""])
            #expect(try own.keep("{field: identifier, rule: unique}").status == 0)
            let more = ConstraintContainer.schema.replacing("content STRING", with: "content STRING, extra STRING")
            let folder = try TemporaryFolder(prefix: "nephos-schema")
            try writeFile(folder.path + "/schema", Array("DEFINE SCHEMA\n\(more)\n".utf8))
            #expect(try own.command("schema", "import", own.container.id, folder.path + "/schema").status == 0)
            let refused = try own.command("schema", "deploy", own.container.id)
            #expect(refused.status == 1, "\(refused)")
            #expect(refused.errors.contains("1 of 2 records of Commun violate it: b"), "\(refused)")
            let production = try own.command("schema", "export", own.container.id, "--environment", "production")
            #expect(!production.output.contains("extra"))
            #expect(try own.save("c", ["identifier": value("1")]) == "")
            try own.delete("b", "c")
            #expect(try own.command("schema", "deploy", own.container.id).status == 0)
            #expect(try own.save("b", ["identifier": value("1")]).contains("'a' conflicts with it"))
            try own.check()
            // The constraints there are copied back to development with the rest.
            #expect(try own.command("schema", "reset", own.container.id, "--yes").status == 0)
            try own.check()
        }
    }
}
