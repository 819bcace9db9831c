import CloudKitWire
import NephosAdmin
import NephosDomain
import NephosStorage
import NephosTesting
import Testing

/// docs/protocol.md R7: whose references prevent the deletion of a public record.
@Suite("Strangers cannot prevent the deletion of a public record") struct HoldersTests {
    private static let admin = #"GRANT READ, WRITE TO "Admin", "#

    /// `Item` with the grants of a row, and `Note`, which everybody may create.
    private static func schema(_ grants: String) -> String {
        """
        CREATE ROLE Admin;
        RECORD TYPE Item (r REFERENCE, \(grants));
        RECORD TYPE Note (r REFERENCE, GRANT READ TO "_world", GRANT CREATE TO "_icloud", GRANT WRITE TO "_creator");
        """
    }

    enum Who: String, CaseIterable { case ada, bob, mary, administrator }

    /// A cloud with the users ada and bob, mary who is an Admin, and the administrator.
    private struct People {
        let cloud: Cloud
        let ada: Person, bob: Person, mary: Person

        init() async throws {
            cloud = try Cloud()
            ada = try await cloud.person("ada@example.org")
            bob = try await cloud.person("bob@example.org")
            mary = try await cloud.person("mary@example.org")
            try await cloud.importSchema(HoldersTests.schema(Cloud.grants))
            _ = try await cloud.admin.assignRole("Admin", to: "mary@example.org", in: Cloud.container, [.development])
        }

        subscript(_ who: Who) -> Person {
            switch who {
            case .ada: ada
            case .bob: bob
            case .mary: mary
            case .administrator: cloud.administrator
            }
        }
    }

    private static func field(_ target: String, _ action: String) -> String {
        #"{"r":{"value":{"recordName":"\#(target)","action":"\#(action)"}}}"#
    }

    struct Row: CustomTestStringConvertible, Sendable {
        var grants: String
        var holder: Who
        var deleter: Who
        var keeps: Bool
        var testDescription: String { "\(holder)'s reference, \(deleter) deletes, \(grants)" }

        init(_ grants: String, _ holder: Who, _ deleter: Who, keeps: Bool) {
            (self.grants, self.holder, self.deleter, self.keeps) = (grants, holder, deleter, keeps)
        }
    }

    private static let creators = Cloud.grants
    private static let admins = admin + Cloud.grants
    private static let everybodys = #"GRANT READ TO "_world", GRANT CREATE, WRITE TO "_icloud""#

    /// Ada created the record.
    static let rows: [Row] = [
        Row(creators, .bob, .ada, keeps: false), Row(creators, .bob, .administrator, keeps: false),
        Row(creators, .mary, .ada, keeps: false), Row(creators, .ada, .ada, keeps: true),
        Row(creators, .ada, .administrator, keeps: true), Row(creators, .administrator, .ada, keeps: true),
        Row(admins, .bob, .ada, keeps: false), Row(admins, .bob, .mary, keeps: false),
        Row(admins, .mary, .ada, keeps: true), Row(admins, .mary, .mary, keeps: true),
        Row(admins, .ada, .mary, keeps: true), Row(admins, .bob, .administrator, keeps: false),
        Row(admins, .mary, .administrator, keeps: true), Row(everybodys, .bob, .ada, keeps: true),
        Row(everybodys, .bob, .mary, keeps: true),
    ]

    @Test("A reference prevents a deletion if its holder's creator has write access to the record", arguments: rows)
    func scenarios(_ row: Row) async throws {
        let people = try await People()
        for (name, kind) in [("p", "parent"), ("v", "VALIDATE")] {
            _ = try await people.ada.modify("create", name, type: "Item")
            let holder = people[row.holder]
            let saved =
                kind == "parent"
                ? try await holder.modify("create", "by \(kind)", type: "Note", parent: name)
                : try await holder.modify("create", "by \(kind)", type: "Note", fields: Self.field(name, kind))
            #expect(saved.hasPrefix("{"), "\(saved)")
        }
        try await people.cloud.importSchema(Self.schema(row.grants))
        for (name, kind) in [("p", "parent"), ("v", "VALIDATE")] {
            let expected = row.keeps ? "VALIDATING_REFERENCE_ERROR" : "deleted"
            #expect(try await people[row.deleter].modify("delete", name) == expected, "\(kind)")
            // It dangles, and does not prevent changes to its holder.
            #expect(try await people[row.holder].modify("forceUpdate", "by \(kind)").hasPrefix("{"))
        }
        #expect(try people.cloud.check().isEmpty)
    }

