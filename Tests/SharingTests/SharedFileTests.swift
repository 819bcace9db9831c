import Foundation
import NephosRunner
import NephosTesting
import RequestTesting
import Testing

/// Files of shared records (docs/protocol.md SH17, SH18).
@Suite("Files of shared records") struct SharedFileTests {
    private let people: SharingCloud

    init() async throws { people = try await SharingCloud() }

    private func exchange(
        _ method: String, _ url: String, _ body: String = "", name: String = "photo"
    ) throws -> HTTPResponse { try people.exchange(method, url, body, name: name) }

    private func offer(_ scope: String, as person: SharingCloud.Person) throws -> JSON {
        try people.offer(scope, as: person, zone: scope == "shared" ? people.zoneID : #"{"zoneName":"Notes"}"#)
    }

    /// Uploads a file. - Returns: The value for a field.
    private func upload(_ content: String, _ scope: String, as person: SharingCloud.Person) throws -> String {
        let url = try #require(try offer(scope, as: person)["tokens"][0]["url"].string)
        return try people.fileValue(of: try exchange("POST", url, content))
    }

    private func file(_ name: String, _ value: String) -> String {
        #"{"operationType":"forceUpdate","record":{"recordName":"\#(name)","recordType":"Note","fields":{"file":{"value":\#(value)}}}}"#
    }

    private func save(
        _ name: String, _ value: String, _ scope: String, as person: SharingCloud.Person
    ) throws -> JSON {
        let zone = scope == "shared" ? people.zoneID : #"{"zoneName":"Notes"}"#
        return try people.ok(
            "\(scope)/records/modify", #"{"zoneID":\#(zone),"atomic":false,"operations":[\#(file(name, value))]}"#,
            as: person)["records"][0]
    }

    private func link(_ name: String, as person: SharingCloud.Person) throws -> String? {
        try people.ok(
            "shared/records/lookup", #"{"zoneID":\#(people.zoneID),"records":[{"recordName":"\#(name)"}]}"#, as: person)[
                "records"][0]["fields"]["file"]["value"]["downloadURL"].string
    }

    /// Shares `root` with a friend who may write and a third who may read.
    private func share() throws -> String {
        let share = try people.modify([
            people.share(
                "Share-1", of: "root", [people.participant(.friend), people.participant(.third, "READ_ONLY")])
        ])[0]
        let guid = try #require(share["shortGUID"].string)
        for person in [SharingCloud.Person.friend, .third] { _ = try people.accept(guid, as: person) }
        return guid
    }

    private func end() throws {
        let tag = try people.record("Share-1")["recordChangeTag"].string
        try people.modify([people.share("Share-1", of: nil, [], tag: tag)])
    }

    @Test("Who is in a share opens the files of its records, as long as they are in it")
    func downloads() throws {
        for name in ["a", "hidden"] {
            _ = try save(name, try upload("the picture of \(name)", "private", as: .owner), "private", as: .owner)
        }
        _ = try share()
        let url = try #require(try link("a", as: .friend))
        let answer = try exchange("GET", url)
        #expect(answer.status == 200 && String(decoding: answer.body, as: UTF8.self) == "the picture of a")
        #expect(answer["Content-Type"] == "application/octet-stream", "its type may be that of a hidden file")
        #expect(try exchange("GET", url, name: "photo.png")["Content-Type"] == "image/png")
        #expect(try link("hidden", as: .friend) == nil)
        // The record leaves the share, and comes back.
        try people.modify([people.save("b", parent: "hidden", kind: "forceUpdate")])
        try people.modify([
            people.save("a", kind: "forceUpdate").replacing(#""fields""#, with: #""parent":null,"fields""#)
        ])
        #expect(try exchange("GET", url).status == 404)
        try people.modify([people.save("a", parent: "root", kind: "forceUpdate")])
        #expect(try exchange("GET", url).status == 200)
        let other = try #require(try link("a", as: .third))
        try end()
        for url in [url, other] {
            let refused = try exchange("GET", url)
            #expect(refused.status == 404 && !String(decoding: refused.body, as: UTF8.self).contains("picture"))
        }
        try expectSound()
    }

    @Test("A transfer that has begun breaks off within a second after the right has ended")
    func transfers() throws {
        let content = String(repeating: "0123456789", count: 60_000)
        _ = try save("a", try upload(content, "private", as: .owner), "private", as: .owner)
        _ = try share()
        let url = try #require(try link("a", as: .friend))
        let start = try #require(url.firstRange(of: "/asset/"))
        let request = people.cloud.request("GET", String(url[start.lowerBound...]), as: .stranger)
        guard case .file(let answer) = people.cloud.responder.outcome(of: request) else {
            Issue.record("no file")
            return
        }
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        func read(at offset: Int64) throws -> Int {
            try piece.withUnsafeMutableBytes { try answer.source.read(at: offset, into: $0) }
        }
        #expect(try read(at: 0) == 64 << 10)
        people.cloud.inputs.now += 1_000
        #expect(try read(at: 64 << 10) == 64 << 10, "the right is still there")
        try end()
        people.cloud.inputs.now += 999
        #expect(try read(at: 128 << 10) == 64 << 10, "it was proved a moment ago")
        people.cloud.inputs.now += 1
        #expect(throws: FileAnswer.RightEnded.self) { try read(at: 192 << 10) }
        people.cloud.inputs.now -= 1_000
        #expect(throws: FileAnswer.RightEnded.self, "the last piece") { try read(at: 600_000 - 64 << 10) }
    }

    @Test("A link and a ticket for files of somebody else say nothing about them")
    func opaque() throws {
        _ = try save("a", try upload("x", "private", as: .owner), "private", as: .owner)
        _ = try share()
        let own = try #require(
            try people.record("a")["fields"]["file"]["value"]["downloadURL"].string.flatMap(Self.token))
        let foreign = try #require(try link("a", as: .friend).flatMap(Self.token))
        let ticket = try #require(try offer("shared", as: .friend)["tokens"][0]["url"].string.flatMap(Self.token))
        // The name of the record is in the content of both.
        func shows(_ token: [UInt8]) -> Bool { String(decoding: token, as: UTF8.self).contains("file") }
        #expect(shows(own) && !shows(foreign) && !shows(ticket))
        let receipt = try upload("y", "shared", as: .friend).split(separator: "\"").map(String.init)[9]
        let bytes = try #require(Data(base64Encoded: receipt).map(Array.init))
        #expect(bytes.count % 16 == 14, "encrypted content has the length of a multiple: \(bytes.count)")
    }

    private static func token(_ url: String) -> [UInt8]? {
        let text = url.split(separator: "?t=").last.map(String.init) ?? ""
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        return Data(base64Encoded: standard + String(repeating: "=", count: (4 - standard.count % 4) % 4)).map(
            Array.init)
    }

    @Test("Who may write puts files into records of the share; what was offered ends with the right")
    func uploads() throws {
        let guid = try share()
        let value = try upload("by a friend", "shared", as: .friend)
        let saved = try save("a", value, "shared", as: .friend)
        #expect(saved["serverErrorCode"].isAbsent, "\(saved)")
        let url = try #require(try people.record("a")["fields"]["file"]["value"]["downloadURL"].string)
        #expect(String(decoding: try exchange("GET", url).body, as: UTF8.self) == "by a friend")
        #expect(
            String(decoding: try exchange("GET", try #require(try link("a", as: .third))).body, as: UTF8.self)
                == "by a friend")
        // A reader uploads nothing, and nobody uses what was given to others.
        #expect(try offer("shared", as: .third)["serverErrorCode"] == "ACCESS_DENIED")
        let theirs = try save("b", value, "private", as: .owner)
        #expect(theirs["serverErrorCode"] == "BAD_REQUEST", "a receipt is for one person: \(theirs)")
        let again = try people.ok(
            "shared/assets/rereference",
            #"{"zoneID":\#(people.zoneID),"assets":[{"recordName":"a","fieldName":"file"}]}"#, as: .friend)["assets"][0]
        let copy =
            #"{"fileChecksum":"\#(again["fileChecksum"].string ?? "")","size":11,"receipt":"\#(again["receipt"].string ?? "")"}"#
        #expect(try save("b", copy, "shared", as: .friend)["serverErrorCode"].isAbsent)
        let hidden = try people.json(
            "shared/assets/rereference",
            #"{"zoneID":\#(people.zoneID),"assets":[{"recordName":"hidden","fieldName":"file"}]}"#, as: .friend)
        let missing = try people.json(
            "shared/assets/rereference",
            #"{"zoneID":\#(people.zoneID),"assets":[{"recordName":"nowhere","fieldName":"file"}]}"#, as: .friend)
        #expect(
            "\(hidden["reason"])".replacing("hidden", with: "nowhere") == "\(missing["reason"])", "\(hidden) \(missing)"
        )

        // After the removal: the ticket, a receipt, and a link.
        let ticket = try #require(try offer("shared", as: .friend)["tokens"][0]["url"].string)
        let receipt = try upload("another", "shared", as: .friend)
        try end()
        #expect(try exchange("POST", ticket, "too late").status == 403)
        #expect(
            try people.json(
                "shared/records/modify", #"{"zoneID":\#(people.zoneID),"operations":[\#(file("a", receipt))]}"#,
                as: .friend)["serverErrorCode"] == "ZONE_NOT_FOUND")
        let own = try people.ok(
            "private/records/modify", #"{"operations":[\#(file("own", receipt))]}"#, as: .friend)["records"][0]
        #expect(own["serverErrorCode"] == "BAD_REQUEST", "in their own database: \(own)")
        #expect(try offer("shared", as: .friend)["serverErrorCode"] == "ZONE_NOT_FOUND")
        #expect(try people.accept(guid, as: .friend)["serverErrorCode"] == "ACCESS_DENIED")
        try expectSound()
    }

    @Test("In a shared zone, and as a visitor of a public share, it is the same")
    func others() throws {
        _ = try save("other", try upload("of the zone", "private", as: .owner), "private", as: .owner)
        let zone = try people.modify([people.share("cloudkit.zoneshare", of: nil, permission: "READ_WRITE")])[0]
        let guid = try #require(zone["shortGUID"].string)
        #expect(try people.resolve(guid, as: .third)["serverErrorCode"].isAbsent)
        _ = try people.accept(guid, as: .third)
        let url = try #require(try link("other", as: .third))
        #expect(String(decoding: try exchange("GET", url).body, as: UTF8.self) == "of the zone")
        let saved = try save("hidden", try upload("by a visitor", "shared", as: .third), "shared", as: .third)
        #expect(saved["serverErrorCode"].isAbsent, "\(saved)")
        let tag = try people.record("cloudkit.zoneshare")["recordChangeTag"].string
        try people.modify([people.share("cloudkit.zoneshare", of: nil, permission: "NONE", tag: tag)])
        #expect(try exchange("GET", url).status == 404)
        try expectSound()
    }

    @Test("Whoever only looks at a share gets no links: the record that they see has files")
    func looking() throws {
        _ = try save("root", try upload("of the root", "private", as: .owner), "private", as: .owner)
        let share = try people.modify([people.share("Share-1", of: "root", [people.participant(.friend)])])[0]
        let guid = try #require(share["shortGUID"].string)
        let seen = try people.resolve(guid, as: .friend)["rootRecord"]["fields"]["file"]["value"]
        #expect(seen["size"].int64 == 11 && seen["downloadURL"].isAbsent, "\(seen)")
        let joined = try people.ok(
            "public/records/accept", #"{"shortGUIDs":[{"value":"\#(guid)","shouldFetchRootRecord":true}]}"#, as: .friend
        )[
            "results"][0]["rootRecord"]["fields"]["file"]["value"]["downloadURL"].string
        #expect(String(decoding: try exchange("GET", try #require(joined)).body, as: UTF8.self) == "of the root")
        let own = try people.resolve(guid, as: .owner)["rootRecord"]["fields"]["file"]["value"]["downloadURL"].string
        #expect(String(decoding: try exchange("GET", try #require(own)).body, as: UTF8.self) == "of the root")
    }

    private func expectSound() throws {
        let findings = try people.cloud.check()
        #expect(findings.isEmpty, "\(findings)")
    }
}
