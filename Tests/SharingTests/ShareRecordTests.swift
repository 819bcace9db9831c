import CloudKitWire
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

/// Shares are records that their owners save (docs/protocol.md, "Shares").
@Suite("Share records") struct ShareRecordTests {
    private let people: SharingCloud

    init() async throws { people = try await SharingCloud() }

    @Test(
        "A stored record is shared with all below it, and says so; who is named joins by the address, which shows others nothing (S3-20)"
    )
    func share() throws {
        let answer = try people.modify([people.share("Share-1", of: "root", [people.participant(.friend)])])
        let share = answer[0]
        #expect(share["recordType"] == "cloudkit.share" && share["publicPermission"] == "NONE")
        #expect(share["fields"]["cloudkit.title"]["value"] == "Title of Share-1")
        #expect(share["fields"]["___participants"].isAbsent, "what the server keeps is not shown")
        #expect(share["participants"].elements.map(\.["type"].string) == ["OWNER", "USER"])
        #expect(share["participants"][1]["acceptanceStatus"] == "INVITED")
        #expect(share["participants"][1]["userIdentity"]["lookupInfo"]["userRecordName"].string == people.name(.friend))
        #expect(share["owner"]["userIdentity"]["userRecordName"].string == people.name(.owner))
        #expect(share["currentUserParticipant"]["type"] == "OWNER")
        let guid = try #require(share["shortGUID"].string)
        let root = try people.record("root")
        #expect(root["share"]["recordName"] == "Share-1" && root["share"]["zoneID"]["zoneName"] == "Notes")
        #expect(root["fields"]["___share"].isAbsent && root["parent"]["recordName"] == "above")
        #expect(try people.record("a")["share"].isAbsent)

        #expect(try people.seen(by: .friend) == nil, "an invitation shows nothing yet")
        let found = try people.resolve(guid, as: .friend)
        #expect(found["participantStatus"] == "INVITED" && found["databaseScope"] == "PRIVATE")
        #expect(
            found["rootRecordName"] == "root" && found["ownerIdentity"]["userRecordName"].string == people.name(.owner))
        #expect(found["rootRecord"]["parent"].isAbsent, "what is above is not shared")
        #expect(try people.resolve(guid, as: .third)["serverErrorCode"] == "NOT_FOUND")
        #expect(try people.accept(guid, as: .third)["serverErrorCode"] == "ACCESS_DENIED")
        for address in [guid, "https://example.org/share/x/\(guid)#Title", guid] {
            let joined = try people.accept(address, as: .friend)
            #expect(joined["participantStatus"] == "ACCEPTED" && joined["databaseScope"] == "SHARED", "\(joined)")
            #expect(joined["zoneID"]["ownerRecordName"].string == people.name(.owner))
            let own = joined["share"]["currentUserParticipant"]
            #expect(own["acceptanceStatus"] == "ACCEPTED" && own["permission"] == "READ_WRITE")
            #expect(joined["share"]["participants"].elements.count == 2, "the owner and oneself")
            #expect(own["userIdentity"]["lookupInfo"].isAbsent)
        }
        #expect(try people.seen(by: .friend) == ["root", "a", "b"])
        #expect(try people.seen(by: .third) == nil)
        #expect(try people.record("Share-1")["participants"][1]["acceptanceStatus"] == "ACCEPTED")
        let zones = try people.ok("shared/zones/list", "{}", as: .friend)["zones"].elements
        #expect(zones.map(\.["zoneID"]["ownerRecordName"].string) == [people.name(.owner)])
        let changed = try people.ok("shared/changes/database", "{}", as: .friend)
        #expect(changed["zones"].elements.map(\.["zoneID"]["zoneName"].string) == ["Notes"])
        let token = try #require(changed["syncToken"].string)
        let later = try people.ok("shared/changes/database", #"{"syncToken":"\#(token)"}"#, as: .friend)
        #expect(later["zones"].elements.isEmpty && later["syncToken"].string == token)
        try expectSound()
    }

