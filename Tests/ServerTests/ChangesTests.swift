import NephosTesting
import Testing

extension ServerTests {
    /// docs/protocol.md, Z2 to Z9.
    @Suite struct ChangesTests {
        let notes: Notes
        let ada: CloudKitClient

        init() throws {
            notes = try Notes()
            ada = notes.ada
        }

        /// One page of one zone.
        private func page(
            _ token: JSON = .absent, zone: String = "Notes", with more: JSON = [:],
            sourceLocation: SourceLocation = #_sourceLocation
        ) throws -> JSON {
            var entry: JSON = ["zoneID": ["zoneName": .string(zone)], "syncToken": token]
            for member in more.members { entry[member.name] = member.value }
            let answer = try ada.answer("changes/zone", ["zones": [entry]], sourceLocation: sourceLocation)
            try #require(answer["zones"].elements.count == 1, "\(answer)", sourceLocation: sourceLocation)
            return answer["zones"][0]
        }

        private func names(_ page: JSON) -> [String] {
            page["records"].elements.compactMap {
                ($0["deleted"] == true ? "-" : "+") + ($0["recordName"].string ?? "?")
            }
        }

        // Z5
        @Test func aPersonIsFollowedFromNothingToTheEnd() throws {
            try ada.createZones("Other")
            for zone in ["Notes", "Other"] {
                try ada.modify((0..<5).map { operation("create", "\(zone)\($0)") }, zone: zone)
            }
            var zones: Set<String> = []
            var token: JSON = .absent
            var more = true
            while more {
                let page = try ada.answer("changes/database", ["syncToken": token, "resultsLimit": 1])
                zones.formUnion(page["zones"].elements.compactMap { $0["zoneID"]["zoneName"].string })
                more = try #require(page["moreComing"].bool as Bool?)
                token = page["syncToken"]
                _ = try #require(token.string)
            }
            #expect(
                zones.isSuperset(of: ["Notes", "Other"]) && zones.isSubset(of: ["Notes", "Other", "_defaultZone"]))
            for zone in ["Notes", "Other"] {
                var found: [String] = []
                var token: JSON = .absent
                var more = true
                while more {
                    let page = try page(token, zone: zone, with: ["resultsLimit": 2])
                    #expect(page["records"].elements.count <= 2)
                    #expect(page["zoneID"]["zoneName"] == .string(zone))
                    for record in page["records"].elements { expectRecord(record) }
                    found += names(page)
                    more = try #require(page["moreComing"].bool as Bool?)
                    token = page["syncToken"]
                }
                #expect(found == (0..<5).map { "+\(zone)\($0)" })
            }
        }

        // Z4
        @Test func aRecordAppearsOnceInItsLatestState() throws {
            let start = try page()["syncToken"]
            try ada.modify(["A", "B", "C"].map { operation("create", $0) })
            let middle = try page()["syncToken"]
            try ada.modify(operation("forceUpdate", "A", fields: ["n": ["value": 1]]))
            try ada.modify(operation("delete", "B"))
            #expect(names(try page()).filter { $0 != "-B" } == ["+C", "+A"])
            #expect(names(try page(start)).filter { $0 != "-B" } == ["+C", "+A"])
            #expect(names(try page(middle)) == ["+A", "-B"])
            let changed = try page(middle)["records"][0]
            expectRecord(changed, name: "A", fields: ["n": ["value": 1, "type": "INT64"]])
            #expect(changed == (try ada.lookUp("A")))
        }

        @Test(
            "Z4: a tombstone has the name of the record and its zone, but no change tag: strict clients know no other key"
        )
        func aTombstoneSaysWhatIsGone() throws {
            let tag = try ada.create("A", fields: ["n": ["value": 1]])
            let token = try page()["syncToken"]
            try ada.modify(operation("delete", "A", tag: tag))
            let tombstone = try page(token)["records"][0]
            #expect(tombstone.names == ["deleted", "recordName", "zoneID"], "\(tombstone)")
            #expect(tombstone["recordName"] == "A" && tombstone["deleted"] == true)
            #expect(tombstone["zoneID"]["zoneName"] == "Notes")
            #expect(try page()["records"] == [], "who starts from nothing is not told what is gone")
        }

        // Z4
        @Test func aRecordThatCameBackIsNoTombstone() throws {
            try ada.create("A")
            let token = try page()["syncToken"]
            try ada.modify(operation("delete", "A"))
            try ada.modify(operation("create", "A", type: "Other"))
            #expect(names(try page(token)) == ["+A"])
        }

        // Z5
        @Test func tokensCanBeUsedAgain() throws {
            try ada.modify((0..<9).map { operation("create", "R\($0)") })
            let first = try page(with: ["resultsLimit": 4])
            #expect(first["moreComing"] == true)
            let second = try page(first["syncToken"], with: ["resultsLimit": 4])
            #expect(try page(first["syncToken"], with: ["resultsLimit": 4]) == second)
            let end = try page(second["syncToken"])
            #expect(names(end) == ["+R8"] && end["moreComing"] == false)
            let nothing = try page(end["syncToken"])
            #expect(nothing["records"] == [] && nothing["moreComing"] == false && nothing["syncToken"].string != nil)
        }

