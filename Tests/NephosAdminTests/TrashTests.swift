import CloudKitWire
import NephosAdmin
import NephosDomain
import NephosRunner
import NephosStorage
import Testing

/// docs/protocol.md T1 to T5.
@Suite("Deleted public records can be restored") struct TrashTests {
    private static let schema = """
        RECORD TYPE Item (a STRING, r REFERENCE, \(Cloud.grants));
        """

    private func cloud() async throws -> (Cloud, Person) {
        let cloud = try Cloud()
        try await cloud.importSchema(Self.schema)
        return (cloud, try await cloud.person("ada@example.org"))
    }

    private func restore(_ name: String, _ cloud: Cloud) async throws -> RecordRow {
        try await cloud.admin.restoreRecord(named: name, in: Cloud.development).record.row
    }

    @Test("A record is restored with its name, fields, creator and time of creation, at a new position in the order")
    func restored()
        async throws
    {
        let (cloud, ada) = try await cloud()
        _ = try await ada.modify("create", "x", type: "Item", fields: #"{"a":{"value":"1"}}"#)
        let before = try ada.record("x")
        cloud.fixture.clock.advance(by: 1000)
        #expect(try await ada.modify("delete", "x") == "deleted")
        let trash = try cloud.admin.trash(of: Cloud.development, limit: 9)
        #expect(trash.map(\.name) == ["x"] && trash.map(\.type) == ["Item"])
        #expect(trash.map(\.deletedBy) == [ada.userRecordName])
        cloud.fixture.clock.advance(by: 1000)
        _ = try await restore("x", cloud)
        let after = try ada.record("x")
        #expect(after.fields == before.fields && after.createdBy == before.createdBy)
        #expect(after.createdAt == before.createdAt && after.modifiedAt > before.modifiedAt)
        #expect(after.tagSequence > before.tagSequence + 1)
        #expect(try cloud.admin.trash(of: Cloud.development, limit: 9).isEmpty)
        #expect(try await ada.modify("forceUpdate", "x", fields: #"{"a":{"value":"2"}}"#).contains("2"))
        #expect(try cloud.check().isEmpty)
    }

    @Test("Cascaded deletions are in the trash too, and can be restored only in the right order")
    func cascades() async throws {
        let (cloud, ada) = try await cloud()
        _ = try await ada.modify("create", "root", type: "Item")
        let holder = #"{"r":{"value":{"recordName":"root","action":"DELETE_SELF"}}}"#
        _ = try await ada.modify("create", "holder", type: "Item", fields: holder)
        _ = try await ada.modify("create", "parent", type: "Item")
        _ = try await ada.modify("create", "child", type: "Item", parent: "parent")
        for name in ["root", "child", "parent"] { #expect(try await ada.modify("delete", name) == "deleted") }
        #expect(
            Set(try cloud.admin.trash(of: Cloud.development, limit: 9).map(\.name))
                == ["root", "holder", "child", "parent"])
        await #expect(throws: AdminError.self) { try await restore("child", cloud) }
        _ = try await restore("parent", cloud)
        _ = try await restore("child", cloud)
        #expect(try ada.record("child").parent == "parent")
        #expect(try await ada.modify("delete", "parent") == "VALIDATING_REFERENCE_ERROR")
        // The holder may be restored without its root: such references may dangle.
        _ = try await restore("holder", cloud)
        _ = try await restore("root", cloud)
        #expect(try await ada.modify("delete", "root") == "deleted")
        #expect(try ada.lookUp("holder") == "NOT_FOUND")
        #expect(try cloud.check().isEmpty)
    }

    // docs/protocol.md R6
    @Test("Records of a background cascade are in the trash too") func largeCascades() async throws {
        var (cloud, ada) = try await cloud()
        ada.limits.cascadeMax = 3
        _ = try await ada.modify("create", "n0", type: "Item")
        for index in 1..<8 {
            let holder = #"{"r":{"value":{"recordName":"n\#(index - 1)","action":"DELETE_SELF"}}}"#
            _ = try await ada.modify("create", "n\(index)", type: "Item", fields: holder)
        }
        #expect(try await ada.modify("delete", "n0") == "deleted")
        #expect(try cloud.admin.trash(of: Cloud.development, limit: 9).map(\.name) == ["n0"])
        let store = try cloud.store()
        let waiting = PendingCascadeRow.waiting(limit: 16)
        while let step = ContinueCascades(try store.rows(waiting), now: cloud.fixture.clock.read()) {
            try await store.commit(step.reading, decide: step.decide)
        }
        let trash = try cloud.admin.trash(of: Cloud.development, limit: 9)
        #expect(Set(trash.map(\.name)) == Set((0..<8).map { Name("n\($0)") }))
        #expect(trash.filter { $0.deletedBy == nil }.count == 7)
        #expect(try cloud.check().isEmpty)
    }

    @Test("Restoring is rejected if the name is taken, the type is removed or nothing was deleted") func refused()
        async throws
    {
        let (cloud, ada) = try await cloud()
        _ = try await ada.modify("create", "x", type: "Item")
        _ = try await ada.modify("delete", "x")
        _ = try await ada.modify("create", "x", type: "Item")
        await #expect(throws: AdminError.recordExists("x", Cloud.development)) { try await restore("x", cloud) }
        await #expect(throws: AdminError.notInTrash("y", Cloud.development)) { try await restore("y", cloud) }
        _ = try await ada.modify("delete", "x")
        // Of two with the same name the one deleted last comes first.
        cloud.fixture.clock.advance(by: 1000)
        _ = try await restore("x", cloud)
        #expect(try cloud.admin.trash(of: Cloud.development, limit: 9).count == 1)
        _ = try await ada.modify("delete", "x")
        try await cloud.importSchema("RECORD TYPE Other ();")
        let trash = try cloud.admin.trash(of: Cloud.development, limit: 9)
        #expect(trash.count == 2 && trash.allSatisfy { $0.type == nil })
        await #expect(throws: AdminError.self) { try await restore("x", cloud) }
        #expect(try cloud.check().isEmpty)
    }

    /// Deletes records that may have children as the administrator, those created last first.
    private func wipe(_ names: [String], _ cloud: Cloud) async throws {
        for chunk in stride(from: 0, to: names.count, by: 200) {
            let operations = names.reversed()[chunk..<min(chunk + 200, names.count)].map {
                #"{"operationType":"forceDelete","record":{"recordName":"\#($0)"}}"#
            }
            for outcome in try await cloud.administrator.modify(
                json: #"{"operations":[\#(operations.joined(separator: ","))]}"#)
            {
                guard case .deleted = outcome else { throw StorageError.failed("\(outcome)") }
            }
        }
    }

    // docs/protocol.md T5
    @Test("A wiped data set is restored with one command, parents before children") func wiped() async throws {
        let (cloud, ada) = try await cloud()
        // A tree whose parents were created first, with names in reverse order.
        let names = (0..<450).map { "n\(999 - $0)" }
        for (index, chunk) in stride(from: 0, to: 450, by: 150).enumerated() {
            let operations = names[chunk..<chunk + 150].enumerated().map { place, name in
                let number = index * 150 + place
                let parent = number == 0 ? "" : #","parent":{"recordName":"\#(names[(number - 1) / 3])"}"#
                return #"""
                    {"operationType":"create","record":{"recordName":"\#(name)","recordType":"Item"\#(parent),\#
                    "fields":{"a":{"value":"\#(number)"}}}}
                    """#
            }
            _ = try await ada.modify(json: #"{"operations":[\#(operations.joined(separator: ","))]}"#)
        }
        _ = try await ada.modify("create", "kept", type: "Item")
        _ = try await ada.modify("delete", "kept")
        cloud.fixture.clock.advance(by: 1000)
        let time = cloud.fixture.clock.read()
        try await wipe(names, cloud)
        let before = try cloud.admin.trash(of: Cloud.development, limit: 1_000)
        let trial = try await cloud.admin.restoreRecords(
            of: "Item", deletedFrom: time, in: Cloud.development, isTrial: true)
        #expect(trial.count == 450 && trial.allSatisfy { $0.obstacle == nil })
        #expect(try cloud.admin.trash(of: Cloud.development, limit: 1_000) == before)
        #expect(try ada.lookUp(names[0]) == "NOT_FOUND")
        var progress: [Int] = []
        let restored = try await cloud.admin.restoreRecords(of: "Item", deletedFrom: time, in: Cloud.development) {
            done, all in
            progress.append(done)
            #expect(all == 450)
        }
        #expect(Set(restored) == Set(trial))
        #expect(progress.count > 2 && progress == progress.sorted() && progress.last == 450)
        for (number, name) in names.enumerated() {
            #expect(try ada.record(name).parent == (number == 0 ? nil : Name(names[(number - 1) / 3])))
            #expect(try ada.lookUp(name).contains("\"\(number)\""))
        }
        // What was deleted earlier stays deleted; repeating it changes nothing.
        #expect(try cloud.admin.trash(of: Cloud.development, limit: 9).map(\.name) == ["kept"])
        #expect(try await cloud.admin.restoreRecords(of: "Item", deletedFrom: time, in: Cloud.development).isEmpty)
        #expect(try cloud.check().isEmpty)
    }

    // docs/protocol.md T5
    @Test("A record that cannot be restored is listed with the reason, and blocks no other")
    func obstacles() async throws {
        let (cloud, ada) = try await cloud()
        try await cloud.importSchema(
            "RECORD TYPE Item (a STRING, r REFERENCE, \(Cloud.grants)); RECORD TYPE Other (\(Cloud.grants));")
        func validates(_ name: String) -> String { #"{"r":{"value":{"recordName":"\#(name)","action":"VALIDATE"}}}"# }
        _ = try await ada.modify("create", "other", type: "Other")
        _ = try await ada.modify("create", "child of other", type: "Item", parent: "other")
        _ = try await ada.modify("create", "grandchild", type: "Item", fields: validates("child of other"))
        _ = try await ada.modify("create", "taken", type: "Item")
        _ = try await ada.modify("create", "twice", type: "Item", fields: #"{"a":{"value":"first"}}"#)
        _ = try await ada.modify("delete", "twice")
        _ = try await ada.modify("create", "twice", type: "Item", fields: #"{"a":{"value":"second"}}"#)
        // Two that need each other: neither could be restored alone.
        _ = try await ada.modify(
            json: #"""
                {"operations":[{"operationType":"create","record":{"recordName":"one","recordType":"Item","fields":\#
                \#(validates("two"))}},{"operationType":"create","record":{"recordName":"two","recordType":"Item",\#
                "fields":\#(validates("one"))}}]}
                """#)
        let names = ["other", "child of other", "grandchild", "taken", "twice"]
        try await wipe(names, cloud)
        try await wipe(["one", "two"], cloud)
        _ = try await ada.modify("create", "taken", type: "Other")
        func restore(isTrial: Bool) async throws -> [Name: String] {
            let records = try await cloud.admin.restoreRecords(
                of: "Item", deletedFrom: 0, in: Cloud.development, isTrial: isTrial)
            return Dictionary(uniqueKeysWithValues: records.map { ($0.name, $0.obstacle ?? "") })
        }
        let trial = try await restore(isTrial: true)
        #expect(trial["twice"] == "" && trial["one"] == "" && trial["two"] == "")
        #expect(trial["taken"]?.contains("with its name") == true)
        #expect(trial["child of other"]?.contains("its parent 'other' does not exist") == true)
        #expect(trial["grandchild"]?.contains("'child of other' does not exist") == true)
        #expect(try await restore(isTrial: false) == trial)
        #expect(try ada.lookUp("twice").contains("second") && ada.lookUp("two").contains("one"))
        // First the parent, then the rest.
        _ = try await cloud.admin.restoreRecords(of: "Other", deletedFrom: 0, in: Cloud.development)
        let rest = try await restore(isTrial: false)
        #expect(rest["child of other"] == "" && rest["grandchild"] == "" && rest["taken"] != "")
        await #expect(throws: AdminError.self) {
            try await cloud.admin.restoreRecords(of: "Nothing", deletedFrom: 0, in: Cloud.development)
        }
        #expect(try cloud.check().isEmpty)
    }

    @Test("Records of private databases are not in the trash") func privateRecords() async throws {
        let (cloud, ada) = try await cloud()
        _ = try await ada.modify("create", "x", type: "Item", in: .private)
        #expect(try await ada.modify("delete", "x", in: .private) == "deleted")
        #expect(try cloud.admin.trash(of: Cloud.development, limit: 9).isEmpty)
    }

    @Test("A deletion by the administrator is recorded without a person") func administrator() async throws {
        let (cloud, ada) = try await cloud()
        _ = try await ada.modify("create", "x", type: "Item")
        let place = RecordPlace(tenant: Cloud.development, scope: .public, session: nil)
        try await cloud.admin.deleteRecord(named: "x", in: place)
        #expect(try cloud.admin.trash(of: Cloud.development, limit: 9).map(\.deletedBy) == [nil])
    }
}