    @Test("Root, records below it and the share can be new together, in any order; new records join")
    func together() throws {
        let operations = [
            people.share("Share-1", of: "new root", [people.participant(.friend)]),
            people.save("child", parent: "new root"),
            people.save("new root"), people.save("lone"),
        ]
        let answer = try people.modify(operations)
        #expect(answer.map { $0["serverErrorCode"].string } == [nil, nil, nil, nil], "\(answer)")
        #expect(answer[2]["share"]["recordName"] == "Share-1")
        _ = try people.accept(try #require(answer[0]["shortGUID"].string), as: .friend)
        #expect(try people.seen(by: .friend) == ["new root", "child"])
        try people.modify([people.save("grandchild", parent: "child"), people.save("more", parent: "lone")])
        #expect(try people.seen(by: .friend) == ["new root", "child", "grandchild"])
        try people.modify([people.save("more", parent: "child", kind: "forceUpdate")])
        #expect(try people.seen(by: .friend) == ["new root", "child", "grandchild", "more"])
        try people.modify([people.delete("grandchild")])
        #expect(try people.seen(by: .friend) == ["new root", "child", "more"])
        try expectSound()
    }

    @Test("As apps do it: the fetched root is saved along with its new share")
    func withRoot() throws {
        let tag = try #require(try people.record("root")["recordChangeTag"].string)
        let answer = try people.modify([
            people.save("root", kind: "update", text: "new", tag: tag),
            people.share("Share-1", of: "root", [people.participant(.friend)]),
        ])
        #expect(answer[0]["share"]["recordName"] == "Share-1" && answer[1]["shortGUID"].string != nil, "\(answer)")
        _ = try people.accept(try #require(answer[1]["shortGUID"].string), as: .friend)
        #expect(try people.seen(by: .friend) == ["root", "a", "b"])
        // A save of all fields keeps what the server keeps.
        try people.modify([people.save("root", kind: "forceReplace")])
        #expect(try people.record("root")["share"]["recordName"] == "Share-1")
        #expect(try people.seen(by: .friend) == ["root", "a", "b"])
        try expectSound()
    }

    @Test("The owner changes who participates, and takes access back at once")
    func participants() throws {
        let share = try people.modify([people.share("Share-1", of: "root", [people.participant(.friend)])])[0]
        let guid = try #require(share["shortGUID"].string)
        _ = try people.accept(guid, as: .friend)
        func update(_ participants: [String]?, _ permission: String? = nil) throws -> JSON {
            let tag = try people.record("Share-1")["recordChangeTag"].string
            return try people.modify([
                people.share("Share-1", of: nil, participants, permission: permission, tag: tag)
            ])[0]
        }
        let stale = try people.modify([
            people.share("Share-1", of: nil, [], tag: share["recordChangeTag"].string)
        ])[0]
        #expect(stale["serverErrorCode"] == "CONFLICT", "the acceptance changed it")
        let forced = try people.modify([people.share("Share-1", of: nil, [], kind: "forceUpdate")])[0]
        #expect(forced["serverErrorCode"] == "BAD_REQUEST", "a share is not overwritten blindly")

        var changed = try update([people.participant(.friend, "READ_ONLY"), people.participant(.third)])
        #expect(
            changed["participants"].elements.map(\.["permission"].string) == ["READ_WRITE", "READ_ONLY", "READ_WRITE"])
        #expect(
            changed["participants"].elements.map(\.["acceptanceStatus"].string) == ["ACCEPTED", "ACCEPTED", "INVITED"])
        #expect(try people.seen(by: .friend) == ["root", "a", "b"])
        changed = try update(nil)
        #expect(changed["participants"].elements.count == 3, "a list that is not sent stays")
        changed = try update([people.participant(.third)])
        #expect(try people.seen(by: .friend) == nil)
        #expect(try people.accept(guid, as: .friend)["serverErrorCode"] == "ACCESS_DENIED")
        _ = try people.accept(guid, as: .third)
        #expect(try people.seen(by: .third) == ["root", "a", "b"])
        _ = try update([people.participant(.third), people.participant(.friend)])
        #expect(try people.seen(by: .friend) == nil, "whoever was removed must accept again")
        _ = try people.accept(guid, as: .friend)
        #expect(try people.seen(by: .friend) == ["root", "a", "b"])
        try expectSound()
    }

