import NephosTesting
import Testing

extension ServerTests {
    /// docs/constraints.md, "Rules about one record".
    @Suite struct ValueConstraintTests {
        static let cases: [(rule: String, fields: JSON, reason: String)] = [
            ("{field: content, rule: required}", ["title": value("a")], "content of Commun must have a value"),
            ("{field: content, rule: required}", ["content": value("")], ""),
            ("{field: content, rule: notEmpty, message: Content is missing.}", [:], "Content is missing."),
            (
                "{field: content, rule: notEmpty}", ["content": value(" \n")],
                "content of Commun must not be empty"
            ),
            (
                "{field: tags, rule: notEmpty}", ["tags": value([], "STRING_LIST")],
                "tags of Commun must not be empty"
            ),
            ("{field: tags, rule: notEmpty}", ["tags": value(["a"])], ""),
            ("{field: isCurrent, rule: boolean}", ["isCurrent": value(2)], "isCurrent of Commun must be 0 or 1"),
            ("{field: isCurrent, rule: boolean}", ["isCurrent": value(1)], ""),
            ("{field: isCurrent, rule: boolean}", [:], ""),
            ("{field: kind, rule: oneOf, values: [a, b]}", ["kind": value("c")], "kind of Commun must be one of: a, b"),
            ("{field: kind, rule: oneOf, values: [a, b]}", ["kind": value("b")], ""),
            (
                "{field: stars, rule: oneOf, values: [1, 3]}", ["stars": value(2)],
                "stars of Commun must be one of: 1, 3"
            ),
            (
                "{field: tags, rule: oneOf, values: [a, b]}", ["tags": value(["a", "x"])],
                "tags of Commun must be one of: a, b"
            ),
            ("{field: tags, rule: oneOf, values: [a, b]}", ["tags": value(["b", "a"])], ""),
            (
                "{field: stars, rule: range, min: 1, max: 5}", ["stars": value(6)],
                "stars of Commun must be at least 1 and at most 5"
            ),
            ("{field: stars, rule: range, min: 1, max: 5}", ["stars": value(5)], ""),
            (
                "{field: price, rule: range, min: 0.5}", ["price": value(0.25, "DOUBLE")],
                "price of Commun must be at least 0.5"
            ),
            (
                "{field: at, rule: range, min: 2027-03-07T08:00:00Z}", ["at": value(1_804_406_399_999, "TIMESTAMP")],
                "at of Commun must be at least 2027-03-07T08:00:00Z"
            ),
            ("{field: at, rule: range, min: 2027-03-07T08:00:00Z}", ["at": value(1_804_406_400_000, "TIMESTAMP")], ""),
            (
                "{field: title, rule: length, max: 3}", ["title": value("äöüß")],
                "title of Commun must have 0 to 3 characters, not 4"
            ),
            ("{field: title, rule: length, max: 4}", ["title": value("äöüß")], ""),
            (
                "{field: tags, rule: length, min: 2}", ["tags": value(["a"])],
                "tags of Commun must have at least 2 elements, not 1"
            ),
            (
                "{field: data, rule: length, max: 2}", ["data": value("AAAA")],
                "data of Commun must have 0 to 2 bytes, not 3"
            ),
            (
                "{field: title, rule: localized, languages: [en, es]}", ["title": value("en=No thanks|es=")],
                "title of Commun must have a text in es, in the form en=…|es=…"
            ),
            (
                "{field: title, rule: localized, languages: [en, es], form: packed}",
                ["title": value("es=No, gracias|en=No = thanks")], ""
            ),
            (
                "{field: title, rule: localized, languages: [en, es], form: json}",
                ["title": value(#"{"en":"No thanks","es":"No, gracias"}"#)], ""
            ),
            (
                "{field: title, rule: localized, languages: [en, es], form: json}", ["title": value("No thanks")],
                #"title of Commun must have a text in en, es, in the form {"en":"…","es":"…"}"#
            ),
            (
                "{field: author, rule: exists, message: Nobody wrote it.}", ["author": reference("nobody")],
                "Nobody wrote it."
            ),
            (
                "{field: author, rule: exists}", ["author": reference("nobody")],
                "author of Commun refers to a record that does not exist"
            ),
            ("{field: content, rule: required, where: {kind: news}}", ["kind": value("note")], ""),
            (
                "{field: content, rule: required, where: {kind: news}}", ["kind": value("news")],
                "content of Commun must have a value"
            ),
            (
                "{field: content, rule: required, where: {isCurrent: true}}", ["isCurrent": value(1)],
                "content of Commun must have a value"
            ),
        ]

        @Test(
            "A save that violates a rule is rejected with the rule's message, as a constraint error",
            arguments: cases)
        func judged(rule: String, fields: JSON, reason: String) throws {
            let own = try ConstraintContainer(rule)
            own.ada.headers.append(HTTPHeader("X-Nephos-Client", "1"))
            let answer = try own.ada.modify(
                operation("create", "a", type: "Commun", fields: fields), zone: nil, in: .public)
            #expect(answer["reason"].string ?? "" == reason, "\(answer)")
            if !reason.isEmpty {
                #expect(answer["serverErrorCode"] == "BAD_REQUEST" && answer["ckErrorCode"] == 19, "\(answer)")
            }
            #expect((try own.ada.lookUp("a", zone: nil, in: .public)["fields"].isAbsent) == !reason.isEmpty)
            try own.check()
        }

        @Test("A Boolean takes true and false and nothing else, in either database and whoever saves it (S2-27)")
        func booleans() throws {
            let own = try ConstraintContainer()
            let boolean = "{field: isCurrent, rule: boolean}"
            func save(_ name: String, _ json: JSON, as client: CloudKitClient? = nil, in database: Database) throws
                -> String
            { try own.save(name, ["isCurrent": ["value": json]], as: client, in: database) }
            // What is stored when it is declared is one, too.
            for wrong in [2, -1] as [Int64] {
                #expect(try save("old", .int(wrong), in: .public) == "")
                #expect(try own.keep(boolean).status == 1)
            }
            #expect(try save("old", false, in: .public) == "")
            try #require(try own.keep(boolean).status == 0)

            let key = own.container.client(.key(try own.container.key()))
            for (database, name, client) in [
                (Database.public, "a", own.ada), (.private, "a", own.ada), (.public, "of a key", key),
            ] {
                for (json, stored) in [(true, 1), (false, 0), (0, 0), (1, 1)] as [(JSON, JSON)] {
                    #expect(try save(name, json, as: client, in: database) == "")
                    let field = try client.lookUp(name, zone: nil, in: database)["fields"]["isCurrent"]
                    #expect(field["type"] == "INT64" && field["value"] == stored, "\(field)")
                }
                for json in [2, -1, .number("1.5"), .int(.max), "true", "1", "", ["value": true], [true]] as [JSON] {
                    let reason = try save(name, json, as: client, in: database)
                    #expect(reason.contains("isCurrent"), "\(json): \(reason)")
                }
                let record = try client.lookUp(name, zone: nil, in: database)
                #expect(record["fields"]["isCurrent"]["value"] == 1)
            }
            try own.check()
        }

        @Test("A record that references another in the same save, or an existing one, is saved")
        func exists() throws {
            let own = try ConstraintContainer("{field: author, rule: exists}")
            #expect(try own.save([("a", ["author": reference("b")]), ("b", [:])]) == ["", ""])
            #expect(try own.save("c", ["author": reference("a")]) == "")
            // It is checked when a reference is saved, and not when other records change.
            try own.delete("a")
            #expect(try own.save("c", ["title": value("x")]) == "")
            #expect(try own.save("d", ["author": reference("a")]) != "")
            try own.check()
        }

        @Test("Omitted fields count with their stored values, and in an atomic batch one violation fails all")
        func merged() throws {
            let own = try ConstraintContainer("{field: content, rule: notEmpty}")
            #expect(try own.save("a", ["content": value("x")]) == "")
            #expect(try own.save("a", ["title": value("y")]) == "")
            #expect(try own.save("a", ["content": value("")]) == "content of Commun must not be empty")
            try own.ada.createZones("Notes")
            let batch = try own.save(
                [("a", ["content": value("x")]), ("b", [:])], zone: "Notes", atomic: true, in: .private)
            #expect(batch[1] == "content of Commun must have a value" && batch[0] != "")
            #expect(try own.ada.lookUp("a")["serverErrorCode"] == "NOT_FOUND")
        }
    }
}
