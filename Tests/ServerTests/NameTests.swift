import NephosTesting
import Testing

extension ServerTests {
    /// docs/protocol.md, N1 to N4.
    @Suite struct NameTests {
        let ada: CloudKitClient

        init() throws { ada = try Notes.shared("NameTests").ada }

        static let good = [
            "a", "A b", "emoji 🦄", "../..", "a/b?c#d&e=f%20", "\"quoted\" \\", "'; drop table", ".", "-", "\u{E9}",
            "e\u{301}", String(repeating: "x", count: 255), String(repeating: "🦄", count: 63), "NULL", "a_", "\u{200B}",
        ]
        static let bad = [
            "", "_", "_a", String(repeating: "x", count: 256), String(repeating: "🦄", count: 64), "a\u{0}b", "\n",
            "a\u{7F}", "\u{85}", "\t",
        ]

        @Test func aGoodNameIsKeptByteForByte() throws {
            for (name, saved) in zip(NameTests.good, try ada.modify(NameTests.good.map { operation("create", $0) })) {
                expectRecord(saved, name: name)
            }
            for (name, read) in zip(NameTests.good, try ada.lookUp(NameTests.good)) { expectRecord(read, name: name) }
        }

        @Test(arguments: bad) func aBadRecordNameIsRefused(name: String) throws {
            for type in ["create", "forceUpdate", "forceReplace"] {
                expectItem(try ada.modify(operation(type, name), atomic: false), refusedWith: "BAD_REQUEST")
            }
        }

        @Test func zonesAreNamedByTheSameRules() throws {
            let good = NameTests.good.filter { $0 != "_defaultZone" }
            for (name, zone) in zip(good, try ada.modifyZones("create", good)) {
                #expect(zone["zoneID"]["zoneName"] == .string(name), "\(zone)")
            }
            for zone in try ada.modifyZones("create", NameTests.bad) {
                #expect(zone["serverErrorCode"] == "BAD_REQUEST", "\(zone)")
            }
        }

        @Test(arguments: ["", "1a", "_a", "a b", "a-b", "é", "a.b", "cloudkit.share"])
        func aBadTypeNameIsRefused(type: String) throws {
            expectItem(
                try ada.modify(operation("create", "A", type: type), atomic: false), refusedWith: "BAD_REQUEST")
        }

        @Test func aNameOfAnotherTypeIsTaken() throws {
            try ada.create("taken")
            expectItem(
                try ada.modify(operation("create", "taken", type: "Other"), atomic: false), refusedWith: "EXISTS")
        }
    }
}