    @Test("Who is named by an address joins if the address is theirs, however it is spelled")
    func addresses() throws {
        let named =
            #"{"type":"USER","permission":"READ_ONLY","userIdentity":{"lookupInfo":{"emailAddress":"Grace@EXAMPLE.org"}}}"#
        let share = try people.modify([people.share("Share-1", of: "root", [named])])[0]
        #expect(share["participants"][1]["userIdentity"]["lookupInfo"]["emailAddress"] == "Grace@EXAMPLE.org")
        #expect(share["participants"][1]["userIdentity"]["userRecordName"].isAbsent)
        let guid = try #require(share["shortGUID"].string)
        #expect(try people.resolve(guid, as: .third)["serverErrorCode"] == "NOT_FOUND")
        #expect(try people.accept(guid, as: .third)["serverErrorCode"] == "ACCESS_DENIED")
        #expect(try people.resolve(guid, as: .friend)["participantStatus"] == "INVITED")
        let joined = try people.accept(guid, as: .friend)
        #expect(joined["participantPermission"] == "READ_ONLY")
        #expect(
            joined["share"]["currentUserParticipant"]["userIdentity"]["userRecordName"].string == people.name(.friend))
        #expect(try people.seen(by: .friend) == ["root", "a", "b"])
        try expectSound()
    }

    private func named(_ address: String) -> String {
        #"{"type":"USER","permission":"READ_WRITE","userIdentity":{"lookupInfo":{"emailAddress":"\#(address)"}}}"#
    }

    @Test("Whoever was removed and is named again joins at once, before others were notified of the removal")
    func again() throws {
        var share = try people.modify([
            people.share("Share-1", of: "root", [people.participant(.friend, "READ_ONLY")])
        ])[0]
        let guid = try #require(share["shortGUID"].string)
        func list(_ participants: [String]) throws {
            share = try people.modify([
                people.share("Share-1", of: nil, participants, tag: people.record("Share-1")["recordChangeTag"].string)
            ])[0]
            #expect(share["serverErrorCode"].isAbsent, "\(share)")
        }
        _ = try people.accept(guid, as: .friend)
        for participant in [named("grace@example.org"), people.participant(.friend), named("Grace@Example.org")] {
            try list([])
            #expect(try people.seen(by: .friend) == nil)
            try list([participant])
            #expect(try people.seen(by: .friend) == nil)
            let joined = try people.accept(guid, as: .friend)
            #expect(joined["participantPermission"] == "READ_WRITE", "\(joined)")
            #expect(try people.seen(by: .friend) == ["root", "a", "b"])
        }
        try expectSound()
    }

    @Test("A person is in the list once, however they are named")
    func once() throws {
        let both = try people.modify([
            people.share("Share-1", of: "root", [named("grace@example.org"), named("Grace@EXAMPLE.org")])
        ])
        #expect(both[0]["serverErrorCode"] == "BAD_REQUEST" && both[0]["reason"].string?.contains("twice") == true)
        let list = [people.participant(.friend, "READ_ONLY"), named("Grace@EXAMPLE.org"), named("nobody@example.org")]
        let share = try people.modify([people.share("Share-1", of: "root", list)])[0]
        #expect(share["participants"].elements.count == 4, "an address says nothing about a user until they join")
        _ = try people.accept(try #require(share["shortGUID"].string), as: .friend)
        let joined = try people.record("Share-1")["participants"].elements
        #expect(joined.map(\.["acceptanceStatus"].string) == ["ACCEPTED", "ACCEPTED", "INVITED"], "\(joined)")
        #expect(joined[1]["userIdentity"]["userRecordName"].string == people.name(.friend))
        try expectSound()
    }

    @Test("A share that is public, or becomes so, names nobody new; whoever was invited before is not named any more")
    func publicNames() throws {
        let invited = [people.participant(.friend)]
        func refused(_ operation: String) throws {
            let response = try people.modify([operation])[0]
            #expect(response["serverErrorCode"] == "BAD_REQUEST", "\(response)")
            #expect(response["reason"].string?.contains("publicPermission") == true)
        }
        try refused(people.share("Share-1", of: "root", invited, permission: "READ_ONLY"))
        let tag = try people.modify([people.share("Share-1", of: "root", invited)])[0]["recordChangeTag"].string
        try refused(
            people.share("Share-1", of: nil, invited + [people.participant(.third)], permission: "READ_ONLY", tag: tag))
        let open = try people.modify([people.share("Share-1", of: nil, invited, permission: "READ_ONLY", tag: tag)])[0]
        #expect(open["participants"].elements.count == 1, "\(open)")
        try refused(people.share("Share-1", of: nil, invited, tag: open["recordChangeTag"].string))
        try expectSound()
    }

    @Test("A record is not shared any more if its share ends beside an operation on it that fails")
    func failingRoot() throws {
        let missing = #""parent":{"recordName":"missing"}"#
        let operations = [
            people.save("root"), people.save("root", kind: "update", tag: "zzz"),
            people.save("root", kind: "forceUpdate").replacing(#""fields""#, with: "\(missing),\"fields\""),
            #"{"operationType":"delete","record":{"recordName":"root","recordChangeTag":"zzz"}}"#,
        ]
        for (number, operation) in operations.enumerated() {
            let name = "Share-\(number)"
            let share = try people.modify([people.share(name, of: "root", [people.participant(.friend)])])[0]
            _ = try people.accept(try #require(share["shortGUID"].string, "\(share)"), as: .friend)
            let response = try people.modify([operation, people.delete(name)], atomic: false)
            #expect(
                response[0]["serverErrorCode"].string != nil && response[1]["deleted"] == .bool(true), "\(response)")
            #expect(try people.record("root")["share"].isAbsent, "\(operation)")
            #expect(try people.seen(by: .friend) == nil)
            try expectSound()
        }
        // One that does not fail.
        let share = try people.modify([people.share("Share-9", of: "root")])[0]
        #expect(share["serverErrorCode"].isAbsent)
        try people.modify([people.save("root", kind: "forceUpdate", text: "new"), people.delete("Share-9")])
        let root = try people.record("root")
        #expect(root["share"].isAbsent && root["fields"]["text"]["value"] == "new", "\(root)")
        try expectSound()
    }

    @Test("Nobody is recognized by an address that was not verified")
    func unverified() throws {
        let named =
            #"{"type":"USER","permission":"READ_ONLY","userIdentity":{"lookupInfo":{"emailAddress":"grace@example.org"}}}"#
        let share = try people.modify([people.share("Share-1", of: "root", [named])])[0]
        let guid = try #require(share["shortGUID"].string)
        let account = try #require(try people.cloud.engine.account(email: SharingCloud.Person.friend.email))
        let row = UnverifiedAccountRow(account: account.id, createdAt: 1)
        func change(_ body: @escaping (inout WriteSet) -> Void) throws {
            try people.cloud.engine.directory.commit(ReadSet()) { _ -> Decision<Void> in
                var writes = WriteSet()
                body(&writes)
                return .write(writes, ())
            }
        }
        try change { $0.put(row) }
        for endpoint in ["resolve", "accept"] {
            let body = #"{"shortGUIDs":[{"value":"\#(guid)"}]}"#
            func result(of person: SharingCloud.Person) throws -> JSON {
                try people.cloudJSON("public/records/\(endpoint)", body, as: person)["results"][0]
            }
            let refused = try result(of: .friend)
            #expect(refused["serverErrorCode"] == "NOT_FOUND" && refused["ckErrorCode"].int64 == 33, "\(refused)")
            #expect(refused["reason"].string?.contains("/recover") == true)
            #expect(try result(of: .third)["ckErrorCode"].int64 == (endpoint == "resolve" ? 11 : 10))
        }
        #expect(try people.seen(by: .friend) == nil)
        #expect(try people.record("Share-1")["participants"][1]["acceptanceStatus"] == "INVITED")
        try change { $0.remove(row) }
        _ = try people.accept(guid, as: .friend)
        #expect(try people.seen(by: .friend) == ["root", "a", "b"])
        try expectSound()
    }

    @Test("A conflict of a share has the share and the shared record; a record that is refused is not shared")
    func conflicts() throws {
        func modify(_ operations: [String], atomic: Bool = true) throws -> JSON {
            try people.cloudJSON(
                "private/records/modify",
                #"{"zoneID":{"zoneName":"Notes"},"atomic":\#(atomic),"operations":[\#(operations.joined(separator: ","))]}"#,
                as: .owner)["records"]
        }
        let share = try people.modify([people.share("Share-1", of: "root", [people.participant(.friend)])])[0]
        _ = try people.accept(try #require(share["shortGUID"].string), as: .friend)
        let stale = people.share("Share-1", of: nil, [], tag: share["recordChangeTag"].string)
        for atomic in [true, false] {
            let response = try modify([people.save("new", parent: "a"), stale], atomic: atomic)[1]
            #expect(response["serverErrorCode"] == "CONFLICT", "\(response)")
            #expect(response["serverRecord"]["participants"][1]["acceptanceStatus"] == "ACCEPTED")
            #expect(
                response["rootRecord"]["recordName"] == "root"
                    && response["rootRecord"]["parent"]["recordName"] == "above")
            #expect(response["rootRecord"]["recordChangeTag"] == (try people.record("root")["recordChangeTag"]))
        }
        let other = try people.record("other")["recordChangeTag"].string
        try people.modify([people.save("other", kind: "forceUpdate")])
        let both = [people.save("other", kind: "update", tag: other), people.share("Share-2", of: "other")]
        let response = try modify(both, atomic: false)
        #expect(response[0]["serverErrorCode"] == "CONFLICT" && response[1]["serverErrorCode"] == "BAD_REQUEST")
        #expect(response[1]["reason"].string?.contains("see its own error") == true, "\(response)")
        #expect(try modify(both)[1]["serverErrorCode"] == "ATOMIC_ERROR")
        #expect(try people.record("other")["share"].isAbsent)
        try expectSound()
    }

    @Test("A share ends with its record or its root; the address of a record stays the same (S3-16)")
    func ends() throws {
        var guids: Set<String> = []
        for round in 0..<2 {
            let share = try people.modify([people.share("Share-\(round)", of: "root", [people.participant(.friend)])])[
                0]
            let guid = try #require(share["shortGUID"].string)
            guids.insert(guid)
            _ = try people.accept(guid, as: .friend)
            #expect(try people.seen(by: .friend) == ["root", "a", "b"])
            try people.modify([people.delete("Share-\(round)")])
            #expect(try people.seen(by: .friend) == nil)
            #expect(try people.record("root")["share"].isAbsent)
            #expect(try people.accept(guid, as: .friend)["serverErrorCode"] == "ACCESS_DENIED")
            #expect(try people.resolve(guid, as: .owner)["serverErrorCode"] == "NOT_FOUND")
        }
        #expect(guids.count == 1)
        let other = try people.modify([people.share("Share-3", of: "other", [people.participant(.friend)])])[0]
        _ = try people.accept(try #require(other["shortGUID"].string), as: .friend)
        #expect(try people.seen(by: .friend) == ["other"])
        try people.modify([people.delete("other")])
        #expect(try people.record("Share-3")["serverErrorCode"] == "NOT_FOUND")
        #expect(try people.seen(by: .friend) == nil)
        // The zone can be shared now, because nothing in it is.
        #expect(try people.modify([people.share("cloudkit.zoneshare", of: nil)])[0]["serverErrorCode"].isAbsent)
        try expectSound()
    }

    @Test("A request that shares and ends the same, or a zone and its records, is refused without a trace")
    func contradictions() throws {
        let both = try people.modify([
            people.share("cloudkit.zoneshare", of: nil), people.share("Share-1", of: "root"),
        ])
        #expect(both.compactMap { $0["serverErrorCode"].string }.count == 2, "\(both)")
        let share = try people.modify([people.share("Share-2", of: "other", [people.participant(.friend)])])[0]
        let ending = try people.modify([
            people.delete("other"),
            people.share("Share-2", of: nil, [], tag: share["recordChangeTag"].string),
        ])
        #expect(ending.contains { $0["serverErrorCode"] == "BAD_REQUEST" }, "\(ending)")
        #expect(try people.record("other")["share"]["recordName"] == "Share-2")
        try people.modify([people.delete("Share-2"), people.delete("other")])
        #expect(try people.record("Share-2")["serverErrorCode"] == "NOT_FOUND")
        try expectSound()
    }

    @Test("A whole zone is shared, with what is saved later")
    func zone() throws {
        let share = try people.modify([people.share("cloudkit.zoneshare", of: nil, [people.participant(.friend)])])[0]
        let guid = try #require(share["shortGUID"].string, "\(share)")
        let joined = try people.accept(guid, as: .friend)
        #expect(joined["rootRecordName"].isAbsent && joined["participantStatus"] == "ACCEPTED")
        #expect(try people.seen(by: .friend)?.count == SharingCloud.tree.count)
        try people.modify([people.save("late"), people.delete("other")])
        #expect(try people.seen(by: .friend)?.contains("late") == true)
        #expect(try people.seen(by: .friend)?.contains("other") == false)
        let record = try people.modify([people.share("Share-1", of: "root")])[0]
        #expect(record["serverErrorCode"] == "BAD_REQUEST")
        try people.modify([people.delete("cloudkit.zoneshare")])
        #expect(try people.seen(by: .friend) == nil)
        try expectSound()
    }

    @Test("Whoever has its address visits a public share, until it is not public any more")
    func visits() throws {
        let share = try people.modify([people.share("Share-1", of: "root", permission: "READ_ONLY")])[0]
        let guid = try #require(share["shortGUID"].string)
        #expect(try people.resolve(guid, as: .third)["participantType"] == "PUBLIC_USER")
        #expect(try people.seen(by: .third) == nil, "a look at it is no visit")
        let before = try people.record("Share-1")["recordChangeTag"].string
        let visit = try people.accept(guid, as: .third)
        #expect(visit["participantPermission"] == "READ_ONLY" && visit["participantStatus"] == "ACCEPTED", "\(visit)")
        #expect(
            try people.record("Share-1")["recordChangeTag"].string == before, "a visit changes nothing of the owner's")
        #expect(try people.seen(by: .third) == ["root", "a", "b"])
        #expect(try people.ok("shared/zones/list", "{}", as: .third)["zones"].elements.count == 1)
        let closed = try people.modify([
            people.share("Share-1", of: nil, permission: "NONE", tag: before)
        ])[0]
        #expect(closed["publicPermission"] == "NONE", "\(closed)")
        #expect(try people.seen(by: .third) == nil)
        #expect(try people.accept(guid, as: .third)["serverErrorCode"] == "ACCESS_DENIED")
        let reopened = try people.modify([
            people.share("Share-1", of: nil, permission: "READ_WRITE", tag: closed["recordChangeTag"].string)
        ])[0]
        #expect(reopened["publicPermission"] == "READ_WRITE")
        #expect(try people.seen(by: .third) == nil, "a visit is of one opening")
        _ = try people.accept(guid, as: .third)
        #expect(try people.seen(by: .third) == ["root", "a", "b"])
        try expectSound()
    }

    @Test("What cannot be shared is refused with what to do, and nothing changes")
    func refusals() throws {
        try people.modify([people.share("Share-1", of: "root", [people.participant(.friend)])])
        let before = try people.record("Share-1")
        let tag = before["recordChangeTag"].string
        let many = (0..<100).map { number in
            #"{"type":"USER","userIdentity":{"userRecordName":"_\#(String(repeating: "0", count: 29))\#(100 + number)"}}"#
        }
        let friend = people.participant(.friend)
        func named(_ identity: String) -> String { #"{"type":"USER","userIdentity":{\#(identity)}}"# }
        let rows: [(what: String, operations: [String], code: String, reason: String)] = [
            ("a shared record again", [people.share("s", of: "root")], "EXISTS", "shared already"),
            ("a record in a share", [people.share("s", of: "a")], "EXISTS", "above"),
            ("a record above a shared one", [people.share("s", of: "above")], "EXISTS", "inside"),
            (
                "a zone with a shared record", [people.share("cloudkit.zoneshare", of: nil)], "BAD_REQUEST",
                "end their shares"
            ),
            ("no record", [people.share("s", of: nil)], "BAD_REQUEST", "forRecord is required"),
            ("a missing record", [people.share("s", of: "missing")], "BAD_REQUEST", "does not exist"),
            ("a deleted record", [people.delete("hidden"), people.share("s", of: "hidden")], "ATOMIC", ""),
            ("a share", [people.share("s", of: "Share-1")], "BAD_REQUEST", "cannot be shared"),
            ("itself", [people.share("s", of: "s")], "BAD_REQUEST", "itself"),
            ("a zone by a wrong name", [people.share("cloudkit.zoneshare", of: "other")], "BAD_REQUEST", "whole zone"),
            ("a bad permission", [people.share("s", of: "other", permission: "ALL")], "BAD_REQUEST", "READ_ONLY"),
            ("101 people", [people.share("s", of: "other", many)], "BAD_REQUEST", "100"),
            ("somebody twice", [people.share("s", of: "other", [friend, friend])], "BAD_REQUEST", "twice"),
            ("the owner", [people.share("s", of: "other", [people.participant(.owner)])], "BAD_REQUEST", "owner"),
            (
                "another owner", [people.share("s", of: "other", [people.participant(.friend, type: "OWNER")])],
                "BAD_REQUEST", "one owner"
            ),
            ("nobody", [people.share("s", of: "other", [named("")])], "BAD_REQUEST", "userIdentity"),
            (
                "a bad user", [people.share("s", of: "other", [named(#""userRecordName":"me""#)])], "BAD_REQUEST",
                "hexadecimal"
            ),
            (
                "a telephone number", [people.share("s", of: "other", [named(#""lookupInfo":{"phoneNumber":"1"}"#)])],
                "BAD_REQUEST", "telephone"
            ),
            (
                "no permission", [people.share("s", of: "other", [people.participant(.third, "NONE")])], "BAD_REQUEST",
                "leave them out"
            ),
            ("nothing is wrong with this one", [people.share("s", of: "other", permission: "READ_ONLY")], "", ""),
            (
                "a share with a parent", [people.share("s2", of: "hidden", more: #","parent":{"recordName":"a"}"#)],
                "BAD_REQUEST", "no parent"
            ),
            (
                "a stale root",
                [
                    people.share("s2", of: "hidden", more: "").replacing(
                        #""recordName":"hidden"}"#, with: #""recordName":"hidden","recordChangeTag":"zz"}"#)
                ], "CONFLICT", ""
            ),
            (
                "the same record twice", [people.share("s2", of: "hidden"), people.share("s3", of: "hidden")], "ATOMIC",
                ""
            ),
        ]
        for row in rows {
            let answer = try people.modify(row.operations)
            let codes = answer.map { $0["serverErrorCode"].string ?? "" }
            let code = row.code == "ATOMIC" ? "ATOMIC_ERROR" : row.code
            #expect(codes.contains(code), "\(row.what): \(answer)")
            #expect(
                answer.contains { $0["reason"].string?.contains(row.reason) == true } || row.reason.isEmpty,
                "\(row.what): \(answer)")
        }
        // An app can show the share that is there.
        for root in ["root", "a"] {
            let refused = try people.cloudJSON(
                "private/records/modify",
                #"{"zoneID":{"zoneName":"Notes"},"operations":[\#(people.share("s4", of: root))]}"#, as: .owner)[
                    "records"][0]["serverRecord"]
            #expect(refused["recordName"] == "Share-1" && !refused["shortGUID"].isAbsent, "\(refused)")
            #expect(refused["participants"].elements.count == 2, "\(refused)")
        }
        let publicTag = try people.record("s")["recordChangeTag"].string
        let mixed = try people.modify([people.share("s", of: nil, [friend], tag: publicTag)])[0]
        #expect(mixed["serverErrorCode"] == "BAD_REQUEST" && mixed["reason"].string?.contains("public share") == true)
        #expect(try people.record("Share-1")["recordChangeTag"].string == tag)

        let elsewhere: [(path: String, zone: String, code: String)] = [
            ("private", "_defaultZone", "BAD_REQUEST"), ("public", "_defaultZone", "BAD_REQUEST"),
        ]
        for place in elsewhere {
            let answer = try people.json(
                "\(place.path)/records/modify",
                #"{"zoneID":{"zoneName":"\#(place.zone)"},"operations":[\#(people.share("s9", of: "n1"))]}"#, as: .owner
            )
            #expect(answer["records"][0]["serverErrorCode"].string == place.code, "\(answer)")
        }
        for address in ["", "x", "https://www.icloud.com/share/0aBcD", String(repeating: "A", count: 62)] {
            for path in ["public/records/resolve", "public/records/accept"] {
                let answer = try people.json(path, #"{"shortGUIDs":["\#(address)"]}"#, as: .friend)["results"][0]
                #expect(["NOT_FOUND", "ACCESS_DENIED"].contains(answer["serverErrorCode"].string), "\(answer)")
            }
        }
        try expectSound()
    }

    private func expectSound() throws {
        let findings = try people.cloud.check()
        #expect(findings.isEmpty, "\(findings)")
    }
}
