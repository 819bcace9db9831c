import NephosTesting
import Testing

extension ServerTests {
    /// docs/protocol.md, E3, M2 and Limits, for records/lookup.
    @Suite struct LookupTests {
        let ada: CloudKitClient

        init() throws { ada = try Notes().ada }

        @Test func resultsStandInTheOrderOfTheNames() throws {
            try ada.modify(["A", "B", "C"].map { operation("create", $0) })
            let names = ["C", "missing", "A", "C", "B"]
            let results = try ada.lookUp(names)
            #expect(results.map(\.["recordName"].string) == names)
            expectItem(results[1], refusedWith: "NOT_FOUND", name: "missing")
            #expect(results[0] == results[3])
        }

        @Test func twoHundredNamesAreTheMost() throws {
            let names = (0...200).map { "R\($0)" }
            #expect(try ada.lookUp(Array(names.dropLast())).count == 200)
            let body: JSON = [
                "records": .array(names.map { ["recordName": .string($0)] }), "zoneID": ["zoneName": "Notes"],
            ]
            try expectRefused(try ada.post("records/lookup", .private, body), "BAD_REQUEST")
            #expect(try ada.lookUp([]).isEmpty)
        }

        @Test func aMissingZoneIsToldForTheWholeRequest() throws {
            let body: JSON = ["records": [["recordName": "A"]], "zoneID": ["zoneName": "Nowhere"]]
            try expectRefused(try ada.post("records/lookup", .private, body), "ZONE_NOT_FOUND")
        }

        @Test func onePersonsRecordsAreNobodyElses() throws {
            let notes = try Notes()
            try notes.ada.create("A")
            let grace = try notes.grace()
            let body: JSON = ["records": [["recordName": "A"]], "zoneID": ["zoneName": "Notes"]]
            try expectRefused(try grace.post("records/lookup", .private, body), "ZONE_NOT_FOUND")
            let owner = try notes.ada.lookUp("A")["zoneID"]["ownerRecordName"]
            let named: JSON = [
                "records": [["recordName": "A"]], "zoneID": ["zoneName": "Notes", "ownerRecordName": owner],
            ]
            try expectRefused(try grace.post("records/lookup", .private, named), "ZONE_NOT_FOUND")
            try expectSuccess(try notes.ada.post("records/lookup", .private, named))
        }

        @Test func theOwnerMayBeNamedByAlias() throws {
            try ada.create("A")
            for alias in ["_defaultOwner", "__defaultOwner__"] {
                let body: JSON = [
                    "records": [["recordName": "A"]],
                    "zoneID": ["zoneName": "Notes", "ownerRecordName": .string(alias)],
                ]
                expectRecord(try ada.answer("records/lookup", body)["records"][0], name: "A")
            }
        }
    }
}