        // Z9
        @Test func everyTokenIsPaddedBase64() throws {
            let listed = try ada.answer("zones/list")["zones"].elements.compactMap { $0["syncToken"].string }
            let database = try ada.answer("changes/database")["syncToken"].string
            let zone = try page()["syncToken"].string
            for token in listed + [database, zone].compactMap({ $0 }) {
                #expect(token.wholeMatch(of: #/([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?/#) != nil)
            }
            #expect(!listed.isEmpty && database != nil && zone != nil)
        }

        @Test func tokensOfListsWorkInTheFeed() throws {
            try ada.create("A")
            let zones = try ada.answer("zones/list")["zones"].elements
            let token = try #require(zones.first { $0["zoneID"]["zoneName"] == "Notes" })["syncToken"]
            try ada.create("B")
            #expect(names(try page(token)) == ["+B"])
        }

        // Z6
        @Test func anEmptyTokenMeansCaughtUp() throws {
            try ada.create("A")
            let page = try page("")
            #expect(page["records"] == [] && page["moreComing"] == false)
            try ada.create("B")
            #expect(names(try self.page(page["syncToken"])) == ["+B"])
        }

        // Z7, Z9
        @Test func aTokenThatIsNoneIsRefused() throws {
            try ada.createZones("Other")
            let database = try ada.answer("changes/database")["syncToken"]
            let other = try page(zone: "Other")["syncToken"]
            let own = try #require(try page()["syncToken"].string)
            var altered = Array(own)
            altered[altered.count / 2] = altered[altered.count / 2] == "A" ? "B" : "A"
            for token in [
                database, other, "junk", "AAAA", "%%%", .string(String(altered)), .string(String(own.dropLast(4))),
            ] {
                let page = try page(token)
                #expect(page["serverErrorCode"] == "BAD_REQUEST", "\(token): \(page)")
                #expect(page["reason"].string?.isEmpty == false && page["records"].isAbsent)
            }
            for token in ["junk", .string(own)] as [JSON] {
                try expectRefused(try ada.post("changes/database", .private, ["syncToken": token]), "BAD_REQUEST")
            }
        }

        // Z7
        @Test func anotherPersonsTokenIsRefused() throws {
            let grace = try notes.grace()
            try grace.createZones("Notes")
            let theirs = try grace.answer("changes/zone", ["zones": [["zoneID": ["zoneName": "Notes"]]]])
            #expect(try page(theirs["zones"][0]["syncToken"])["serverErrorCode"] == "BAD_REQUEST")
            let token = try grace.answer("changes/database")["syncToken"]
            try expectRefused(try ada.post("changes/database", .private, ["syncToken": token]), "BAD_REQUEST")
        }

        // Z2, Z7
        @Test func theTokenOfADeletedZoneIsExpired() throws {
            try ada.create("A")
            let old = try page()["syncToken"]
            let database = try ada.answer("changes/database")["syncToken"]
            try ada.deleteZones("Notes")
            #expect(try page(old)["serverErrorCode"] == "ZONE_NOT_FOUND")
            let gone = try ada.answer("changes/database", ["syncToken": database])["zones"]
            #expect(gone.elements.count == 1 && gone[0]["deleted"] == true && gone[0]["zoneID"]["zoneName"] == "Notes")
            try ada.createZones("Notes")
            try ada.create("B")
            let expired = try page(old)
            #expect(expired["serverErrorCode"] == "BAD_REQUEST", "\(expired)")
            ada.headers.append(HTTPHeader("X-Nephos-Client", "1"))
            #expect(try page(old)["ckErrorCode"] == 21)
            #expect(names(try page()) == ["+B"])
            let back = try ada.answer("changes/database", ["syncToken": database])["zones"].elements
            #expect(back.last?["zoneID"]["zoneName"] == "Notes" && back.last?["deleted"] != true, "\(back)")
        }

        @Test func zonesAreAnsweredInTheOrderAskedFor() throws {
            try ada.createZones("Other")
            let asked = ["Other", "Nowhere", "Notes"]
            let zones = try ada.answer(
                "changes/zone", ["zones": .array(asked.map { ["zoneID": ["zoneName": .string($0)]] })])["zones"]
            #expect(zones.elements.compactMap { $0["zoneID"]["zoneName"].string } == asked)
            #expect(zones[1]["serverErrorCode"] == "ZONE_NOT_FOUND" && zones[1]["reason"].string != nil)
        }

