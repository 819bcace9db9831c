import CloudKitWire
import NephosAdmin
import NephosDomain
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

/// What people learn about the zones of others that they see (docs/protocol.md SH16), and what is left of somebody who is gone.
@Suite("Lists of zones of others") struct SharedListTests {
    private let people: SharingCloud

    init() async throws { people = try await SharingCloud() }

    private func share(
        _ name: String, of root: String?, _ participants: [String]? = nil, permission: String? = nil,
        as person: SharingCloud.Person...
    ) throws {
        let share = try people.modify([people.share(name, of: root, participants, permission: permission)])[0]
        let guid = try #require(share["shortGUID"].string, "\(share)")
        for person in person {
            #expect(try people.accept(guid, as: person)["serverErrorCode"].isAbsent)
        }
    }

    private func edit(_ name: String, _ participants: [String]? = nil, permission: String? = nil) throws {
        let tag = try people.record(name)["recordChangeTag"].string
        try people.modify([people.share(name, of: nil, participants, permission: permission, tag: tag)])
    }

    /// What is new for a device, with the reasons of what is gone.
    private func changes(_ token: inout String?, as person: SharingCloud.Person) throws -> [String] {
        let answer = try people.cloudJSON(
            "shared/changes/database", token.map { #"{"syncToken":"\#($0)"}"# } ?? "{}", as: person)
        token = answer["syncToken"].string
        return answer["zones"].elements.map {
            ($0["zoneID"]["zoneName"].string ?? "") + ($0["deletedReason"].string.map { " \($0)" } ?? "")
        }
    }

    private func listed(as person: SharingCloud.Person) throws -> Int {
        try people.ok("shared/zones/list", "{}", as: person)["zones"].elements.count
    }

    @Test("A visitor learns of changes of what they visit, of no others, and of its end")
    func visitors() throws {
        try share("Share-1", of: "root", permission: "READ_WRITE", as: .friend)
        try share("Share-2", of: "other", permission: "READ_ONLY", as: .friend)
        var token: String?
        #expect(try changes(&token, as: .friend) == ["Notes"])
        #expect(try changes(&token, as: .friend) == [])
        for name in ["hidden", "above"] { try people.modify([people.save(name, kind: "forceUpdate", text: "x")]) }
        #expect(try changes(&token, as: .friend) == [], "what is not shared changes nothing")
        try people.modify([people.save("b", kind: "forceUpdate", text: "x")])
        #expect(try changes(&token, as: .friend) == ["Notes"])
        try people.modify([people.delete("b")])
        #expect(try changes(&token, as: .friend) == ["Notes"], "what leaves is news")
        try edit("Share-1", permission: "NONE")
        #expect(try listed(as: .friend) == 1)
        #expect(try changes(&token, as: .friend) == ["Notes"], "the other share is still visited")
        try people.modify([people.delete("Share-2")])
        #expect(try listed(as: .friend) == 0)
        #expect(try changes(&token, as: .friend) == ["Notes UNSHARED"])
        #expect(try changes(&token, as: .friend) == [])
        try expectSound()
    }

    @Test("A zone ends for a person with the last share in which they see it, or the last of its name")
    func severalShares() async throws {
        try share("Share-1", of: "root", [people.participant(.friend)], as: .friend)
        try share("Share-2", of: "other", permission: "READ_ONLY", as: .friend)
        var token: String?
        #expect(try changes(&token, as: .friend) == ["Notes"])
        try edit("Share-1", [])
        await people.cloud.runDueJobs()
        #expect(try changes(&token, as: .friend) == ["Notes"], "they visit the other one")
        #expect(try people.seen(by: .friend) == ["other"])
        // The zone is deleted, and there is another one of that name before anybody was notified.
        let again = #"{"operationType":"create","zone":{"zoneID":{"zoneName":"Notes"}}}"#
        try people.ok(
            "private/zones/modify", #"{"operations":[\#(again.replacing("create", with: "delete"))]}"#, as: .owner)
        try people.ok("private/zones/modify", #"{"operations":[\#(again)]}"#, as: .owner)
        try people.modify([people.save("root")])
        try share("Share-3", of: "root", [people.participant(.friend)], as: .friend)
        await people.cloud.runDueJobs()
        #expect(try changes(&token, as: .friend) == ["Notes"])
        #expect(try people.seen(by: .friend) == ["root"])
        try people.modify([people.delete("root")])
        await people.cloud.runDueJobs()
        #expect(try changes(&token, as: .friend) == ["Notes DELETED"])
        #expect(try listed(as: .friend) == 0)
        try expectSound()
    }

    @Test("Who is removed, named again and removed again before anybody was notified learns of the end")
    func removedTwice() async throws {
        let both = [people.participant(.friend), people.participant(.third)]
        try share("Share-1", of: "root", both, as: .friend, .third)
        var (token, third): (String?, String?) = (nil, nil)
        #expect(try changes(&token, as: .friend) == ["Notes"])
        #expect(try changes(&third, as: .third) == ["Notes"])
        await people.cloud.runDueJobs()
        _ = try (changes(&token, as: .friend), changes(&third, as: .third))
        for participants in [[], both, []] { try edit("Share-1", participants) }
        await people.cloud.runDueJobs()
        #expect(try changes(&token, as: .friend) == ["Notes REMOVED"])
        #expect(try listed(as: .friend) == 0)
        // The same with the end of the share.
        try edit("Share-1", [people.participant(.third)])
        await people.cloud.runDueJobs()
        #expect(try changes(&third, as: .third) == ["Notes REMOVED"])
        #expect(
            try people.accept(#require(try people.record("Share-1")["shortGUID"].string), as: .third)["serverErrorCode"]
                .isAbsent)
        await people.cloud.runDueJobs()
        #expect(try changes(&third, as: .third) == ["Notes"])
        for participants in [[], both] { try edit("Share-1", participants) }
        try people.modify([people.delete("Share-1")])
        await people.cloud.runDueJobs()
        #expect(try changes(&third, as: .third) == ["Notes REMOVED"], "that was before the share ended")
        #expect(try listed(as: .third) == 0)
        try expectSound()
    }

    @Test("However many zones end at once, each of their members learns of it")
    func manyZones() async throws {
        let names = (0..<70).map { "Z\($0)" }
        func zones(_ kind: String) -> String {
            let all = names.map { #"{"operationType":"\#(kind)","zone":{"zoneID":{"zoneName":"\#($0)"}}}"# }
            return #"{"operations":[\#(all.joined(separator: ","))]}"#
        }
        try people.ok("private/zones/modify", zones("create"), as: .owner)
        for zone in names {
            let share = try people.modify(
                [people.share("cloudkit.zoneshare", of: nil, [people.participant(.friend)])], zone: zone)[0]
            _ = try people.accept(try #require(share["shortGUID"].string), as: .friend)
        }
        try share("Share-1", of: "root", [people.participant(.third)], as: .third)
        var (token, third): (String?, String?) = (nil, nil)
        await people.cloud.runDueJobs()
        #expect(try changes(&token, as: .friend).count == 70)
        #expect(try changes(&third, as: .third) == ["Notes"])
        try people.ok("private/zones/modify", zones("delete"), as: .owner)
        await people.cloud.runDueJobs()
        #expect(Set(try changes(&token, as: .friend)) == Set(names.map { "\($0) DELETED" }))
        #expect(try changes(&third, as: .third) == [], "whom it does not concern is not notified")
        #expect(try people.seen(by: .third) == ["root", "a", "b"])
        try expectSound()
    }

    @Test("A zone that ends while members are notified of another one ends for its members, too")
    func raceOfZones() async throws {
        func zone(_ kind: String, _ name: String) throws {
            try people.ok(
                "private/zones/modify",
                #"{"operations":[{"operationType":"\#(kind)","zone":{"zoneID":{"zoneName":"\#(name)"}}}]}"#, as: .owner)
        }
        for name in ["One", "Two"] {
            try zone("create", name)
            let share = try people.modify(
                [people.share("cloudkit.zoneshare", of: nil, [people.participant(.friend)])], zone: name)[0]
            _ = try people.accept(try #require(share["shortGUID"].string), as: .friend)
        }
        var token: String?
        #expect(try changes(&token, as: .friend).count == 2)
        await people.cloud.runDueJobs()
        _ = try changes(&token, as: .friend)
        try zone("delete", "One")
        let store = try #require(try people.cloud.engine.open(SmallCloud.tenant))
        var set = ReadSet()
        set.annexes = [AnnexScan(kind: .personal, limit: 10)]
        let works = try store.read(set).annexes[0].compactMap { AnnounceShares($0, now: people.cloud.inputs.now) }
        #expect(works.count == 1)
        try zone("delete", "Two")
        for work in works { _ = try await store.commit(work.finishReading, decide: work.finish) }
        await people.cloud.runDueJobs()
        #expect(Set(try changes(&token, as: .friend)).isSuperset(of: ["Two DELETED"]))
        try expectSound()
    }

    @Test("What left long ago is forgotten; who was away that long starts again")
    func purge() async throws {
        try share("Share-1", of: "root", [people.participant(.friend)], as: .friend)
        func page(_ token: String?) throws -> JSON {
            let sent = token.map { #","syncToken":"\#($0)""# } ?? ""
            return try people.ok(
                "shared/changes/zone", #"{"zones":[{"zoneID":\#(people.zoneID)\#(sent)}]}"#, as: .friend)["zones"][0]
        }
        let old = try #require(try page(nil)["syncToken"].string)
        try people.modify([people.save("b", parent: "hidden", kind: "forceUpdate")])
        let new = try #require(try page(old)["syncToken"].string)
        let store = try #require(try people.cloud.engine.open(SmallCloud.tenant))
        let departures = PurgeDepartures.old(before: .max, limit: 10)
        let rows = try store.rows(departures)
        #expect(rows.map(\.name) == ["b"])
        let purge = try #require(PurgeDepartures(rows))
        #expect(try await store.commit(purge.reading, decide: purge.decide) == 1)
        #expect(try store.rows(departures).isEmpty && PurgeDepartures([]) == nil)
        #expect(try page(old)["serverErrorCode"] == "BAD_REQUEST")
        #expect(try page(new)["records"].elements.isEmpty)
        #expect(
            try page(nil)["records"].elements.compactMap(\.["recordName"].string).sorted() == ["Share-1", "a", "root"])
        try expectSound()
    }

    // MARK: People who leave for good

    @Test("Who deletes their account is in no list any more; what they saved stays with its owner")
    func participantLeaves() async throws {
        try share(
            "Share-1", of: "root", [people.participant(.friend), people.participant(.third)], as: .friend, .third)
        try people.ok(
            "shared/records/modify",
            #"{"zoneID":\#(people.zoneID),"operations":[\#(people.save("mine", parent: "a"))]}"#, as: .friend)
        #expect(try await people.erase(.friend))
        let list = try people.record("Share-1")["participants"].elements
        #expect(
            list.compactMap(\.["userIdentity"]["userRecordName"].string) == [people.name(.owner), people.name(.third)])
        #expect(try people.seen(by: .third) == ["root", "a", "b", "mine"])
        let store = try #require(try people.cloud.engine.open(SmallCloud.tenant))
        let friend = try #require(UserID(recordName: people.name(.friend)))
        #expect(try store.rows(ParticipantRow.everywhere(friend, limit: 10)).isEmpty)
        try expectSound()
    }

    @Test("When an owner deletes their account, members are notified of it")
    func ownerLeaves() async throws {
        try share("Share-1", of: "root", [people.participant(.friend)], as: .friend)
        var token: String?
        #expect(try changes(&token, as: .friend) == ["Notes"])
        #expect(try await !people.erase(.owner), "first the members are notified")
        #expect(
            try people.json(
                "shared/records/query", #"{"zoneID":\#(people.zoneID),"query":{"recordType":"Note"}}"#, as: .friend)[
                    "serverErrorCode"] == "ZONE_NOT_FOUND")
        await people.cloud.runDueJobs()
        #expect(try changes(&token, as: .friend) == ["Notes OWNER_LEFT"])
        #expect(try await people.erase(.owner))
        let store = try #require(try people.cloud.engine.open(SmallCloud.tenant))
        let owner = try #require(UserID(recordName: people.name(.owner)))
        #expect(try store.rows(UserRow.keyed([owner])).isEmpty)
        try expectSound()
    }

    private func expectSound() throws {
        let findings = try people.cloud.check()
        #expect(findings.isEmpty, "\(findings)")
    }
}
