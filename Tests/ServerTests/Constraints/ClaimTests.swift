import NephosTesting
import Testing

extension ServerTests {
    /// docs/constraints.md, "Rules about several records".
    @Suite struct ClaimTests {
        @Test(
            "Nobody can save a value that another record has, and the error names that record to those who can read it")
        func unique() throws {
            let own = try ConstraintContainer("{field: identifier, rule: unique}")
            let grace = try own.container.person("grace@example.org", name: "Grace Hopper")
            #expect(try own.save("a", ["identifier": value("1")]) == "")
            let refused =
                "identifier of Commun must be unique, and another record already has this value. Record 'a' conflicts with it."
            #expect(try own.save("b", ["identifier": value("1")], as: grace) == refused)
            let key = own.container.client(.key(try own.container.key()))
            #expect(try own.save("b", ["identifier": value("1")], as: key) == refused)
            let command = try own.command(
                "records", "create", own.container.id, "--record-type", "Commun", "--fields-json",
                #"{"identifier":{"type":"stringType","value":"1"}}"#)
            #expect(command.status != 0 && command.errors.contains(refused), "\(command)")
            #expect(
                try own.save("a", ["title": value("same")]) == "" && own.save("b", [:]) == ""
                    && own.save("c", [:]) == "")
            try own.check()
        }

        @Test("A save that does not touch a record's value keeps it, even while another save requests it")
        func unchanged() throws {
            let own = try ConstraintContainer(
                """
                {field: identifier, rule: unique}
                {rule: atMost, count: 1, where: {isCurrent: 1}}
                {rule: noOverlap, start: at, end: until, where: {kind: event}}
                """)
            let held: JSON = [
                "identifier": value("1"), "isCurrent": value(1), "kind": value("event"),
                "at": value(1_000, "TIMESTAMP"), "until": value(2_000, "TIMESTAMP"),
            ]
            let (title, event): (JSON, JSON) = (["title": value("x")], ["kind": value("event")])
            #expect(try own.save("a", held) == "")
            for (name, wanted) in [
                ("b", ["identifier": value("1")]), ("c", ["isCurrent": value(1)]), ("d", event),
            ] as [(String, JSON)] {
                let refused = "Record 'a' conflicts with it."
                let behind = try own.save([("a", title), (name, wanted)])
                #expect(behind[0] == "" && behind[1].hasSuffix(refused), "\(behind)")
                let before = try own.save([(name, wanted), ("a", held)])
                #expect(before[0].hasSuffix(refused) && before[1] == "", "\(before)")
            }
            try own.check()
            try own.delete("a")
            #expect(try own.save("b", held) == "")
            try own.check()
        }

        @Test("A person who cannot read the other record is not told its name")
        func unnamed() throws {
            let own = try ConstraintContainer("{field: identifier, rule: unique, message: It is taken.}")
            try own.container.importSchema(
                ConstraintContainer.schema.replacing(
                    #"GRANT READ TO "_world""#, with: #"GRANT READ, WRITE TO "_creator""#))
            let grace = try own.container.person("grace@example.org", name: "Grace Hopper")
            #expect(try own.save("a", ["identifier": value("1")]) == "")
            #expect(try own.save("b", ["identifier": value("1")], as: grace) == "It is taken.")
        }

        @Test("A value is free after a change, a deletion, a swap, a cascade, or the removal of its zone")
        func freed() throws {
            let own = try ConstraintContainer("{field: identifier, rule: unique}")
            #expect(try own.save([("a", ["identifier": value("1")]), ("b", ["identifier": value("2")])]) == ["", ""])
            #expect(try own.save([("a", ["identifier": value("2")]), ("b", ["identifier": value("1")])]) == ["", ""])
            #expect(try own.save("c", ["identifier": value("1")]) != "")
            try own.delete("b")
            #expect(try own.save("c", ["identifier": value("1")]) == "")
            #expect(
                try own.save("c", ["identifier": value(.null)]) == "" && own.save("d", ["identifier": value("1")]) == ""
            )
            // A dependent deletion.
            #expect(try own.save("e", ["identifier": value("3"), "author": reference("d", "DELETE_SELF")]) == "")
            try own.delete("d")
            #expect(try own.save("f", ["identifier": value("3")]) == "")
            // A zone, and one that is created again with its name.
            try own.ada.createZones("Notes")
            #expect(try own.save([("a", ["identifier": value("1")])], zone: "Notes", in: .private) == [""])
            #expect(try own.save([("b", ["identifier": value("1")])], zone: "Notes", in: .private) != [""])
            try own.ada.deleteZones("Notes")
            try own.ada.createZones("Notes")
            #expect(try own.save([("b", ["identifier": value("1")])], zone: "Notes", in: .private) == [""])
            try own.check()
        }

        @Test("Of two operations in a request for the same value the first gets it, and none if the batch is atomic")
        func batch() throws {
            let own = try ConstraintContainer("{field: identifier, rule: unique}")
            let both = try own.save([("a", ["identifier": value("1")]), ("b", ["identifier": value("1")])])
            #expect(both[0] == "" && both[1].contains("'a' conflicts with it"))
            // A rejected change keeps its previous value, so that no other record gets it.
            let three = try own.save([
                ("c", ["identifier": value("2")]), ("a", ["identifier": value("2")]), ("d", ["identifier": value("1")]),
            ])
            #expect(three[0] == "" && three[1] != "" && three[2] != "", "\(three)")
            try own.ada.createZones("Notes")
            let atomic = try own.save(
                [("a", ["identifier": value("1")]), ("b", ["identifier": value("1")])], zone: "Notes", atomic: true,
                in: .private)
            #expect(atomic.allSatisfy { !$0.isEmpty })
            #expect(try own.ada.lookUp("a")["serverErrorCode"] == "NOT_FOUND")
            try own.check()
        }

        @Test("Private databases and their zones are independent")
        func scopes() throws {
            let own = try ConstraintContainer("{field: identifier, rule: unique}")
            let grace = try own.container.person("grace@example.org", name: "Grace Hopper")
            let fields: JSON = ["identifier": value("1")]
            try own.ada.createZones("Notes", "More")
            #expect(try own.save("a", fields) == "" && own.save("a", fields, in: .private) == "")
            #expect(try own.save("a", fields, as: grace, in: .private) == "")
            #expect(try own.save([("a", fields)], zone: "Notes", in: .private) == [""])
            #expect(try own.save([("a", fields)], zone: "More", in: .private) == [""])
            #expect(
                try own.save([("b", fields)], zone: "More", in: .private)
                    == [
                        "identifier of Commun must be unique, and another record already has this value. Record 'a' conflicts with it."
                    ])
            try own.check()
        }