    @Test("References of a person who lost a role no longer prevent a deletion") func revoked() async throws {
        let people = try await People()
        try await people.cloud.importSchema(Self.schema(Self.admins))
        _ = try await people.ada.modify("create", "t", type: "Item")
        _ = try await people.mary.modify("create", "child", type: "Note", parent: "t")
        #expect(try await people.ada.modify("delete", "t") == "VALIDATING_REFERENCE_ERROR")
        _ = try await people.cloud.admin.revokeRole(
            "Admin", from: "mary@example.org", in: Cloud.container, [.development])
        #expect(try await people.ada.modify("delete", "t") == "deleted")
    }

    @Test("A stranger's DELETE_SELF record is deleted too, whatever else the stranger attached to it")
    func cascades() async throws {
        let people = try await People()
        _ = try await people.ada.modify("create", "t", type: "Item")
        _ = try await people.bob.modify("create", "s", type: "Note", fields: Self.field("t", "DELETE_SELF"))
        _ = try await people.bob.modify("create", "v", type: "Note", fields: Self.field("s", "VALIDATE"))
        // Bob's own reference prevents the deletion of bob's own record, but not in a cascade with ada's.
        #expect(try await people.bob.modify("delete", "s") == "VALIDATING_REFERENCE_ERROR")
        #expect(try await people.ada.modify("delete", "t") == "deleted")
        #expect(try people.bob.lookUp("s") == "NOT_FOUND" && people.bob.lookUp("v").hasPrefix("{"))
        // Her own reference prevents the deletion of her own record.
        _ = try await people.ada.modify("create", "t", type: "Item")
        _ = try await people.ada.modify("create", "s", type: "Item", fields: Self.field("t", "DELETE_SELF"))
        _ = try await people.bob.modify("create", "by bob", type: "Note", parent: "s")
        _ = try await people.ada.modify("create", "by ada", type: "Note", parent: "s")
        #expect(try await people.ada.modify("delete", "t") == "VALIDATING_REFERENCE_ERROR")
        #expect(try await people.ada.modify("delete", "by ada") == "deleted")
        #expect(try await people.ada.modify("delete", "t") == "deleted")
        #expect(try people.bob.lookUp("by bob").hasPrefix("{"))
    }

    @Test("The owner's own reference is found before and after many strangers' references") func crowds() async throws {
        var people = try await People()
        _ = try await people.ada.modify("create", "t", type: "Item")
        for index in 0..<20 { _ = try await people.bob.modify("create", "b\(index)", type: "Note", parent: "t") }
        _ = try await people.ada.modify("create", "own", type: "Note", parent: "t")
        #expect(try await people.ada.modify("delete", "t") == "VALIDATING_REFERENCE_ERROR")
        // The number of examined holders is limited; strangers' references within the limit do not cause a rejection.
        var ada = people.ada
        ada.limits.holdersMax = 5
        people = try await People()
        _ = try await people.ada.modify("create", "t", type: "Item")
        for index in 0..<20 { _ = try await people.bob.modify("create", "b\(index)", type: "Note", parent: "t") }
        ada = people.ada
        ada.limits.holdersMax = 5
        #expect(try await ada.modify("delete", "t") == "deleted")
    }

    static let seeds = Array(UInt64(1)...12)

