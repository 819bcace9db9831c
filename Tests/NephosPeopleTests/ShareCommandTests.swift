import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import ServerTesting
import TestEngines
import Testing

@testable import NephosPeople

/// docs/sharing.md, "For operators".
@Suite("Shares by command") struct ShareCommandTests {
    private let own: PeopleCloud
    private let nephos: NephosCommand
    private static let title = "Nobody else's business"

    init() async throws {
        let others = [Feature].ofProgram().filter { !["people", "delivery"].contains($0.name) }
        own = try await PeopleCloud(with: others)
        nephos = NephosCommand(own.stored, runner: InProcessCommand.run)
    }

    private func ask(_ path: String, _ body: String, as caller: SmallCloud.Caller = .person) throws -> JSON {
        let answer = try own.cloud.ask(
            "POST", "/database/1/\(SmallCloud.container)/development/\(path)", body, as: caller)
        return try JSON(reading: answer.body)
    }

    private func user(_ caller: SmallCloud.Caller) throws -> String {
        try #require(try ask("public/users/caller", "{}", as: caller)["userRecordName"].string)
    }

    /// Ada shares a record with Grace, and with an address. - Returns: The address of the share.
    private func share() throws -> String {
        let participants = try [
            #"{"permission":"READ_WRITE","userIdentity":{"userRecordName":"\#(user(.friend))"}}"#,
            #"{"permission":"READ_ONLY","userIdentity":{"lookupInfo":{"emailAddress":"mary@example.org"}}}"#,
        ]
        let saved = try ask(
            "private/records/modify",
            #"""
            {"zoneID":{"zoneName":"Notes"},"operations":[
            {"operationType":"create","record":{"recordName":"album","recordType":"Note","fields":{"text":{"value":"\#(Self.title)"}}}},
            {"operationType":"create","record":{"recordName":"Share-1","recordType":"cloudkit.share","forRecord":{"recordName":"album"},
            "participants":[\#(participants.joined(separator: ","))],"fields":{"cloudkit.title":{"value":"\#(Self.title)"}}}}]}
            """#)
        let guid = try #require(saved["records"][1]["shortGUID"].string, "\(saved)")
        let accepted = try ask("public/records/accept", #"{"shortGUIDs":[{"value":"\#(guid)"}]}"#, as: .friend)
        #expect(accepted["results"][0]["serverErrorCode"].isAbsent, "\(accepted)")
        return guid
    }

    private func isVisible() throws -> Bool {
        let zone = #"{"zoneName":"Notes","ownerRecordName":"\#(try user(.person))"}"#
        let answer = try ask(
            "shared/records/lookup", #"{"zoneID":\#(zone),"records":[{"recordName":"album"}]}"#, as: .friend)
        return answer["records"][0]["fields"]["text"]["value"].string == Self.title
    }

    private func run(_ arguments: String...) throws -> String {
        let result = try nephos.run(arguments)
        #expect(result.status == 0, "\(arguments): \(result.errors)")
        #expect(!(result.output + result.errors).contains(Self.title), "who, and never what")
        return result.output + result.errors
    }

    private func output(_ arguments: String...) throws -> String { try nephos.run(arguments).output }

    @Test("Shares are listed and shown: who is in them, and never what is shared")
    func shown() throws {
        let id = SmallCloud.container
        #expect(try run("share", "list", id).contains("Nothing is shared."))
        let guid = try share()
        let list = try run("share", "list", id)
        #expect(list.contains(guid) && list.contains("ada@example.org"), "\(list)")
        let rows = try JSON(
            reading: Array(output("share", "list", id, "--owner", "ada@example.org", "--output", "json").utf8))
        #expect(rows.elements.count == 1)
        #expect(rows[0]["share"].string == guid && rows[0]["of"] == "record" && rows[0]["public"] == .null)
        #expect(rows[0]["named"] == "2" && rows[0]["joined"] == "1", "\(rows)")
        #expect(try run("share", "list", id, "--owner", "grace@example.org").contains("Nothing is shared."))
        #expect(try run("share", "list", id, "--environment", "production").contains("Nothing is shared."))

        let shown = try JSON(
            reading: Array(
                output("share", "show", id, "https://old.example.org/share/\(guid)", "--output", "json").utf8))
        let people = shown.elements.map {
            [$0["person"].string, $0["role"].string, $0["permission"].string, $0["status"].string]
        }
        #expect(
            people == [
                ["ada@example.org", "OWNER", "READ_WRITE", "joined"],
                ["grace@example.org", "USER", "READ_WRITE", "joined"],
                ["mary@example.org", "USER", "READ_ONLY", "invited"],
            ])
        #expect(try shown[1]["userRecord"].string == user(.friend))
        // Another share of the same owner, and one of another owner.
        let more = try ask(
            "private/records/modify",
            #"""
            {"zoneID":{"zoneName":"Notes"},"operations":[
            {"operationType":"create","record":{"recordName":"other","recordType":"Note"}},
            {"operationType":"create","record":{"recordName":"Share-2","recordType":"cloudkit.share","publicPermission":"READ_ONLY",
            "forRecord":{"recordName":"other"}}}]}
            """#)
        let second = try #require(more["records"][1]["shortGUID"].string, "\(more)")
        _ = try ask(
            "private/zones/modify",
            #"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"Hers"}}}]}"#,
            as: .friend)
        let hers = try ask(
            "private/records/modify",
            #"{"zoneID":{"zoneName":"Hers"},"operations":[{"operationType":"create","record":{"recordName":"cloudkit.zoneshare","recordType":"cloudkit.share"}}]}"#,
            as: .friend)
        let zone = try #require(hers["records"][0]["shortGUID"].string, "\(hers)")
        let all = try JSON(reading: Array(output("share", "list", id, "--output", "json").utf8)).elements
        #expect(
            all.map { [$0["share"].string, $0["owner"].string, $0["of"].string, $0["public"].string] } == [
                [guid, "ada@example.org", "record", nil], [second, "ada@example.org", "record", "READ_ONLY"],
                [zone, "grace@example.org", "zone", nil],
            ], "\(all)")
        #expect(try run("share", "list", id, "--limit", "1").contains("There may be more"))
        for wrong in ["x", "", String(guid.dropLast()), guid + "A"] {
            let result = try nephos.run(["share", "show", id, wrong])
            #expect(result.status == 1 && result.errors.contains("There is no share at this address"), "\(result)")
        }
    }

    @Test("Somebody is taken out of a share, and a share ends, by command (S0-4)")
    func revoked() async throws {
        let id = SmallCloud.container
        let guid = try share()
        #expect(try isVisible())
        let stranger = try nephos.run(["share", "revoke", id, guid, "--participant", "eve@example.org", "--yes"])
        #expect(stranger.status == 1 && stranger.errors.contains("is not named in this share"), "\(stranger)")
        #expect(try isVisible())
        #expect(
            try run("share", "revoke", id, guid, "--participant", "Grace@Example.org", "--yes")
                .contains("is not in the share any more"))
        #expect(try !isVisible())
        _ = try run("share", "revoke", id, guid, "--participant", "mary@example.org", "--yes")
        let left = try JSON(reading: Array(output("share", "show", id, guid, "--output", "json").utf8))
        #expect(left.elements.count == 1)
        // It goes on: Ada names Grace again.
        let record = try ask(
            "private/records/lookup", #"{"zoneID":{"zoneName":"Notes"},"records":[{"recordName":"Share-1"}]}"#)
        let tag = try #require(record["records"][0]["recordChangeTag"].string)
        let again = try ask(
            "private/records/modify",
            #"{"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"update","record":{"recordName":"Share-1","recordType":"cloudkit.share","recordChangeTag":"\#(tag)","publicPermission":"READ_ONLY"}}]}"#
        )
        #expect(again["records"][0]["serverErrorCode"].isAbsent, "\(again)")
        _ = try ask("public/records/accept", #"{"shortGUIDs":[{"value":"\#(guid)"}]}"#, as: .friend)
        #expect(try isVisible())
        let visitor = try nephos.run(["share", "revoke", id, guid, "--participant", "grace@example.org", "--yes"])
        #expect(visitor.errors.contains("Whoever has the address may visit it"), "\(visitor)")
        #expect(try run("share", "revoke", id, guid, "--yes").contains("has ended"))
        #expect(try !isVisible())
        #expect(try nephos.run(["share", "revoke", id, guid, "--yes"]).status == 1)
        // The record is still Ada's.
        let album = try ask(
            "private/records/lookup", #"{"zoneID":{"zoneName":"Notes"},"records":[{"recordName":"album"}]}"#)
        #expect(album["records"][0]["fields"]["text"]["value"].string == Self.title)
        // She sees who did that.
        let log = try own.administration.accesses(of: PeopleCloud.email, in: SmallCloud.tenant, limit: 100)
        #expect(log.count { $0.kind == .revocation } == 3 && log.count { $0.kind == .shares } == 3, "\(log)")
        let findings = try own.cloud.check()
        #expect(findings.isEmpty, "\(findings)")
    }

    @Test("Records that others share are read by command with a session; who is not in the share gets nothing")
    func shared() throws {
        let (id, guid) = (SmallCloud.container, try share())
        let folder = try TemporaryFolder(prefix: "nephos-shares")
        let zone = ["--database-type", "shared", "--zone-name", "Notes", "--zone-owner", try user(.person)]
        func run(_ arguments: [String], as email: String) throws -> (status: Int32, text: String) {
            let file = folder.path + "/token"
            try writeSecret(file, try nephos("session", "create", id, email))
            let result = try nephos.run(["records"] + arguments + zone + ["--session", file])
            return (result.status, result.output + result.errors)
        }
        let query = ["query", id, "--record-type", "Note"]
        let get = ["get", id, "--record-name", "album"]
        for command in [query, get] {
            let seen = try run(command, as: "grace@example.org")
            #expect(seen.status == 0 && seen.text.contains(Self.title), "\(seen)")
        }
        #expect(try run(["get", id, "--record-name", "n1"], as: "grace@example.org").status == 1)
        let title = try run(["get", id, "--record-name", "Share-1"], as: "grace@example.org")
        #expect(title.text.contains(Self.title), "\(title)")
        // What the owner's other saves do to tags is not seen.
        let seen = try JSON(reading: Array(run(get, as: "grace@example.org").text.utf8))
        #expect(seen["recordChangeTag"].string?.count == 16 && seen["share"]["recordName"] == "Share-1", "\(seen)")
        _ = try self.run("share", "revoke", id, guid, "--yes")
        for command in [query, get] {
            let seen = try run(command, as: "grace@example.org")
            #expect(seen.status == 1 && !seen.text.contains(Self.title), "\(seen)")
        }
    }

    @Test("An account's export says with whom its person shares, and which zones they see")
    func exported() throws {
        _ = try share()
        let folder = try TemporaryFolder(prefix: "nephos-shares")
        try giveToOrdinaryUser(folder.path)
        for (email, name) in [("ada@example.org", "ada"), ("grace@example.org", "grace")] {
            try nephos("account", "export", email, "\(folder.path)/\(name)")
        }
        func exported(_ name: String) throws -> JSON {
            try JSON(reading: readFile("\(folder.path)/\(name)/\(SmallCloud.container)/development.json"))
        }
        let (ada, grace) = (try exported("ada"), try exported("grace"))
        let record = ada["private"].elements.first { $0["recordType"].string == "cloudkit.share" }
        let share = try #require(record, "\(ada)")
        #expect(share["participants"].elements.map { $0["type"].string } == ["OWNER", "USER", "USER"], "\(share)")
        #expect(share["shortGUID"].string != nil && share["fields"].names == ["cloudkit.title"], "\(share)")
        // What is shared with her is its owner's; that it is, is hers.
        let participants = grace["rows"]["participants"].elements, zones = grace["rows"]["shared_zones"].elements
        #expect(participants.count == 1 && zones.count == 1 && grace["private"].elements.isEmpty, "\(grace)")
        // Numbers of the owner's database would count what else happens there.
        #expect(participants[0].names == ["permission", "reason", "role", "status", "user_id"], "\(participants)")
        #expect(
            zones[0].names == ["accepted", "ended_at", "kind", "name", "owner_id", "reason", "seq", "state"], "\(zones)"
        )
    }

    @Test("Whoever is taken out of a share is out of it, however the owner has named them")
    func namedTwice() throws {
        let id = SmallCloud.container
        let guid = try share()
        let twice = try [
            #"{"permission":"READ_ONLY","userIdentity":{"userRecordName":"\#(user(.friend))"}}"#,
            #"{"permission":"READ_WRITE","userIdentity":{"lookupInfo":{"emailAddress":"Grace@Example.org"}}}"#,
        ]
        for name in try ["grace@example.org", user(.friend)] {
            let tag = try ask(
                "private/records/lookup", #"{"zoneID":{"zoneName":"Notes"},"records":[{"recordName":"Share-1"}]}"#)[
                    "records"][0]["recordChangeTag"].string
            let saved = try ask(
                "private/records/modify",
                #"""
                {"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"update","record":{"recordName":"Share-1",
                "recordType":"cloudkit.share","recordChangeTag":"\#(tag ?? "")","participants":[\#(twice.joined(separator: ","))]}}]}
                """#)["records"][0]
            #expect(saved["participants"].elements.count == 3, "\(saved)")
            #expect(try run("share", "revoke", id, guid, "--participant", name, "--yes").contains("not in the share"))
            let body = #"{"shortGUIDs":[{"value":"\#(guid)"}]}"#
            let refused = try ask("public/records/accept", body, as: .friend)["results"][0]
            #expect(refused["serverErrorCode"] == "ACCESS_DENIED", "\(name): \(refused)")
        }
        let owner = try nephos.run(["share", "revoke", id, guid, "--participant", "ada@example.org", "--yes"])
        #expect(owner.status == 1 && owner.errors.contains("is the owner of this share"), "\(owner)")
    }

    @Test("stats counts shares, and check compares them with records and rows")
    func counted() async throws {
        let id = SmallCloud.container
        _ = try share()
        #expect(
            try run("stats", id).contains(
                "Shared: 1 records with what is below them, 0 zones; 0 of these are public. 1 have joined."))
        #expect(try nephos.run(["check"]).status == 0)
        // Somebody changes rows by hand.
        try await own.change(ParticipantRow.self) { $0.status = .invited }
        var found = try nephos.run(["check"])
        #expect(
            found.status == 1
                && (found.output + found.errors).contains("others participate than its share record says"), "\(found)")
        try await own.change(ParticipantRow.self) { $0.status = .accepted }
        #expect(try nephos.run(["check"]).status == 0)
        try await own.change(ShareRow.self) { $0.root += 1 }
        found = try nephos.run(["check"])
        #expect(found.status == 1 && (found.output + found.errors).contains("is in share"), "\(found)")
    }

    @Test("In production, looking at a person's shares needs their permission or a reason (S0-4)")
    func permission() async throws {
        // She has signed in to production.
        let app = try await own.serving()
        let target = try app.redirect()
        _ = try own.press("yes", on: try own.signIn(target), target).token()
        let user = try own.administration.userID(named: PeopleCloud.email, in: PeopleCloud.production)
        try await #require(throws: AdminError.self) {
            try await own.administration.noteAccess(.shares, to: [user], in: own.productionStore, reason: "")
        }
        let accesses = { try own.administration.accesses(of: PeopleCloud.email, in: PeopleCloud.production, limit: 9) }
        #expect(try accesses().isEmpty)
        try await own.administration.noteAccess(.shares, to: [user], in: own.productionStore, reason: "Ticket 4711")
        #expect(try accesses().map(\.kind) == [.shares] && accesses().allSatisfy { $0.isUnannounced })
        #expect(try own.mails(to: PeopleCloud.email).last?.contains("looked up whom you share with") == true)
    }
}

extension PeopleCloud {
    /// Changes the first row of a table in all databases of the development environment.
    fileprivate func change<Row: StoredRow>(_ type: Row.Type, _ body: (inout Row) -> Void) async throws {
        let scan = Scan<Row>(limit: 1)
        let row = try #require(try store.rows(scan).first)
        var changed = row
        body(&changed)
        var set = ReadSet()
        // Ada's.
        set.databases = [2]
        set.ask(scan)
        try await store.commit(set) { [changed] _ -> Decision<Void> in
            var writes = WriteSet()
            writes.put(changed, replacing: row)
            return .write(writes, ())
        }
    }

    fileprivate var productionStore: any TenantStore {
        get throws { try #require(try cloud.engine.open(Self.production)) }
    }
}
