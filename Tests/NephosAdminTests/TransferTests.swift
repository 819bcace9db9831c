import CloudKitWire
import NephosAdmin
import NephosDomain
import NephosRunner
import NephosStorage
import Testing

/// docs/running.md, "Exporting and importing records".
@Suite("Importing and exporting records of a person's own zone") struct TransferTests {
    @Test("An import writes to the given zone, and an export contains its records only") func zone() async throws {
        let cloud = try Cloud()
        try await cloud.importSchema("RECORD TYPE Item (r REFERENCE, n INT64, \(Cloud.grants));")
        let mary = try await cloud.person("mary@example.org")
        try await mary.createZone("Own")
        _ = try await mary.modify("create", "elsewhere", type: "Item", in: .private)
        let session = try await cloud.admin.createSession(in: Cloud.development, email: "mary@example.org")
        let inputs: InputTexts = [
            "container": [Cloud.container], "type": ["Item"], "database-type": ["private"], "zone-name": ["Own"],
            "session": [session],
        ]
        let line = #"""
            {"recordName":"a","fields":{"n":{"value":7},"r":{"value":{"recordName":"b","action":"DELETE_SELF","zoneID":\#
            {"zoneName":"Other","ownerRecordName":"_0"}}}}}
            """#
        let imported = ScriptedCall(cloud.fixture, input: "\(line)\n{\"recordName\":\"b\"}\n")
        _ = try await imported.run("records import", of: .records, inputs)
        let fields = try mary.lookUp("a", zone: "Own", in: .private)
        #expect(
            fields.contains(#""n":{"type":"INT64","value":7}"#) && fields.contains(#""zoneName":"Own""#), "\(fields)")
        #expect(try mary.lookUp("a", in: .private) == "NOT_FOUND")
        let place = RecordPlace(tenant: Cloud.development, scope: .private, session: session)
        var pages = try cloud.admin.pages(of: "Item", in: place, zone: "Own")
        var names: [String] = []
        while let page = try pages.next() { names += page.map(\.record.row.name.text) }
        #expect(names == ["a", "b"])
        #expect(throws: AdminError.self) {
            _ = try cloud.admin.pages(of: "Item", in: place, zone: "None")
        }
        #expect(try cloud.check().isEmpty)
    }

    @Test("An import that must not change records overwrites none that changed meanwhile")
    func kept() async throws {
        let cloud = try Cloud()
        try await cloud.importSchema("RECORD TYPE Item (n INT64, \(Cloud.grants));")
        let ada = try await cloud.person("ada@example.org")
        _ = try await ada.modify("create", "a", type: "Item", fields: #"{"n":{"value":1}}"#)
        let inputs: InputTexts = ["container": [Cloud.container], "type": ["Item"]]
        let line = #"{"recordName":"a","fields":{"n":{"value":2}}}"#
        let failure = await #expect(throws: Failure.self) {
            try await ScriptedCall(cloud.fixture, input: line).run("records import", of: .records, inputs)
        }
        #expect(failure?.text.hasPrefix("Line 1: record a already exists with other fields.") == true)
        #expect(try ada.lookUp("a").contains("1"))
        let updating = inputs.merging(["update": ["yes"]]) { $1 }
        _ = try await ScriptedCall(cloud.fixture, input: line).run("records import", of: .records, updating)
        #expect(try ada.lookUp("a").contains("2"))
    }
}
