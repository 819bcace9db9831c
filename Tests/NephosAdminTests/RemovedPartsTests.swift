import CloudKitWire
import NephosAdmin
import NephosDomain
import NephosStorage
import Testing

/// docs/protocol.md G4 to G6.
@Suite("Removed types and fields are hidden, and recreated ones are new") struct RemovedPartsTests {
    static let item =
        "RECORD TYPE Item (a STRING, b STRING, \(Cloud.grants));"
    static let withoutA =
        "RECORD TYPE Item (b STRING, \(Cloud.grants));"
    static let other =
        "RECORD TYPE Other (\(Cloud.grants));"

    private static func fields(_ a: String, _ b: String) -> String { #"{"a":{"value":"\#(a)"},"b":{"value":"\#(b)"}}"# }

    @Test("Records of a removed type cannot be looked up, changed or deleted") func removedType() async throws {
        let cloud = try Cloud()
        try await cloud.importSchema(Self.item)
        let ada = try await cloud.person("ada@example.org")
        _ = try await ada.modify("create", "x", type: "Item", fields: Self.fields("1", "2"))
        try await cloud.importSchema(Self.other)
        #expect(try ada.lookUp("x") == "NOT_FOUND")
        #expect(try await ada.modify("update", "x", type: "Item") == "NOT_FOUND")
        #expect(try await ada.modify("delete", "x") == "NOT_FOUND")
        #expect(try await ada.modify("forceDelete", "x") == "deleted")
        // Its content was not changed.
        try await cloud.importSchema(Self.other + Self.item)
        #expect(try ada.lookUp("x") == "NOT_FOUND", "the type that came again is another one")
        #expect(try cloud.check().isEmpty)
    }

    @Test("A save with the name of a hidden record replaces it") func replacing() async throws {
        let cloud = try Cloud()
        try await cloud.importSchema(Self.item)
        let ada = try await cloud.person("ada@example.org")
        let bob = try await cloud.person("bob@example.org")
        _ = try await ada.modify("create", "x", type: "Item", fields: Self.fields("1", "2"))
        let before = try ada.record("x")
        try await cloud.importSchema(Self.other)
        #expect(try await bob.modify("update", "x", type: "Other") == "NOT_FOUND")
        #expect(try await bob.modify("create", "x", type: "Other") == "{}")
        let after = try bob.record("x")
        #expect(after.createdBy.recordName == bob.userRecordName)
        #expect(after.number != before.number && after.tagSequence > before.tagSequence)
        #expect(try cloud.admin.trash(of: Cloud.development, limit: 9).isEmpty)
        #expect(try cloud.check().isEmpty)
    }

    @Test("Hidden records prevent no deletion: neither their parents nor their VALIDATE references count")
    func references() async throws {
        let cloud = try Cloud()
        try await cloud.importSchema(Self.other + "RECORD TYPE Holder (r REFERENCE);")
        let ada = try await cloud.person("ada@example.org")
        try await ada.createZone("Z")
        _ = try await ada.modify("create", "target", type: "Other", zone: "Z", in: .private)
        let reference = #"{"r":{"value":{"recordName":"target","action":"VALIDATE"}}}"#
        #expect(
            try await ada.modify(
                "create", "holder", type: "Holder", fields: reference, parent: "target", zone: "Z", in: .private
            ).contains("VALIDATE"))
        #expect(try await ada.modify("delete", "target", zone: "Z", in: .private) == "VALIDATING_REFERENCE_ERROR")
        try await cloud.importSchema(Self.other)
        // References to it are treated as references to a missing record.
        #expect(
            try await ada.modify(
                "create", "child", type: "Other", parent: "holder", zone: "Z", in: .private)
                == "VALIDATING_REFERENCE_ERROR")
        #expect(try await ada.modify("delete", "target", zone: "Z", in: .private) == "deleted")
        #expect(try cloud.check().isEmpty)
    }

    @Test("Feeds skip hidden records") func feeds() async throws {
        let cloud = try Cloud()
        try await cloud.importSchema(Self.item + Self.other)
        let ada = try await cloud.person("ada@example.org")
        try await ada.createZone("Z")
        for (name, type) in [("a", "Item"), ("b", "Other"), ("c", "Item"), ("d", "Other")] {
            _ = try await ada.modify("create", name, type: type, zone: "Z", in: .private)
        }
        #expect(try ada.feed("Z").names == ["a", "b", "c", "d"])
        let token = try ada.feed("Z").token
        _ = try await ada.modify("delete", "a", zone: "Z", in: .private)
        _ = try await ada.modify("delete", "b", zone: "Z", in: .private)
        try await cloud.importSchema(Self.other)
        #expect(try ada.feed("Z").names == ["d"])
        #expect(try ada.feed("Z", after: token).names == ["-b"])
    }

    @Test("A removed field is hidden, a recreated field is empty, and a save drops hidden values")
    func removedField() async throws {
        let cloud = try Cloud()
        try await cloud.importSchema(Self.item)
        let ada = try await cloud.person("ada@example.org")
        for name in ["x", "y"] {
            _ = try await ada.modify("create", name, type: "Item", fields: Self.fields("1", "2"))
        }
        let b = #"{"b":{"type":"STRING","value":"2"}}"#
        try await cloud.importSchema(Self.withoutA)
        #expect(try ada.lookUp("x") == b)
        try await cloud.importSchema(Self.item)
        #expect(try ada.lookUp("x") == b)
        // The response to a save, and the stored result.
        let merged = #"{"b":{"type":"STRING","value":"3"}}"#
        #expect(try await ada.modify("forceUpdate", "x", fields: #"{"b":{"value":"3"}}"#) == merged)
        #expect(try ada.lookUp("x") == merged)
        let whole = #"{"a":{"type":"STRING","value":"4"},"b":{"type":"STRING","value":"2"}}"#
        #expect(try await ada.modify("forceUpdate", "y", fields: #"{"a":{"value":"4"}}"#) == whole)
        #expect(try ada.lookUp("y") == whole)
        #expect(try cloud.check().isEmpty)
    }

    @Test("A record can be saved, and its target deleted, after the field with its only reference was removed")
    func referencesInRemovedFields() async throws {
        let cloud = try Cloud()
        try await cloud.importSchema(Self.other + "RECORD TYPE Holder (r REFERENCE, s STRING);")
        let ada = try await cloud.person("ada@example.org")
        _ = try await ada.modify("create", "target", type: "Other", in: .private)
        let reference = #"{"r":{"value":{"recordName":"target","action":"VALIDATE"}}}"#
        _ = try await ada.modify("create", "holder", type: "Holder", fields: reference, in: .private)
        try await cloud.importSchema(Self.other + "RECORD TYPE Holder (s STRING);")
        #expect(try await ada.modify("forceUpdate", "holder", in: .private) == "{}")
        #expect(try await ada.modify("delete", "target", in: .private) == "deleted")
        #expect(try cloud.check().isEmpty)
    }
}