        @Test("One request follows several zones, each from its own token (S1-24)")
        func eachZoneFromItsOwnToken() throws {
            try ada.createZones("Other", "Third")
            var tokens: [String: JSON] = [:]
            for (zone, known) in [("Notes", 1), ("Other", 3), ("Third", 0)] {
                for number in 0..<4 {
                    if number == known, known > 0 { tokens[zone] = try page(zone: zone)["syncToken"] }
                    try ada.create("\(zone)\(number)", zone: zone)
                }
            }
            let zones = ["Notes", "Other", "Third"].map { zone -> JSON in
                ["zoneID": ["zoneName": .string(zone)], "syncToken": tokens[zone] ?? .absent]
            }
            let answer = try ada.answer("changes/zone", ["zones": .array(zones)])["zones"].elements
            #expect(
                answer.map(names) == [
                    ["+Notes1", "+Notes2", "+Notes3"], ["+Other3"], ["+Third0", "+Third1", "+Third2", "+Third3"],
                ])
            // The tokens of the zones are independent.
            try ada.create("Other4", zone: "Other")
            let later = answer.map { zone -> JSON in ["zoneID": zone["zoneID"], "syncToken": zone["syncToken"]] }
            let next = try ada.answer("changes/zone", ["zones": .array(later)])["zones"].elements
            #expect(next.map(names) == [[], ["+Other4"], []])
        }

        // J9
        @Test func limitsAreKept() throws {
            for batch in 0..<2 { try ada.modify((0..<110).map { operation("create", "R\(batch * 110 + $0)") }) }
            for limit in [JSON.absent, 200, 5_000] {
                let page = try page(with: ["resultsLimit": limit])
                #expect(page["records"].elements.count == 200 && page["moreComing"] == true)
            }
            for limit in [0, -1] as [JSON] {
                let entry: JSON = ["zones": [["zoneID": ["zoneName": "Notes"], "resultsLimit": limit]]]
                let response = try ada.post("changes/zone", .private, entry)
                let body = try response.json
                let code = response.status == 200 ? body["zones"][0]["serverErrorCode"] : body["serverErrorCode"]
                #expect(code == "BAD_REQUEST", "\(body)")
            }
            let top: JSON = ["zones": [["zoneID": ["zoneName": "Notes"]]], "resultsLimit": 7]
            #expect(try ada.answer("changes/zone", top)["zones"][0]["records"].elements.count == 7)
        }

        // Z6
        @Test func typesAndDirectionCanBeChosen() throws {
            try ada.modify((0..<4).map { operation("create", "N\($0)") })
            try ada.modify((0..<3).map { operation("create", "O\($0)", type: "Other") })
            let others = try page(with: ["desiredRecordTypes": ["Other"]])
            #expect(names(others) == ["+O0", "+O1", "+O2"])
            let back = try page(with: ["reverse": true])
            #expect(names(back) == ["+O2", "+O1", "+O0", "+N3", "+N2", "+N1", "+N0"])
            let first = try page(with: ["reverse": true, "resultsLimit": 3])
            #expect(names(first) == ["+O2", "+O1", "+O0"] && first["moreComing"] == true)
            let rest = try page(first["syncToken"], with: ["reverse": true])
            #expect(names(rest) == ["+N3", "+N2", "+N1", "+N0"])
        }

        // Z3
        @Test func theDefaultZoneAndThePublicDatabaseHaveNoFeed() throws {
            #expect(try page(zone: "_defaultZone")["serverErrorCode"] == "BAD_REQUEST")
            for path in ["changes/zone", "changes/database", "records/changes", "zones/changes"] {
                let body: JSON = ["zones": [["zoneID": ["zoneName": "Notes"]]], "zoneID": ["zoneName": "Notes"]]
                let refusal = try expectRefused(try ada.post(path, .public, body), "BAD_REQUEST")
                #expect(refusal["reason"].string?.contains("publicdb") == true, "\(refusal)")
            }
        }

        @Test func theOlderFeedOfRecordsWorksAlike() throws {
            try ada.modify(["A", "B", "C"].map { operation("create", $0) })
            let zone: JSON = ["zoneName": "Notes"]
            let first = try ada.answer("records/changes", ["zoneID": zone, "resultsLimit": 2])
            try ada.modify(operation("delete", "B"))
            #expect(names(first) == ["+A", "+B"] && first["moreComing"] == true)
            let rest = try ada.answer("records/changes", ["zoneID": zone, "syncToken": first["syncToken"]])
            #expect(names(rest) == ["+C", "-B"] && rest["moreComing"] == false)
            #expect(names(try page(first["syncToken"])) == ["+C", "-B"], "tokens of both feeds are the same")
            let refused: [(JSON, String)] = [
                (["zoneName": "_defaultZone"], "BAD_REQUEST"), (["zoneName": "Nowhere"], "ZONE_NOT_FOUND"),
            ]
            for (zone, code) in refused {
                try expectRefused(try ada.post("records/changes", .private, ["zoneID": zone]), code)
            }
            try expectRefused(try ada.post("records/changes", .private, [:]), "BAD_REQUEST")
        }
    }
}