        @Test("The number of records that match a rule is limited, for every writer (S2-28)")
        func atMost() throws {
            let own = try ConstraintContainer(
                """
                {rule: atMost, count: 1, where: {isCurrent: 1}}
                {rule: atMost, count: 2, group: [slot], where: {kind: news}}
                """)
            #expect(try own.save("a", ["isCurrent": value(1)]) == "" && own.save("b", ["isCurrent": value(0)]) == "")
            #expect(
                try own.save("b", ["isCurrent": value(1)])
                    == "there can be at most 1 Commun with isCurrent 1. Record 'a' conflicts with it.")
            // The article's way: the flag of one record is cleared while that of another is set.
            #expect(try own.save([("b", ["isCurrent": value(1)]), ("a", ["isCurrent": value(0)])]) == ["", ""])
            let news: JSON = ["kind": value("news"), "slot": value("main")]
            #expect(try own.save([("c", news), ("d", news), ("e", news)]).map(\.isEmpty) == [true, true, false])
            #expect(try own.save("e", ["kind": value("news"), "slot": value("other")]) == "")
            #expect(try own.save("f", ["kind": value("news")]) == "" && own.save("g", ["kind": value("news")]) == "")
            try own.check()
        }

        @Test("Time ranges cannot overlap within a group, but can be adjacent")
        func stretches() throws {
            let own = try ConstraintContainer("{rule: noOverlap, start: at, end: until, group: [slot]}")
            func stretch(_ start: Int64?, _ end: Int64?, _ slot: String = "main") -> JSON {
                var fields: JSON = ["slot": value(.string(slot))]
                if let start { fields["at"] = value(.int(start), "TIMESTAMP") }
                if let end { fields["until"] = value(.int(end), "TIMESTAMP") }
                return fields
            }
            #expect(try own.save("a", stretch(1_000, 2_000)) == "" && own.save("b", stretch(2_000, 3_000)) == "")
            let refused =
                "at to until of Commun overlaps another record with the same slot. Record 'b' conflicts with it."
            #expect(try own.save("c", stretch(2_999, 4_000)) == refused)
            #expect(try own.save("c", stretch(2_500, nil)) == refused)
            #expect(try own.save("c", stretch(nil, 1_001)).contains("Record 'a' conflicts with it"))
            #expect(try own.save("c", stretch(500, 5_000)).contains("conflicts with it"))
            #expect(try own.save("c", stretch(1_500, 1_500)) == "until of Commun must be after at")
            #expect(try own.save("c", stretch(nil, nil, "other")) == "" && own.save("d", stretch(1, 2, "other")) != "")
            #expect(try own.save("d", stretch(3_000, nil)) == "" && own.save("e", stretch(nil, 1_000)) == "")
            // Two that swap places, and one that moves within its own.
            #expect(try own.save([("a", stretch(2_000, 3_000)), ("b", stretch(1_000, 2_000))]) == ["", ""])
            #expect(try own.save("b", stretch(1_200, 1_900)) == "" && own.save("f", stretch(1_000, 1_200)) == "")
            try own.delete("a")
            #expect(try own.save("b", stretch(1_200, 2_500)) == "")
            try own.check()
        }

