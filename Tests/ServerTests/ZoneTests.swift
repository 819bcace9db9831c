import NephosTesting
import Testing

extension ServerTests {
    /// docs/protocol.md, Z1 to Z3 and Z8 to Z10.
    @Suite struct ZoneTests {
        let notes: Notes
        let ada: CloudKitClient

        init() throws {
            notes = try Notes()
            ada = notes.ada
        }

        @Test func theListHasTheDefaultZoneAndAllOthers() throws {
            try ada.createZones("Other")
            let caller = try ada.answer("users/caller", in: .public)["userRecordName"]
            let zones = try expectSuccess(try ada.get("zones/list"))["zones"].elements
            let names = zones.compactMap { $0["zoneID"]["zoneName"].string }
            #expect(names.sorted() == ["Notes", "Other", "_defaultZone"])
            for zone in zones {
                let isDefault = zone["zoneID"]["zoneName"] == "_defaultZone"
                #expect(zone["zoneID"]["ownerRecordName"] == caller)
                #expect(zone["zoneID"]["zoneType"] == (isDefault ? "DEFAULT_ZONE" : "REGULAR_CUSTOM_ZONE"))
                #expect(zone["atomic"] == .bool(!isDefault), "\(zone)")
                #expect(zone["deleted"].isAbsent || zone["deleted"] == false)
                if !isDefault { #expect(zone["syncToken"].string?.isEmpty == false, "\(zone)") }
            }
        }

        // Z3
        @Test func thePublicDatabaseHasTheDefaultZoneOnly() throws {
            for client in [ada, notes.container.app] {
                let zones = try expectSuccess(try client.get("zones/list", .public))["zones"].elements
                #expect(zones.map { $0["zoneID"]["zoneName"] } == ["_defaultZone"])
            }
            let body: JSON = ["operations": [["operationType": "create", "zone": ["zoneID": ["zoneName": "Z"]]]]]
            try expectRefused(try ada.post("zones/modify", .public, body), "BAD_REQUEST")
            let lookup: JSON = ["records": [["recordName": "A"]], "zoneID": ["zoneName": "Notes"]]
            try expectRefused(try ada.post("records/lookup", .public, lookup), "ZONE_NOT_FOUND")
        }

        // Z1
        @Test func creatingAZoneAgainAnswersTheZoneThatIsThere() throws {
            try ada.create("A")
            let again = try ada.modifyZones("create", ["Notes", "New"])
            for (zone, name) in zip(again, ["Notes", "New"]) {
                #expect(zone["zoneID"]["zoneName"] == .string(name))
                #expect(zone["zoneID"]["zoneType"] == "REGULAR_CUSTOM_ZONE")
                #expect(zone["atomic"] == true)
                #expect(zone["syncToken"].string?.isEmpty == false)
            }
            expectRecord(try ada.lookUp("A"), name: "A")
        }

        // Z1, E3
        @Test func eachItemIsAnsweredForItself() throws {
            let body: JSON = [
                "operations": [
                    ["operationType": "create", "zone": ["zoneID": ["zoneName": "New"]]],
                    ["operationType": "delete", "zone": ["zoneID": ["zoneName": "Nowhere"]]],
                    ["operationType": "delete", "zone": ["zoneID": ["zoneName": "_defaultZone"]]],
                    ["operationType": "delete", "zone": ["zoneID": ["zoneName": "Notes"]]],
                ]
            ]
            let zones = try ada.answer("zones/modify", body)["zones"]
            #expect(zones[0]["zoneID"]["zoneName"] == "New")
            #expect(zones[1]["serverErrorCode"] == "ZONE_NOT_FOUND")
            #expect(zones[1]["zoneID"]["zoneName"] == "Nowhere" && zones[1]["reason"].string != nil)
            #expect(zones[2]["serverErrorCode"] == "BAD_REQUEST")
            #expect(zones[3]["deleted"] == true && zones[3]["zoneID"]["zoneName"] == "Notes", "\(zones)")
        }

        @Test func zonesAreLookedUpInEitherForm() throws {
            let body: JSON = [
                "zones": [
                    ["zoneName": "Notes"], ["zoneID": ["zoneName": "Notes"]], ["zoneName": "Nowhere"],
                    ["zoneName": "_defaultZone"],
                ]
            ]
            let zones = try ada.answer("zones/lookup", body)["zones"]
            #expect(zones.elements.count == 4)
            #expect(zones[0] == zones[1] && zones[0]["zoneID"]["zoneName"] == "Notes")
            #expect(zones[2]["serverErrorCode"] == "ZONE_NOT_FOUND" && zones[2]["zoneID"]["zoneName"] == "Nowhere")
            #expect(zones[3]["zoneID"]["zoneType"] == "DEFAULT_ZONE")
        }

        // Z2
        @Test func deletingAZoneDeletesItsRecords() throws {
            try ada.create("A")
            try ada.deleteZones("Notes")
            let body: JSON = ["records": [["recordName": "A"]], "zoneID": ["zoneName": "Notes"]]
            try expectRefused(try ada.post("records/lookup", .private, body), "ZONE_NOT_FOUND")
            let looked = try ada.answer("zones/lookup", ["zones": [["zoneName": "Notes"]]])["zones"][0]
            #expect(looked["serverErrorCode"] == "ZONE_NOT_FOUND")
            try ada.createZones("Notes")
            expectItem(try ada.lookUp("A"), refusedWith: "NOT_FOUND")
            #expect(
                try ada.answer("changes/zone", ["zones": [["zoneID": ["zoneName": "Notes"]]]])["zones"][0]["records"]
                    == [])
            expectRecord(try ada.modify(operation("create", "A")), name: "A")
        }

        // Z8
        @Test func theOlderFeedOfZonesKnowsItsOwnToken() throws {
            let first = try ada.answer("zones/changes")
            #expect(first["zones"].elements.map { $0["zoneID"]["zoneName"] } == ["Notes"], "\(first)")
            #expect(first["moreComing"] == false)
            let token = first["metaSyncToken"]
            #expect(token.string?.isEmpty == false)
            #expect(try ada.answer("zones/changes", ["metaSyncToken": token])["zones"] == [])
            try ada.createZones("Other")
            try ada.deleteZones("Notes")
            let next = try ada.answer("zones/changes", ["metaSyncToken": token])["zones"].elements
            let deleted = next.map { ($0["zoneID"]["zoneName"].string ?? "", $0["deleted"].bool ?? false) }
            #expect(Set(deleted.map { "\($0)" }) == [#"("Other", false)"#, #"("Notes", true)"#], "\(next)")
            #expect(try ada.answer("zones/changes", ["syncToken": token])["zones"].elements.count == 2)
            try expectRefused(try ada.post("zones/changes", .private, ["metaSyncToken": "junk"]), "BAD_REQUEST")
        }

        // Z10
        @Test func nothingIsSharedYet() throws {
            #expect(try ada.answer("zones/list", in: .shared)["zones"] == [])
        }

        // J8
        @Test func malformedRequestsAreRefusedWhole() throws {
            for (path, body) in [
                ("zones/lookup", "{}"), ("zones/lookup", #"{"zones":1}"#), ("zones/modify", "{}"),
                ("zones/modify", #"{"operations":[{"operationType":"paint","zone":{"zoneID":{"zoneName":"a"}}}]}"#),
                ("zones/modify", #"{"operations":[{"operationType":"create"}]}"#),
            ] {
                let response = try ada.send("POST", ada.path(path, .private), body: Array(body.utf8))
                try expectRefused(response, "BAD_REQUEST")
            }
        }
    }
}
