import CloudKitWire
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

/// What those do and learn who are in shares of somebody else (docs/protocol.md, "Shares").
@Suite("Members of shares") struct ShareMemberTests {
    private let people: SharingCloud

    init() async throws { people = try await SharingCloud() }

    /// Shares `root` with both others. - Returns: The address.
    @discardableResult
    private func share(friend: String = "READ_WRITE", third: String = "READ_ONLY") throws -> String {
        let share = try people.modify([
            people.share(
                "Share-1", of: "root", [people.participant(.friend, friend), people.participant(.third, third)])
        ])[0]
        let guid = try #require(share["shortGUID"].string)
        for person in [SharingCloud.Person.friend, .third] { _ = try people.accept(guid, as: person) }
        return guid
    }

    private func modify(_ operations: [String], as person: SharingCloud.Person = .friend) throws -> [JSON] {
        try people.ok(
            "shared/records/modify",
            #"{"zoneID":\#(people.zoneID),"atomic":false,"operations":[\#(operations.joined(separator: ","))]}"#,
            as: person)[
                "records"
            ].elements
    }

    private func look(_ name: String, as person: SharingCloud.Person = .friend) throws -> JSON {
        try people.ok(
            "shared/records/lookup", #"{"zoneID":\#(people.zoneID),"records":[{"recordName":"\#(name)"}]}"#, as: person)[
                "records"][0]
    }

    private func code(_ answer: [JSON]) -> [String] { answer.map { $0["serverErrorCode"].string ?? "" } }

