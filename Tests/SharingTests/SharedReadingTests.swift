import CloudKitWire
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Synchronization
import Testing

/// What somebody sees of a zone of somebody else (docs/decisions/0063). Shares are written past the server: until they can be saved.
@Suite("Reading zones of others") struct SharedReadingTests {
    private let cloud: SmallCloud
    private let store: any TenantStore
    private let shares: WrittenShares
    private let work = Work()

    /// The rows that queries have examined.
    private final class Work: Sendable {
        let rows = Mutex(0)
    }

    init() async throws {
        cloud = try await SmallCloud(looked: { [work] page in work.rows.withLock { $0 += page.rows } })
        store = try #require(try cloud.engine.open(SmallCloud.tenant))
        _ = try cloud.private(
            "zones/modify", #"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"Notes"}}}]}"#)
        let parents = [("above", nil), ("root", "above"), ("a", "root"), ("b", "a"), ("hidden", nil), ("other", nil)]
        let operations = parents.map { name, parent in
            #"""
            {"operationType":"create","record":{"recordName":"\#(name)","recordType":"Note",
            "fields":{"text":{"value":"text of \#(name)"},"count":{"value":1}}
            \#(parent.map { #","parent":{"recordName":"\#($0)"}"# } ?? "")}}
            """#
        }
        _ = try cloud.private(
            "records/modify", #"{"zoneID":{"zoneName":"Notes"},"operations":[\#(operations.joined(separator: ","))]}"#)
        shares = try WrittenShares(cloud, store)
    }

    @Test("Queries of members use an index of the owner's, by share, and examine nothing that is hidden")
    func indexed() async throws {
        let share = try await shares.share("root")
        try await shares.set(.accepted, in: share)
        func plant(_ numbers: Range<Int>) throws {
            let saves = numbers.map {
                #"{"operationType":"create","record":{"recordName":"p\#($0)","recordType":"Note","fields":{"count":{"value":1},"text":{"value":"x"}}}}"#
            }
            _ = try cloud.private(
                "records/modify", #"{"zoneID":{"zoneName":"Notes"},"operations":[\#(saves.joined(separator: ","))]}"#)
        }
        let queries = [
            #"{"recordType":"Note"}"#, #"{"recordType":"Note","sortBy":[{"fieldName":"text","ascending":false}]}"#,
            #"{"recordType":"Note","filterBy":[{"fieldName":"count","comparator":"EQUALS","fieldValue":{"value":1}}]}"#,
            #"{"recordType":"Note","filterBy":[{"fieldName":"count","comparator":"LESS_THAN","fieldValue":{"value":2}}],"sortBy":[{"fieldName":"text"}]}"#,
            #"{"recordType":"Note","filterBy":[{"fieldName":"text","comparator":"IN","fieldValue":{"value":["text of a","text of b","text of hidden"]}},{"fieldName":"count","comparator":"GREATER_THAN","fieldValue":{"value":0}}]}"#,
        ]
        func examined() throws -> [Int] {
            try queries.map { query in
                work.rows.withLock { $0 = 0 }
                let page = try cloud.shared("records/query", #"{"zoneID":\#(shares.zoneID),"query":\#(query)}"#)
                let names = page["records"].elements.compactMap(\.["recordName"].string)
                #expect(Set(names) == (query.contains("IN") ? ["a", "b"] : ["root", "a", "b"]), "\(query): \(page)")
                #expect(page["continuationMarker"].isAbsent)
                return work.rows.withLock { $0 }
            }
        }
        try plant(0..<200)
        try plant(200..<350)
        _ = try examined()
        for more in [350..<350, 350..<500] {
            if !more.isEmpty { try plant(more) }
            let rows = try examined()
            #expect(rows.allSatisfy { $0 <= 12 }, "what is hidden costs nothing: \(rows)")
        }
        let databases = try (1...20).flatMap { try store.rows(IndexRow.all(of: $0)) }
        #expect(!databases.isEmpty)
        #expect(databases.allSatisfy { $0.shape.parts.first == .value(.share) }, "\(databases.map(\.shape))")
        #expect(Set(databases.map(\.database)) == [shares.database])
        // The share was written past the server, without a share record.
        let findings = try cloud.check().filter { !"\($0)".contains("its share record is missing") }
        #expect(findings.isEmpty, "\(findings)")
    }

    @Test("Who is in a share sees its records, and of others not even that they exist")
    func lookUp() async throws {
        let share = try await shares.share("root")
        try await shares.set(.accepted, in: share)
        let records = try cloud.shared(
            "records/lookup", shares.body(["root", "a", "b", "hidden", "above", "missing"]))["records"].elements
        #expect(records.map(\.["recordName"].string) == ["root", "a", "b", "hidden", "above", "missing"])
        #expect(
            records.prefix(3).map(\.["fields"]["text"]["value"].string) == ["text of root", "text of a", "text of b"])
        for record in records.dropFirst(3) {
            #expect(record["serverErrorCode"] == "NOT_FOUND")
            #expect(record["reason"] == records[5]["reason"], "a hidden record is like a missing one")
        }
        #expect(records[0]["parent"].isAbsent, "what is above the root is not shared")
        #expect(records[1]["parent"]["recordName"] == "root")
        #expect(records[0]["zoneID"]["ownerRecordName"].string == shares.owner)
        let own = try cloud.private(
            "records/lookup", #"{"zoneID":{"zoneName":"Notes"},"records":[{"recordName":"a"}]}"#)
        let (mine, theirs) = (own["records"][0]["recordChangeTag"].string, records[1]["recordChangeTag"].string)
        #expect(mine != theirs && theirs?.count == 16, "a tag tells nothing of the owner's other changes")
        let again = try cloud.shared("records/lookup", shares.body(["a"]))["records"][0]["recordChangeTag"].string
        #expect(again == theirs)
    }

    @Test("A query finds what is shared, whatever else matches")
    func query() async throws {
        let share = try await shares.share("root")
        try await shares.set(.accepted, in: share)
        for query in [
            #"{"recordType":"Note"}"#,
            #"{"recordType":"Note","filterBy":[{"fieldName":"count","comparator":"EQUALS","fieldValue":{"value":1}}],"sortBy":[{"fieldName":"text"}]}"#,
        ] {
            let answer = try cloud.shared("records/query", #"{"zoneID":\#(shares.zoneID),"query":\#(query)}"#)
            #expect(Set(answer["records"].elements.map(\.["recordName"].string)) == ["root", "a", "b"])
            let paged = try cloud.shared(
                "records/query", #"{"zoneID":\#(shares.zoneID),"query":\#(query),"resultsLimit":2}"#)
            let marker = try #require(paged["continuationMarker"].string)
            let rest = try cloud.shared(
                "records/query",
                #"{"zoneID":\#(shares.zoneID),"query":\#(query),"resultsLimit":2,"continuationMarker":"\#(marker)"}"#)
            #expect(paged["records"].elements.count == 2 && rest["records"].elements.count == 1)
            #expect(rest["continuationMarker"].isAbsent, "what is hidden does not follow")
            try await shares.set(.removed, in: share)
            let late = try cloud.shared(
                "records/query",
                #"{"zoneID":\#(shares.zoneID),"query":\#(query),"resultsLimit":2,"continuationMarker":"\#(marker)"}"#)
            #expect(late["serverErrorCode"] == "ZONE_NOT_FOUND", "a marker opens nothing")
            try await shares.set(.accepted, in: share)
        }
    }

    @Test("Access is what the owner's rows say at each request, whatever was seen before")
    func changes() async throws {
        let share = try await shares.share("root")
        func sees(_ names: [String]) throws -> [Bool] {
            let answer = try cloud.shared("records/lookup", shares.body(names))
            if answer["serverErrorCode"] == "ZONE_NOT_FOUND" { return [] }
            return answer["records"].elements.map { $0["serverErrorCode"].isAbsent }
        }
        #expect(try sees(["a"]) == [], "nobody was named")
        for status in [ParticipantRow.Status.invited, .accepted, .removed, .accepted] {
            try await shares.set(status, in: share)
            #expect(try sees(["a", "other"]) == (status == .accepted ? [true, false] : []), "\(status)")
        }
        let second = try await shares.share("other")
        #expect(try sees(["a", "other"]) == [true, false])
        try await shares.set(.accepted, in: second)
        #expect(try sees(["a", "other", "hidden"]) == [true, true, false], "one more share")
        _ = try cloud.private(
            "records/modify",
            #"{"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"forceUpdate","record":{"recordName":"a","recordType":"Note","fields":{},"parent":null}}]}"#
        )
        #expect(
            try sees(["a", "b", "root"]) == [false, false, true], "what leaves the share is gone, with all below it")
        try await shares.end(share)
        #expect(try sees(["root", "other"]) == [false, true], "the share ended")
        try await shares.end(second)
        #expect(try sees(["other"]) == [])
    }

    @Test("For everybody else a shared zone is like one that does not exist")
    func strangers() async throws {
        let share = try await shares.share("root")
        try await shares.set(.accepted, in: share)
        let requests = [
            ("records/lookup", #""records":[{"recordName":"a"}]"#),
            ("records/query", #""query":{"recordType":"Note"}"#),
        ]
        for (path, body) in requests {
            let missing = try cloud.shared(
                path, #"{"zoneID":{"zoneName":"Nothing","ownerRecordName":"\#(shares.owner)"},\#(body)}"#)
            for zone in [
                #"{"zoneName":"Nothing","ownerRecordName":"_00000000000000000000000000000009"}"#,
                #"{"zoneName":"_defaultZone","ownerRecordName":"\#(shares.owner)"}"#,
            ] {
                #expect(
                    try cloud.shared(path, #"{"zoneID":\#(zone),\#(body)}"#)["serverErrorCode"]
                        == missing["serverErrorCode"])
            }
            // The owner's own zones are in their private database only.
            let own = try cloud.shared(path, #"{"zoneID":\#(shares.zoneID),\#(body)}"#, as: .person)
            #expect(own["serverErrorCode"] == "ZONE_NOT_FOUND")
        }
    }

    @Test("A feed begins with what is shared, goes on with what changes, and says what left")
    func feed() async throws {
        let share = try await shares.share("root")
        var token: String?
        /// Follows to the end, in pages of one change.
        func follow() throws -> [String] {
            var names: [String] = []
            while true {
                let start = token.map { #","syncToken":"\#($0)""# } ?? ""
                let page = try cloud.shared(
                    "changes/zone", #"{"zones":[{"zoneID":\#(shares.zoneID),"resultsLimit":1\#(start)}]}"#)["zones"][0]
                if let code = page["serverErrorCode"].string { return names + [code] }
                for record in page["records"].elements {
                    #expect(record["recordChangeTag"].isAbsent || record["recordChangeTag"].string?.count == 16)
                    names.append((record["deleted"] == .bool(true) ? "-" : "") + (record["recordName"].string ?? ""))
                }
                #expect(page["syncToken"].string != token, "equal tokens would show that nothing else was saved")
                token = page["syncToken"].string
                if page["moreComing"] != .bool(true) { return names }
            }
        }
        func change(_ operation: String) throws {
            _ = try cloud.private(
                "records/modify", #"{"zoneID":{"zoneName":"Notes"},"operations":[\#(operation)]}"#)
        }
        #expect(try follow() == ["ZONE_NOT_FOUND"])
        try await shares.set(.accepted, in: share)
        #expect(try follow() == ["root", "a", "b"])
        #expect(try follow() == [])
        for (name, parent) in [("hidden", "null"), ("c", #"{"recordName":"a"}"#), ("a", "null")] {
            try change(
                #"{"operationType":"forceUpdate","record":{"recordName":"\#(name)","recordType":"Note","fields":{},"parent":\#(parent)}}"#
            )
        }
        #expect(try follow() == ["-a", "-b", "-c"], "it left before it was seen, but its name was shared")
        try change(
            #"{"operationType":"forceUpdate","record":{"recordName":"a","recordType":"Note","fields":{},"parent":{"recordName":"root"}}}"#
        )
        #expect(try follow() == ["a", "b", "c"])
        let second = try await shares.share("other")
        try await shares.set(.accepted, in: second)
        try change(#"{"operationType":"forceDelete","record":{"recordName":"c"}}"#)
        #expect(try follow() == ["other", "-c"], "a share is begun where it was accepted")
        try await shares.end(second)
        #expect(try follow() == ["BAD_REQUEST"], "what was begun is not shared any more")
        token = nil
        #expect(try follow() == ["root", "a", "b"])
        try await shares.set(.removed, in: share)
        #expect(try follow() == ["ZONE_NOT_FOUND"])
    }

    @Test("A device that wants only the end of a feed gets what follows; and what it sends is checked")
    func tokens() async throws {
        let share = try await shares.share("root")
        try await shares.set(.accepted, in: share)
        func page(_ members: String) throws -> JSON {
            try cloud.shared("changes/zone", #"{"zones":[{"zoneID":\#(shares.zoneID)\#(members)}]}"#)["zones"][0]
        }
        let end = try page(#","syncToken":"""#)
        #expect(end["records"].elements.isEmpty && end["moreComing"] == .bool(false))
        let token = try #require(end["syncToken"].string)
        #expect(try page(#","syncToken":"\#(token)""#)["records"].elements.isEmpty)
        _ = try cloud.private(
            "records/modify",
            #"{"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"forceUpdate","record":{"recordName":"b","recordType":"Note","fields":{}}}]}"#
        )
        #expect(try page(#","syncToken":"\#(token)""#)["records"].elements.map(\.["recordName"].string) == ["b"])
        let types = try page(#","desiredRecordTypes":["List"]"#)
        #expect(types["records"].elements.isEmpty && types["serverErrorCode"].isAbsent)
        #expect(try page(#","reverse":true"#)["serverErrorCode"] == "BAD_REQUEST")
        let own = try cloud.private("changes/zone", #"{"zones":[{"zoneID":{"zoneName":"Notes"}}]}"#)["zones"][0]
        let ownToken = try #require(own["syncToken"].string)
        #expect(try page(#","syncToken":"\#(ownToken)""#)["serverErrorCode"] == "BAD_REQUEST", "of the owner's feed")
        let theirs = try cloud.private(
            "changes/zone", #"{"zones":[{"zoneID":{"zoneName":"Notes"},"syncToken":"\#(token)"}]}"#)["zones"][0]
        #expect(theirs["serverErrorCode"] == "BAD_REQUEST", "of a member's feed")
    }
}

extension SmallCloud {
    fileprivate func `private`(_ path: String, _ body: String) throws -> JSON {
        try json("private/\(path)", body, as: .person)
    }

    fileprivate func shared(_ path: String, _ body: String, as caller: Caller = .friend) throws -> JSON {
        try json("shared/\(path)", body, as: caller)
    }

    fileprivate func json(_ path: String, _ body: String, as caller: Caller) throws -> JSON {
        let answer = try ask("POST", "/database/1/\(Self.container)/development/\(path)", body, as: caller)
        return try JSON(reading: answer.body)
    }
}

/// Shares of records in the zone `Notes` of the first person.
private struct WrittenShares {
    private let store: any TenantStore
    let database: DatabaseNumber
    private let friend: UserID
    /// The record name of the owner.
    let owner: String

    init(_ cloud: SmallCloud, _ store: any TenantStore) throws {
        self.store = store
        let names = try [SmallCloud.Caller.person, .friend].map { caller in
            try cloud.json("public/users/caller", "{}", as: caller)["userRecordName"].string
        }
        let ids = try names.map { try #require($0.flatMap { UserID(recordName: $0) }) }
        let row = try #require(try store.rows(UserRow.keyed([ids[0]])).first)
        (database, friend, owner) = (row.privateDatabase, ids[1], ids[0].recordName)
    }

    var zoneID: String { #"{"zoneName":"Notes","ownerRecordName":"\#(owner)"}"# }

    func body(_ names: [String]) -> String {
        #"{"zoneID":\#(zoneID),"records":[\#(names.map { #"{"recordName":"\#($0)"}"# }.joined(separator: ","))]}"#
    }

    func share(_ root: Name) async throws -> ShareNumber {
        try await change { reading, head, zone, set in
            let records = reading.names[0].records
            var tree: Set<Name> = [root]
            while case let more = records.filter({ $0.parent.map(tree.contains) == true && !tree.contains($0.name) }),
                !more.isEmpty
            {
                tree.formUnion(more.map(\.name))
            }
            zone.sharing = .records
            for row in records where tree.contains(row.name) {
                var new = row
                new.share = head.sequence
                if row.name == root {
                    new.flags.insert(.shareRoot)
                    set.put(
                        ShareRow(
                            database: row.database, number: head.sequence, zone: row.zone, root: row.number, name: "s"))
                }
                set.records.append(RecordWrite(old: RecordStub(row), new: new, references: nil))
            }
        }
    }

    func set(_ status: ParticipantRow.Status, in share: ShareNumber) async throws {
        let old = try store.rows(ParticipantRow.of(share, in: database, limit: 10)).first
        _ = try await change { _, head, zone, set in
            let row = ParticipantRow(
                database: database, user: friend, zone: zone.number, share: share, status: status, since: head.sequence)
            set.put(row, replacing: old)
        }
    }

    func end(_ share: ShareNumber) async throws {
        guard let row = try store.rows(ShareRow.keyed([share], in: database)).first else { return }
        _ = try await change { _, _, _, set in set.remove(row) }
    }

    private func change(
        _ body: @escaping @Sendable (Reading, HeadRow, inout ZoneRow, inout WriteSet) -> Void
    ) async throws -> Sequence {
        let key = ZoneKey.name(database, "Notes")
        var set = ReadSet()
        set.databases = [database]
        set.zones = [key]
        set.names = [NameScan(place: .zone(key), limit: 1_000)]
        return try await store.commit(set) { reading in
            guard var head = reading.databases[0], let old = reading.zones[0] else { throw StorageError.noSuchTenant }
            head.sequence += 1
            var (writes, zone) = (WriteSet(), old)
            zone.changedSequence = head.sequence
            body(reading, head, &zone, &writes)
            writes.zones = [ZoneWrite(old: old, new: zone)]
            writes.heads = [head]
            return .write(writes, head.sequence)
        }
    }
}