    @Test("Random grants and holders agree with a plain model", arguments: seeds) func model(seed: UInt64) async throws
    {
        var random = SeededGenerator(seed: seed)
        let people = try await People()
        let somebody: [Who] = [.ada, .bob, .mary]
        let count = Int.random(in: 1...3, using: &random)
        let holders = (0..<count).map { _ in somebody.randomElement(using: &random) ?? .ada }
        let heir = somebody.randomElement(using: &random) ?? .ada
        _ = try await people.ada.modify("create", "t", type: "Item")
        _ = try await people[heir].modify("create", "s", type: "Item", fields: Self.field("t", "DELETE_SELF"))
        var targets: [String] = []
        for (index, holder) in holders.enumerated() {
            let target = Bool.random(using: &random) ? "t" : "s"
            targets.append(target)
            let fields = Self.field(target, "VALIDATE")
            _ = try await people[holder].modify("create", "h\(index)", type: "Note", fields: fields)
        }
        var grants: [String] = [#"GRANT READ TO "_world""#]
        var writers: Set<Who> = []
        if random.once(in: 4) {
            grants.append(#"GRANT WRITE TO "_icloud""#)
            writers = [.ada, .bob, .mary]
        }
        if Bool.random(using: &random) {
            grants.append(#"GRANT WRITE TO "Admin""#)
            writers.insert(.mary)
        }
        let creatorWrites = Bool.random(using: &random)
        if creatorWrites { grants.append(#"GRANT WRITE TO "_creator""#) }
        try await people.cloud.importSchema(Self.schema(grants.joined(separator: ", ")))

        func mayWrite(_ who: Who, _ creator: Who) -> Bool { writers.contains(who) || creatorWrites && who == creator }
        let isKept = zip(holders, targets).contains { holder, target in
            mayWrite(holder, .ada) && (target == "t" || mayWrite(holder, heir))
        }
        for deleter in [Who.ada, .bob, .mary, .administrator].shuffled(using: &random) {
            let mayDelete = deleter == .administrator || mayWrite(deleter, .ada)
            let expected = !mayDelete ? "ACCESS_DENIED" : isKept ? "VALIDATING_REFERENCE_ERROR" : "deleted"
            #expect(try await people[deleter].modify("delete", "t") == expected, "seed \(seed), \(deleter)")
            if expected == "deleted" { break }
        }
        #expect(try people.cloud.check().isEmpty)
    }

    @Test("A reference to a record does not reveal whether an unreadable record exists")
    func hidden() async throws {
        let people = try await People()
        let schema = Self.schema(#"GRANT READ, CREATE, WRITE TO "Admin""#)
        try await people.cloud.importSchema(schema)
        _ = try await people.mary.modify("create", "there", type: "Item")
        for (parent, fields) in [(true, "{}"), (false, "VALIDATE")] {
            func refusal(_ who: Person, _ name: String) async throws -> String {
                let refusal = try await who.refusal(
                    "create", "by \(name)", type: "Note", fields: parent ? fields : Self.field(name, fields),
                    parent: parent ? name : nil)
                return refusal.map { "\($0.serverErrorCode) \($0.reason)" } ?? "saved"
            }
            let there = try await refusal(people.bob, "there")
            let absent = try await refusal(people.bob, "where")
            #expect(there.contains("does not exist"))
            #expect(there.replacing("there", with: "X") == absent.replacing("where", with: "X"))
            #expect(try await refusal(people.mary, "there") == "saved")
            #expect(try await people.mary.modify("delete", "by there") == "deleted")
        }
    }

    @Test("A reason names the blocking record only to those who can read it")
    func reasons() async throws {
        let people = try await People()
        let secret = #"RECORD TYPE Secret (r REFERENCE, GRANT READ, CREATE, WRITE TO "Admin");"#
        try await people.cloud.importSchema(Self.schema(Self.admins) + secret)
        _ = try await people.ada.modify("create", "t", type: "Item")
        _ = try await people.mary.modify("create", "hush", type: "Secret", parent: "t")
        let told = try await people.ada.refusal("delete", "t")?.reason ?? ""
        #expect(
            told.contains("'t' cannot be deleted") && told.contains("not allowed to read") && !told.contains("hush"))
        #expect(try await people.mary.refusal("delete", "t")?.reason.contains("'hush' has it as parent") == true)
    }
}