        @Test("With drafts, a record without a start conflicts with nothing until it gets one")
        func drafts() throws {
            let own = try ConstraintContainer("{rule: noOverlap, start: at, end: until, group: [slot], drafts: true}")
            func stretch(_ start: Int64?, _ end: Int64?) -> JSON {
                var fields: JSON = ["slot": value("main")]
                if let start { fields["at"] = value(.int(start), "TIMESTAMP") }
                if let end { fields["until"] = value(.int(end), "TIMESTAMP") }
                return fields
            }
            #expect(try own.save([("a", stretch(nil, nil)), ("b", stretch(nil, 2_000))]) == ["", ""])
            #expect(try own.save("a", stretch(1_000, nil)) == "")
            #expect(try own.save("b", stretch(1_500, 2_000)).contains("Record 'a' conflicts with it"))
            #expect(try own.save("a", stretch(1_000, 1_500)) == "" && own.save("b", stretch(1_500, 2_000)) == "")
            try own.check()
        }

        @Test("A deleted record can be restored only if its value is free")
        func restored() throws {
            let own = try ConstraintContainer("{field: identifier, rule: unique}")
            #expect(try own.save([("a", ["identifier": value("1")]), ("b", ["identifier": value("2")])]) == ["", ""])
            try own.delete("a", "b")
            #expect(try own.save("c", ["identifier": value("1")]) == "")
            let one = try own.command("trash", "restore", own.container.id, "a")
            #expect(one.status != 0 && one.errors.contains("Record 'c' conflicts with it"), "\(one)")
            #expect(try own.command("trash", "restore", own.container.id, "b").status == 0)
            #expect(try own.save("d", ["identifier": value("2")]) != "")
            try own.delete("c")
            #expect(try own.command("trash", "restore", own.container.id, "a").status == 0)
            try own.check()
        }

        @Test("A deletion that is possible because the blocking save is rejected frees the value")
        func keptByNobody() throws {
            let own = try ConstraintContainer(
                """
                {field: identifier, rule: unique}
                {field: title, rule: length, max: 3}
                """)
            func child(_ identifier: String, of parent: String? = nil) -> JSON {
                var fields: JSON = ["identifier": value(.string(identifier))]
                if let parent { fields["author"] = reference(parent, "DELETE_SELF") }
                return fields
            }
            for refused: JSON in [["title": value("too long")], ["identifier": value("x")]] {
                #expect(
                    try own.save([
                        ("x", child("x")), ("p", [:]), ("q", child("q", of: "p")), ("c", child("c", of: "q")),
                    ])
                        == ["", "", "", ""])
                let answers = try own.ada.modify(
                    [
                        operation("forceDelete", "p"),
                        operation("forceUpdate", "q", type: "Commun", fields: refused),
                    ], zone: nil, in: .public)
                #expect(answers[0]["deleted"] == true && answers[1]["serverErrorCode"] == "BAD_REQUEST", "\(answers)")
                #expect(try own.ada.lookUp("c", zone: nil, in: .public)["serverErrorCode"] == "NOT_FOUND")
                #expect(try own.save([("d", child("c")), ("e", child("q"))]) == ["", ""])
                try own.check()
                try own.delete("x", "d", "e")
            }
        }

        @Test("A save that another rule rejects blocks no other")
        func refusedElsewhere() throws {
            let own = try ConstraintContainer(
                """
                {field: identifier, rule: unique}
                {field: title, rule: notEmpty}
                """)
            let same: JSON = ["identifier": value("1"), "title": value(" ")]
            let both = try own.save([("a", same), ("b", ["identifier": value("1"), "title": value("x")])])
            #expect(both[0] != "" && both[1] == "", "\(both)")
            try own.check()
        }

        @Test("A chain of changes whose last one fails changes nothing, and each of them fails")
        func chain() throws {
            let own = try ConstraintContainer("{field: identifier, rule: unique}")
            #expect(try own.save("outside", ["identifier": value("100")]) == "")
            let before = (0..<100).map { ("r\($0)", JSON.object([.init("identifier", value(.string("\($0)")))])) }
            #expect(try own.save(before).allSatisfy(\.isEmpty))
            let after = (0..<100).map { ("r\($0)", JSON.object([.init("identifier", value(.string("\($0 + 1)")))])) }
            #expect(try own.save(after).allSatisfy { !$0.isEmpty })
            #expect(try own.save("new", ["identifier": value("0")]) != "")
            try own.check()
        }

        @Test("A field that is removed and created again is a new one, even if it is only a condition")
        func removedFields() throws {
            let rule = "{rule: atMost, count: 1, where: {isCurrent: 1}}"
            let own = try ConstraintContainer(rule)
            #expect(try own.save("a", ["isCurrent": value(1)]) == "")
            #expect(try own.importSettings("version: 1\n").status == 0)
            try own.container.importSchema(ConstraintContainer.schema.replacing("isCurrent INT64,", with: ""))
            try own.container.importSchema(ConstraintContainer.schema)
            #expect(try own.keep(rule).status == 0)
            #expect(try own.save("b", ["isCurrent": value(1)]) == "")
            #expect(try own.save("c", ["isCurrent": value(1)]) != "")
            try own.check()
        }
    }
}