    @Test("Who may write changes, creates and deletes records of the share; the owner sees who did it")
    func writing() throws {
        try share()
        let tag = try #require(try look("a")["recordChangeTag"].string)
        let changed = try modify([people.save("a", kind: "update", text: "by a friend", tag: tag)])[0]
        #expect(changed["fields"]["text"]["value"] == "by a friend", "\(changed)")
        #expect(changed["recordChangeTag"].string?.count == 16 && changed["recordChangeTag"].string != tag)
        #expect(changed["modified"]["userRecordName"].string == people.name(.friend))
        #expect(changed["zoneID"]["ownerRecordName"].string == people.name(.owner))
        let stale = try modify([people.save("a", kind: "update", text: "late", tag: tag)])
        #expect(code(stale) == ["CONFLICT"])
        let ownTag = try #require(try people.record("a")["recordChangeTag"].string)
        #expect(code(try modify([people.save("a", kind: "update", text: "x", tag: ownTag)])) == ["CONFLICT"])
        let created = try modify([people.save("new", parent: "b"), people.save("newer", parent: "new")])
        #expect(code(created) == ["", ""], "\(created)")
        #expect(try people.seen(by: .third) == ["root", "a", "b", "new", "newer"])
        #expect(try people.record("new")["created"]["userRecordName"].string == people.name(.friend))
        #expect(
            code(try modify([people.delete("newer"), people.save("root", kind: "forceUpdate", text: "top")])) == [
                "", "",
            ])
        #expect(try people.record("root")["parent"]["recordName"] == "above", "what a member does not see stays")
        #expect(try people.seen(by: .friend) == ["root", "a", "b", "new"])
        #expect(code(try modify([people.save("new", parent: "a", kind: "forceUpdate")])) == [""], "a move inside")
        try expectSound()
    }

    @Test("Nothing leaves or enters a share by its members, and what is hidden stays hidden")
    func edges() throws {
        try share()
        let other = try people.modify([people.share("Share-2", of: "other", [people.participant(.friend)])])[0]
        _ = try people.accept(try #require(other["shortGUID"].string), as: .friend)
        let before = try people.record("Share-1")["recordChangeTag"].string
        let rows: [(what: String, operation: String, code: String)] = [
            ("no parent", people.save("x"), "ACCESS_DENIED"),
            ("a hidden parent", people.save("x", parent: "hidden"), "VALIDATING_REFERENCE_ERROR"),
            ("a missing parent", people.save("x", parent: "missing"), "VALIDATING_REFERENCE_ERROR"),
            ("a taken name", people.save("hidden", parent: "a"), "EXISTS"),
            ("a hidden record", people.save("hidden", kind: "forceUpdate", text: "x"), "ACCESS_DENIED"),
            (
                "out of the share",
                people.save("b", kind: "forceUpdate").replacing(#""fields""#, with: #""parent":null,"fields""#),
                "ACCESS_DENIED"
            ),
            ("into another share", people.save("b", parent: "other", kind: "forceUpdate"), "ACCESS_DENIED"),
            ("above the root", people.save("root", parent: "b", kind: "forceUpdate"), "ACCESS_DENIED"),
            ("the root goes", people.delete("root"), "ACCESS_DENIED"),
            ("the list", people.share("Share-1", of: nil, [], tag: "0000000000000000"), "ACCESS_DENIED"),
            ("a new share", people.share("Share-9", of: "b"), "BAD_REQUEST"),
            ("a hidden record goes", people.delete("hidden"), ""),
        ]
        for row in rows {
            let answer = try modify([row.operation, people.save("a", kind: "forceUpdate")])
            #expect(code(answer) == [row.code, ""], "\(row.what): \(answer)")
            #expect(!"\(answer)".contains("text of hidden"), "\(row.what)")
        }
        for operation in [
            people.save("a", kind: "forceUpdate", text: "x"), people.save("y", parent: "a"), people.delete("b"),
        ] {
            #expect(code(try modify([operation], as: .third)) == ["ACCESS_DENIED"], "a reader: \(operation)")
        }
        #expect(try people.record("hidden")["fields"]["text"]["value"] == "text of hidden")
        #expect(try people.record("Share-1")["recordChangeTag"].string == before)
        #expect(try people.seen(by: .friend) == ["root", "a", "b", "other"])
        try expectSound()
    }

    @Test("Nothing is deleted along with others that must stay: neither a share, nor its root by a member")
    func cascades() throws {
        try share()
        func refer(_ name: String, to target: String, _ action: String, parent: String? = nil) -> String {
            #"""
            {"operationType":"forceUpdate","record":{"recordName":"\#(name)","recordType":"Note",
            "fields":{"next":{"value":{"recordName":"\#(target)","action":"\#(action)"},"type":"REFERENCE"}}
            \#(parent.map { #","parent":{"recordName":"\#($0)"}"# } ?? "")}}
            """#
        }
        let cover = people.share("Share-7", of: "other").replacing(
            #""fields":{"#,
            with: #""fields":{"cover":{"value":{"recordName":"hidden","action":"DELETE_SELF"},"type":"REFERENCE"},"#)
        #expect(code(try people.modify([cover])) == ["BAD_REQUEST"])
        #expect(code(try modify([people.save("x", parent: "Share-1")])) == ["BAD_REQUEST"], "below a share")
        #expect(code(try modify([refer("x", to: "Share-1", "VALIDATE", parent: "a")])) == ["BAD_REQUEST"])
        // The root refers to a record below it, and all below it is deleted.
        #expect(code(try modify([refer("root", to: "b", "DELETE_SELF")])) == [""])
        let gone = try people.ok(
            "shared/records/modify",
            #"{"zoneID":\#(people.zoneID),"operations":[\#(people.delete("b")),\#(people.delete("a"))]}"#, as: .friend)
        #expect(code(gone["records"].elements).contains("ACCESS_DENIED"), "\(gone)")
        #expect(try people.seen(by: .third) == ["root", "a", "b"])
        #expect(code(try people.modify([people.delete("b"), people.delete("a")])) == ["", ""], "the owner may")
        #expect(try people.record("Share-1")["serverErrorCode"] == "NOT_FOUND")
        #expect(try people.seen(by: .friend) == nil)
        try expectSound()
    }

    @Test("A member's reference binds nothing to a record that they do not see")
    func bound() throws {
        try share()
        func refer(_ name: String, to target: String) -> String {
            #"""
            {"operationType":"create","record":{"recordName":"\#(name)","recordType":"Note","parent":{"recordName":"a"},
            "fields":{"next":{"value":{"recordName":"\#(target)","action":"DELETE_SELF"},"type":"REFERENCE"}}}}
            """#
        }
        var reasons: Set<String> = []
        for target in ["hidden", "absent"] {
            let refused = try modify([refer("x", to: target)])[0]
            #expect(refused["serverErrorCode"] == "VALIDATING_REFERENCE_ERROR", "\(refused)")
            reasons.insert(refused["reason"].string?.replacing(target, with: "it") ?? "")
        }
        #expect(reasons.count == 1 && reasons.first?.contains("DELETE_SELF") == true, "\(reasons)")
        #expect(code(try modify([refer("x", to: "b"), refer("y", to: "x")])) == ["", ""])
        #expect(code(try people.modify([people.delete("hidden"), people.delete("b")])) == ["", ""])
        #expect(try people.seen(by: .friend) == ["root", "a"])
        try expectSound()
    }

    @Test("In a zone that is shared as a whole, who may write does so without parents")
    func zone() throws {
        let share = try people.modify([
            people.share(
                "cloudkit.zoneshare", of: nil, [people.participant(.friend), people.participant(.third, "READ_ONLY")])
        ])[0]
        let guid = try #require(share["shortGUID"].string)
        for person in [SharingCloud.Person.friend, .third] { _ = try people.accept(guid, as: person) }
        #expect(code(try modify([people.save("x"), people.delete("other")])) == ["", ""])
        #expect(code(try modify([people.save("z")], as: .third)) == ["ACCESS_DENIED"])
        #expect(code(try modify([people.delete("cloudkit.zoneshare"), people.save("w")])) == ["ACCESS_DENIED", ""])
        #expect(try people.seen(by: .third)?.contains("x") == true)
        #expect(code(try modify([people.delete("cloudkit.zoneshare")])) == [""])
        #expect(try people.seen(by: .friend) == nil && people.seen(by: .third) != nil)
        try expectSound()
    }

    @Test(
        "Public has its default zone only, private custom zones too, shared those of others; all else is refused (S1-5)"
    )
    func databases() throws {
        func codes(_ path: String, _ body: String) throws -> String? {
            let answer = try people.json(path, body, as: .owner)
            return answer["serverErrorCode"].string ?? answer["zones"][0]["serverErrorCode"].string
        }
        for scope in ["public", "shared"] {
            #expect(
                try codes(
                    "\(scope)/zones/modify",
                    #"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"New"}}}]}"#)
                    == "BAD_REQUEST")
            #expect(try codes("\(scope)/zones/lookup", #"{"zones":[{"zoneName":"Notes"}]}"#) == "ZONE_NOT_FOUND")
            #expect(
                try codes("\(scope)/records/lookup", #"{"zoneID":{"zoneName":"Notes"},"records":[{"recordName":"a"}]}"#)
                    == "ZONE_NOT_FOUND")
        }
        #expect(
            try codes("private/zones/lookup", #"{"zones":[{"zoneName":"Notes"},{"zoneName":"_defaultZone"}]}"#) == nil)
        #expect(try codes("public/zones/lookup", #"{"zones":[{"zoneName":"_defaultZone"}]}"#) == nil)
        #expect(try codes("shared/zones/lookup", #"{"zones":[{"zoneName":"_defaultZone"}]}"#) == "ZONE_NOT_FOUND")
        #expect(try codes("shared/records/lookup", #"{"records":[{"recordName":"a"}]}"#) == "BAD_REQUEST")
        try share()
        #expect(
            try people.ok("shared/zones/lookup", #"{"zones":[\#(people.zoneID)]}"#, as: .friend)["zones"][0]["zoneID"][
                "zoneName"] == "Notes")
    }

    @Test("Who leaves a share is not in it any more; the others are, and records stay")
    func leaving() async throws {
        let guid = try share()
        _ = try modify([people.save("mine", parent: "a")])
        let token = try #require(try people.ok("shared/changes/database", "{}", as: .friend)["syncToken"].string)
        #expect(code(try modify([people.delete("Share-1")])) == [""])
        #expect(try people.seen(by: .friend) == nil)
        #expect(try people.seen(by: .third) == ["root", "a", "b", "mine"])
        let list = try people.record("Share-1")["participants"].elements
        #expect(
            list.compactMap(\.["userIdentity"]["userRecordName"].string) == [people.name(.owner), people.name(.third)])
        #expect(try people.ok("shared/zones/list", "{}", as: .friend)["zones"].elements.isEmpty)
        let gone = try people.ok("shared/changes/database", #"{"syncToken":"\#(token)"}"#, as: .friend)["zones"]
            .elements
        #expect(gone.map(\.["deleted"]) == [.bool(true)])
        #expect(try people.accept(guid, as: .friend)["serverErrorCode"] == "ACCESS_DENIED")
        await people.cloud.runDueJobs()
        #expect(try people.ok("shared/zones/list", "{}", as: .friend)["zones"].elements.isEmpty)
        try expectSound()
    }

    @Test("Members are notified of changes, and of why a zone is not there any more")
    func announcements() async throws {
        func changes(_ token: inout String?, as person: SharingCloud.Person) throws -> [String] {
            let answer = try people.cloudJSON(
                "shared/changes/database", token.map { #"{"syncToken":"\#($0)"}"# } ?? "{}", as: person)
            token = answer["syncToken"].string
            return answer["zones"].elements.map {
                ($0["zoneID"]["zoneName"].string ?? "") + ($0["deletedReason"].string.map { " \($0)" } ?? "")
            }
        }
        var (friend, third): (String?, String?) = (nil, nil)
        try share()
        await people.cloud.runDueJobs()
        #expect(try changes(&friend, as: .friend) == ["Notes"] && changes(&third, as: .third) == ["Notes"])
        #expect(try changes(&friend, as: .friend) == [])
        try people.modify([people.save("hidden", kind: "forceUpdate", text: "x")])
        await people.cloud.runDueJobs()
        #expect(try changes(&friend, as: .friend) == [], "what is not shared changes nothing")
        try people.modify([people.save("b", kind: "forceUpdate", text: "x")])
        await people.cloud.runDueJobs()
        #expect(try changes(&friend, as: .friend) == ["Notes"] && changes(&third, as: .third) == ["Notes"])
        let tag = try people.record("Share-1")["recordChangeTag"].string
        try people.modify([people.share("Share-1", of: nil, [people.participant(.third)], tag: tag)])
        await people.cloud.runDueJobs()
        #expect(try changes(&friend, as: .friend) == ["Notes REMOVED"] && changes(&third, as: .third) == ["Notes"])
        for list in [[people.participant(.third), people.participant(.friend)], [people.participant(.third)]] {
            let tag = try people.record("Share-1")["recordChangeTag"].string
            try people.modify([people.share("Share-1", of: nil, list, tag: tag)])
        }
        await people.cloud.runDueJobs()
        #expect(try changes(&friend, as: .friend) == [] && changes(&third, as: .third) == ["Notes"])
        try people.modify([people.delete("Share-1")])
        await people.cloud.runDueJobs()
        #expect(try changes(&friend, as: .friend) == [] && changes(&third, as: .third) == ["Notes UNSHARED"])
        try share()
        await people.cloud.runDueJobs()
        #expect(try changes(&friend, as: .friend) == ["Notes"] && changes(&third, as: .third) == ["Notes"])
        try people.modify([people.delete("b"), people.delete("a"), people.delete("root")])
        await people.cloud.runDueJobs()
        #expect(
            try changes(&friend, as: .friend) == ["Notes DELETED"] && changes(&third, as: .third) == ["Notes DELETED"])
        let share = try people.modify([people.share("Share-5", of: "other", [people.participant(.friend)])])[0]
        _ = try people.accept(try #require(share["shortGUID"].string), as: .friend)
        #expect(try changes(&friend, as: .friend) == ["Notes"])
        try people.ok(
            "private/zones/modify",
            #"{"operations":[{"operationType":"delete","zone":{"zoneID":{"zoneName":"Notes"}}}]}"#,
            as: .owner)
        #expect(try people.seen(by: .friend) == nil)
        await people.cloud.runDueJobs()
        #expect(try changes(&friend, as: .friend) == ["Notes DELETED"])
        try expectSound()
    }

    @Test("Whoever is removed and invited again within a moment is notified of the removal")
    func again() async throws {
        try share()
        await people.cloud.runDueJobs()
        var token = try people.cloudJSON("shared/changes/database", "{}", as: .friend)["syncToken"].string
        for list in [[], [people.participant(.friend)]] {
            let tag = try people.record("Share-1")["recordChangeTag"].string
            try people.modify([people.share("Share-1", of: nil, list, tag: tag)])
        }
        await people.cloud.runDueJobs()
        let answer = try people.cloudJSON(
            "shared/changes/database", #"{"syncToken":"\#(try #require(token))"}"#, as: .friend)
        token = answer["syncToken"].string
        #expect(answer["zones"].elements.map(\.["deletedReason"].string) == ["REMOVED"])
        try expectSound()
    }

    private func expectSound() throws {
        let findings = try people.cloud.check()
        #expect(findings.isEmpty, "\(findings)")
    }

    // docs/protocol.md SH4, SH5
    @Test("An administrator who may only read names participants, who may read, too")
    func readingAdministrator() throws {
        let friend = people.participant(.friend, "READ_ONLY", type: "ADMINISTRATOR")
        let share = try people.modify([people.share("Share-1", of: "root", [friend])])[0]
        let guid = try #require(share["shortGUID"].string, "\(share)")
        _ = try people.accept(guid, as: .friend)
        func edit(_ permission: String) throws -> JSON {
            let tag = try people.json(
                "shared/records/lookup", #"{"zoneID":\#(people.zoneID),"records":[{"recordName":"Share-1"}]}"#,
                as: .friend)["records"][0]["recordChangeTag"].string
            return try modify([
                people.share("Share-1", of: nil, [friend, people.participant(.third, permission)], tag: tag)
            ])[0]
        }
        #expect(try edit("READ_WRITE")["serverErrorCode"] == "ACCESS_DENIED")
        #expect(try people.accept(guid, as: .third)["serverErrorCode"] == "ACCESS_DENIED")
        let named = try edit("READ_ONLY")
        #expect(named["participants"].elements.count == 3, "\(named)")
        _ = try people.accept(guid, as: .third)
        #expect(try people.seen(by: .third) == ["root", "a", "b"])
        #expect(code(try modify([people.save("a", kind: "forceUpdate")])) == ["ACCESS_DENIED"])
        try expectSound()
    }

    @Test(
        "An administrator names and removes participants; the owner says who is one, who visits, and when the share ends"
    )
    func administrators() async throws {
        let friend = people.participant(.friend, type: "ADMINISTRATOR")
        let third = people.participant(.third, "READ_ONLY")
        let share = try people.modify([people.share("Share-1", of: "root", [friend])])[0]
        let guid = try #require(share["shortGUID"].string, "\(share)")
        let joined = try people.accept(guid, as: .friend)
        #expect(joined["participantType"] == "ADMINISTRATOR", "\(joined)")
        #expect(try people.accept(guid, as: .third)["serverErrorCode"] == "ACCESS_DENIED")

        func asFriend(_ operation: String) throws -> JSON {
            try people.json(
                "shared/records/modify", #"{"zoneID":\#(people.zoneID),"operations":[\#(operation)]}"#, as: .friend)[
                    "records"][0]
        }
        func tag(as person: SharingCloud.Person) throws -> String? {
            try people.json(
                "shared/records/lookup", #"{"zoneID":\#(people.zoneID),"records":[{"recordName":"Share-1"}]}"#,
                as: person)[
                    "records"][0]["recordChangeTag"].string
        }
        func edit(_ participants: [String]?, permission: String? = nil) throws -> JSON {
            try asFriend(
                people.share("Share-1", of: nil, participants, permission: permission, tag: tag(as: .friend)))
        }
        let named = try edit([friend, third])
        #expect(named["participants"].elements.count == 3, "\(named)")
        #expect(try people.accept(guid, as: .third)["participantStatus"] == "ACCEPTED")
        #expect(try people.seen(by: .third) == ["root", "a", "b"])
        // The administrator sees all, another participant does not.
        let seen = try people.json(
            "shared/records/lookup", #"{"zoneID":\#(people.zoneID),"records":[{"recordName":"Share-1"}]}"#, as: .friend)
        #expect(seen["records"][0]["participants"].elements.count == 3)
        #expect(
            seen["records"][0]["participants"][2]["userIdentity"]["lookupInfo"]["userRecordName"].string
                == people.name(.third))
        let refused: [(what: String, answer: JSON)] = [
            (
                "a stale tag",
                try asFriend(people.share("Share-1", of: nil, [friend], tag: named["recordChangeTag"].string))
            ),
            ("another administrator", try edit([friend, people.participant(.third, type: "ADMINISTRATOR")])),
            ("themselves removed", try edit([third])),
            ("themselves demoted", try edit([people.participant(.friend), third])),
            (
                "themselves a reader",
                try edit([people.participant(.friend, "READ_ONLY", type: "ADMINISTRATOR"), third])
            ),
            ("public", try edit(nil, permission: "READ_ONLY")),
            ("the owner as somebody else", try edit([friend, people.participant(.owner)])),
            (
                "a change by a participant",
                try people.json(
                    "shared/records/modify",
                    #"{"zoneID":\#(people.zoneID),"operations":[\#(people.share("Share-1", of: nil, [third], tag: tag(as: .third)))]}"#,
                    as: .third)["records"][0]
            ),
            ("a share of their own", try asFriend(people.share("Share-2", of: "a", [third]))),
            (
                "the end, with something else",
                try people.json(
                    "shared/records/modify",
                    #"{"zoneID":\#(people.zoneID),"operations":[\#(people.delete("Share-1")),\#(people.delete("b"))]}"#,
                    as: .friend)[
                        "records"][0]
            ),
        ]
        for (what, answer) in refused { #expect(!answer["serverErrorCode"].isAbsent, "\(what): \(answer)") }
        #expect(try people.record("Share-1")["participants"].elements.count == 3)
        #expect(try people.seen(by: .third) == ["root", "a", "b"])

        let removed = try edit([friend])
        #expect(removed["participants"].elements.count == 2, "\(removed)")
        #expect(try people.seen(by: .third) == nil)
        // From the next request on they are none.
        let own = try people.record("Share-1")["recordChangeTag"].string
        try people.modify([people.share("Share-1", of: nil, [people.participant(.friend)], tag: own)])
        #expect(try edit([people.participant(.friend), third])["serverErrorCode"] == "ACCESS_DENIED")
        try expectSound()
    }
}
