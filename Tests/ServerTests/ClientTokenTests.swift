import NephosTesting
import Testing

extension ServerTests {
    /// docs/protocol.md, X5 to X7.
    @Suite struct ClientTokenTests {
        let notes: Notes
        let ada: CloudKitClient

        init() throws {
            notes = try Notes()
            ada = notes.ada
            ada.headers.append(HTTPHeader("X-Nephos-Client", "1"))
        }

        private func token(_ text: String?) -> JSON { ["clientChangeToken": text.map { .string($0) } ?? .null] }

        /// The zone in a response of its feed.
        private func page(_ zone: String = "Notes", since token: JSON = .absent, as client: CloudKitClient? = nil)
            throws
            -> JSON
        {
            let asked: JSON = ["zoneID": ["zoneName": .string(zone)], "syncToken": token]
            return try (client ?? ada).answer("changes/zone", ["zones": [asked]])["zones"][0]
        }

        private func kept(_ zone: String = "Notes") throws -> JSON { try page(zone)["clientChangeToken"] }

        // X5
        @Test func theFeedShowsWhatTheLatestRequestBrought() throws {
            #expect(try kept().isAbsent)
            try ada.modify(operation("create", "A"), with: token("AP8B"))
            #expect(try kept() == "AP8B")
            try ada.modify(operation("create", "B"), with: token("Ag=="))
            let page = try page()
            #expect(page["clientChangeToken"] == "Ag==" && page["records"].elements.count == 2)
            let older = try ada.answer("records/changes", ["zoneID": ["zoneName": "Notes"]])
            #expect(older["clientChangeToken"] == "Ag==")
            try ada.modify(operation("forceDelete", "A"), with: token(""))
            #expect(try kept() == "", "no bytes are a token too")
        }

        // X5
        @Test func aRequestWithoutOneKeepsTheFormer() throws {
            try ada.modify(operation("create", "A"), with: token("AQ=="))
            try ada.modify(operation("create", "B"))
            try ada.modify(operation("create", "C"), with: token(nil))
            #expect(try kept() == "AQ==")
        }

        // X5
        @Test func everyPageOfTheFeedShowsIt() throws {
            try ada.modify((0..<5).map { operation("create", "R\($0)") }, with: token("AQ=="))
            let asked: JSON = ["zoneID": ["zoneName": "Notes"], "resultsLimit": 2]
            let first = try ada.answer("changes/zone", ["zones": [asked]])["zones"][0]
            #expect(first["moreComing"] == true && first["clientChangeToken"] == "AQ==")
            #expect(try page(since: first["syncToken"])["clientChangeToken"] == "AQ==")
            #expect(try page(since: "")["clientChangeToken"] == "AQ==")
        }

        // X5
        @Test func whoDoesNotAskForItGetsAppleKeysOnly() throws {
            try ada.modify(operation("create", "A"), with: token("AQ=="))
            ada.headers.removeLast()
            let page = try page()
            #expect(page.names == ["moreComing", "records", "syncToken", "zoneID"], "\(page)")
            let older = try ada.answer("records/changes", ["zoneID": ["zoneName": "Notes"]])
            #expect(older.names == ["moreComing", "records", "syncToken"], "\(older)")
        }

        // X5
        @Test func itHas1024BytesInBase64() throws {
            let longest = String(repeating: "AAAA", count: 341) + "AA=="
            try ada.modify(operation("create", "A"), with: token(longest))
            #expect(try kept() == .string(longest))
            let bad: [(JSON, String)] = [
                (.string(String(repeating: "AAAA", count: 341) + "AAA="), "1025 bytes"), ("AQ", "base64"),
                ("!!!!", "base64"), (["AQ=="], "string"), (1, "string"),
            ]
            for (value, cause) in bad {
                let body: JSON = [
                    "zoneID": ["zoneName": "Notes"], "operations": [operation("create", "B")],
                    "clientChangeToken": value,
                ]
                let refusal = try expectRefused(try ada.post("records/modify", .private, body), "BAD_REQUEST")
                let reason = refusal["reason"].string ?? ""
                #expect(reason.hasPrefix("clientChangeToken: ") && reason.contains(cause), "\(reason)")
                #expect(refusal["ckErrorCode"] == 12, "splitting the request would not help")
            }
            #expect(try kept() == .string(longest) && page()["records"].elements.count == 1)
        }

        // X6
        @Test func aRequestOfWhichNothingWasTakenKeepsTheFormer() throws {
            try ada.modify(operation("create", "A"), with: token("AQ=="))
            let (good, bad) = (operation("create", "B"), operation("create", "A"))
            try ada.modify([good, bad], with: token("Ag=="))
            #expect(try kept() == "AQ==", "an atomic batch that failed")
            try ada.modify(bad, atomic: false, with: token("Ag=="))
            #expect(try kept() == "AQ==", "all items failed")
            try ada.modify([good, bad], atomic: false, with: token("Aw=="))
            #expect(try kept() == "Aw==", "one item was saved")
        }

        // X6
        @Test func eachZoneOfARequestKeepsItByItself() throws {
            try ada.createZones("Other", "Third")
            try ada.modify(
                [operation("create", "A"), operation("create", "B", zone: "Other")], with: token("AQ=="))
            try ada.modify(
                [operation("create", "A"), operation("create", "C", zone: "Other")], with: token("Ag=="))
            #expect(try [kept("Notes"), kept("Other")] == ["AQ==", "Ag=="])
            #expect(try kept("Third").isAbsent)
        }

        // X6, Z2
        @Test func aZoneThatIsMadeAgainHasNone() throws {
            try ada.modify(operation("create", "A"), with: token("AQ=="))
            try ada.deleteZones("Notes")
            try ada.createZones("Notes")
            #expect(try kept().isAbsent)
        }

        // X6
        @Test func nobodyElseSeesIt() throws {
            let grace = try notes.grace()
            grace.headers.append(HTTPHeader("X-Nephos-Client", "1"))
            try grace.createZones("Notes")
            try ada.modify(operation("create", "A"), with: token("AQ=="))
            try ada.modify(operation("create", "P"), zone: nil, in: .public, with: token("AQ=="))
            try ada.modify(operation("create", "D"), zone: nil, with: token("AQ=="))
            #expect(try page(as: grace)["clientChangeToken"].isAbsent)
            let found = try grace.post("records/lookup", .public, ["records": [["recordName": "P"]]])
            let text = String(decoding: found.body, as: UTF8.self)
            #expect(text.contains("\"P\"") && !text.contains("clientChangeToken"), "\(text)")
        }

        // X7
        @Test func whatChangesNothingElseIsSeenByWhoFollowsTheDatabase() throws {
            try ada.create("A")
            let (database, zone) = (try ada.answer("changes/database")["syncToken"], try page()["syncToken"])
            func changed() throws -> Int {
                try ada.answer("changes/database", ["syncToken": database])["zones"].elements.count
            }
            try ada.modify(operation("forceDelete", "gone"))
            #expect(try changed() == 0)
            try ada.modify(operation("forceDelete", "gone"), with: token("AQ=="))
            #expect(try changed() == 1)
            let page = try page(since: zone)
            #expect(page["clientChangeToken"] == "AQ==" && page["records"] == [])
            try ada.modify(operation("forceDelete", "gone"), with: token("AQ=="))
            #expect(try self.page(since: page["syncToken"])["syncToken"] == page["syncToken"], "nothing was written")
        }
    }
}
