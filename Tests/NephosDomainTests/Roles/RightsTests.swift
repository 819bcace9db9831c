import CloudKitWire
import Foundation
import NephosStorage
import NephosTesting
import Testing

@testable import NephosDomain

/// Every caller, every right, every set of roles, compared with a direct implementation of docs/roles.md.
///
/// `SEED=42` reproduces one run.
@Suite("Grants and roles decide who can do what") struct RightsTests {
    enum Who: CaseIterable { case nobody, ada, adaAsAdmin, adaAsOther, keyOfAda, adminKey, administrator }

    static let seeds: [UInt64] =
        ProcessInfo.processInfo.environment["SEED"].flatMap(UInt64.init).map { [$0] } ?? Array(1...60)

    // docs/roles.md P1 to P7
    @Test("The rights of each class of people on records of a type match a simple model (S0-16)", arguments: seeds)
    func agreement(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var grants: [Int64: GrantRow.Rights] = [:]
        // Rights that nobody can have are stored as well: an imported file may contain them.
        for role in [RoleRow.world, .icloud, .creator, RightsFixture.admin] where !random.once(in: 4) {
            grants[role.number] = GrantRow.Rights(rawValue: Int64.random(in: 0...7, using: &random))
        }
        for who in Who.allCases {
            let desk = Self.desk(who, grants)
            let model = Model(who: who, grants: grants)
            let note: Comment = "seed \(seed), \(who), \(grants)"
            #expect(try desk.looksUp() == model.readable, note)
            #expect(try desk.queries() == (model.mayQuery ? model.readable : nil), note)
            #expect(try !desk.modifies("create", ["new"]).isEmpty == model.allows("create", own: false), note)
            for kind in ["forceUpdate", "forceReplace", "forceDelete"] {
                #expect(try desk.modifies(kind, ["ada's", "bob's"]) == model.writable, "\(kind), \(note)")
            }
        }
    }

    // docs/roles.md P9: the explanation matches the operations.
    @Test("What explain prints is what happens", arguments: seeds) func explanation(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var grants: [Int64: GrantRow.Rights] = [:]
        for role in [RoleRow.world, .icloud, .creator, RightsFixture.admin] where !random.once(in: 4) {
            grants[role.number] = GrantRow.Rights(rawValue: Int64.random(in: 0...7, using: &random))
        }
        let desk = Self.desk(.ada, grants)
        let type = try #require(desk.catalog.types["Item"])
        let table = AccessTable(type, of: desk.catalog, person: ["Admin"])
        func model(_ subject: AccessTable.Subject) -> (Model, own: Bool) {
            switch subject {
            case .anonymous: (Model(who: .nobody, grants: grants), false)
            case .signedIn: (Model(who: .ada, grants: grants), false)
            case .creator: (Model(who: .ada, grants: grants), true)
            case .role: (Model(who: .adaAsAdmin, grants: grants), false)
            case .person(_, let own): (Model(who: .adaAsAdmin, grants: grants), own)
            }
        }
        for line in table.lines {
            let (model, own) = model(line.subject)
            #expect(line.isAllowed == model.allows(line.right.rawValue, own: own), "seed \(seed): \(line)")
            #expect(line.isAllowed == line.why.hasPrefix("GRANT "), "seed \(seed): \(line)")
        }
    }

    // docs/roles.md P5
    @Test("Roles are read only if a type grants something to a custom role")
    func whenRolesAreRead() throws {
        let plain = RightsFixture(
            grants: RecordType.justInTimeGrants, caller: RightsFixture.person(RightsFixture.ada), roles: [])
        let guarded = RightsFixture(
            grants: [RightsFixture.admin.number: .write], caller: RightsFixture.person(RightsFixture.ada), roles: [])
        let request = try RecordsLookupRequest(json: Bytes(#"{"records":[{"recordName":"a"}]}"#))
        func memberships(_ desk: RightsFixture, _ scope: DatabaseScope, _ caller: Caller) throws -> [UserID] {
            let context = RequestContext(catalog: desk.catalog, caller: caller, scope: scope, now: 0)
            return try LookupRecords(request, context: context).reading.memberships
        }
        let ada = RightsFixture.person(RightsFixture.ada)
        #expect(try memberships(plain, .public, ada).isEmpty)
        #expect(try memberships(guarded, .public, ada) == [RightsFixture.ada])
        #expect(try memberships(guarded, .public, .serverKey(RightsFixture.bob)) == [RightsFixture.bob])
        #expect(try memberships(guarded, .public, .anonymous).isEmpty)
        #expect(try memberships(guarded, .public, .administrator).isEmpty)
        #expect(try memberships(guarded, .private, ada).isEmpty)
    }

    private static func desk(_ who: Who, _ grants: [Int64: GrantRow.Rights]) -> RightsFixture {
        let caller: Caller =
            switch who {
            case .nobody: .anonymous
            case .ada, .adaAsAdmin, .adaAsOther: RightsFixture.person(RightsFixture.ada)
            case .keyOfAda, .adminKey: .serverKey(RightsFixture.ada)
            case .administrator: .administrator
            }
        let roles: [Int64] =
            switch who {
            case .adaAsAdmin, .adminKey: [RightsFixture.admin.number]
            // Numbers of built-in roles in a user record are ignored.
            case .adaAsOther: [1, 2, 3, RightsFixture.other.number]
            case .nobody, .ada, .keyOfAda, .administrator: []
            }
        return RightsFixture(grants: grants, caller: caller, roles: roles)
    }

    /// A direct implementation of docs/roles.md.
    private struct Model {
        var who: Who
        var grants: [Int64: GrantRow.Rights]

        func allows(_ right: String, own: Bool) -> Bool {
            if who == .administrator { return true }
            let wanted: GrantRow.Rights = right == "read" ? .read : right == "create" ? .create : .write
            func has(_ role: RoleRow) -> Bool { grants[role.number]?.contains(wanted) ?? false }
            if who == .nobody { return right == "read" && has(.world) }
            if right == "read", has(.world) { return true }
            if has(.icloud) { return true }
            if who == .adaAsAdmin || who == .adminKey, has(RightsFixture.admin) { return true }
            return own && right != "create" && has(.creator)
        }

        private func names(_ right: String) -> Set<String> {
            var names: Set<String> = []
            let isAda = who != .nobody && who != .administrator
            if allows(right, own: isAda) { names.insert("ada's") }
            if allows(right, own: false) { names.insert("bob's") }
            return names
        }

        var readable: Set<String> { names("read") }
        var writable: Set<String> { names("write") }
        /// A caller who may read only their own records gets a result, even if it is empty.
        var mayQuery: Bool { allows("read", own: who != .nobody) }
    }
}
