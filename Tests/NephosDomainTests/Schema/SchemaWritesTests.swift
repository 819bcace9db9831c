import CloudKitSchema
import CloudKitWire
import Foundation
import NephosStorage
import NephosTesting
import Testing

@testable import NephosDomain

/// The rows of the catalog under changes of the schema. `SEED=42` reproduces one run.
@Suite("A catalog becomes the given schema") struct SchemaWritesTests {
    static let seeds: [UInt64] =
        ProcessInfo.processInfo.environment["SEED"].flatMap(UInt64.init).map { [$0] } ?? Array(1...200)

    // docs/protocol.md G4 to G7
    @Test("Numbers stay the same across all changes, and epochs show what was removed", arguments: seeds)
    func changes(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var rows = CatalogTable()
        for step in 0..<6 {
            let old = rows.catalog
            let new = RandomSchema.make(using: &random).imported(over: old.schema)
            try rows.apply(SchemaWrites(from: old, to: new).writes)
            let catalog = rows.catalog
            #expect(catalog.schema == new, "seed \(seed), step \(step)")
            for type in new.recordTypes {
                let row = try #require(catalog.types[type.name])
                guard let before = old.types[type.name] else {
                    #expect(row.row.number > old.head.lastType && row.row.epoch == 0, "seed \(seed), step \(step)")
                    continue
                }
                #expect(row.row.number == before.row.number)
                let lost = before.fields.values.filter { field in
                    guard let now = row.fields[field.name] else { return !field.isOfSystem }
                    return now.kind != field.kind || now.isEncrypted != field.isEncrypted
                }
                #expect(row.row.epoch == before.row.epoch + (lost.isEmpty ? 0 : 1), "seed \(seed), step \(step)")
                for field in row.fields.values where !field.isOfSystem {
                    let stays = before.fields[field.name].map { old in !lost.contains { $0.name == old.name } } ?? false
                    let epoch = stays ? before.fields[field.name]?.epoch : row.row.epoch
                    #expect(field.epoch == epoch, "seed \(seed), step \(step): \(field.name)")
                }
            }
        }
    }

    // docs/schema.md: existing items are not written again.
    @Test("An unchanged schema writes nothing") func nothing() throws {
        var random = SeededGenerator(seed: 7)
        var rows = CatalogTable()
        let schema = RandomSchema.make(using: &random).imported(over: rows.catalog.schema)
        try rows.apply(SchemaWrites(from: rows.catalog, to: schema).writes)
        #expect(try SchemaWrites(from: rows.catalog, to: schema).writes.isEmpty)
    }

    // docs/roles.md P4
    @Test("A role has the number of its name, in both environments and when it is recreated")
    func roleNumbers() throws {
        #expect(RoleRow(named: "Admin").number == RoleRow(named: "Admin").number)
        #expect(RoleRow(named: "Admin").number != RoleRow(named: "admin").number)
        for name in ["", "a", "Admin", "test role", "Ü"] {
            let number = RoleRow(named: Name(name)).number
            #expect(number > 15 && number < 1 << 53 + 16)
        }
        var first = CatalogTable()
        var second = CatalogTable()
        let admin = Schema(roles: ["Admin"], recordTypes: [.users])
        let both = Schema(roles: ["Zoo", "Admin"], recordTypes: [.users])
        try first.apply(SchemaWrites(from: first.catalog, to: admin).writes)
        try second.apply(SchemaWrites(from: second.catalog, to: both).writes)
        #expect(first.catalog.roles["Admin"] == second.catalog.roles["Admin"])
        try first.apply(SchemaWrites(from: first.catalog, to: .ofNewContainer).writes)
        try first.apply(SchemaWrites(from: first.catalog, to: both).writes)
        #expect(first.catalog.roles["Admin"] == second.catalog.roles["Admin"])
    }

    @Test("A role whose number is taken is rejected, and nothing is written")
    func collision() throws {
        var rows = CatalogTable()
        let admin = RoleRow(named: "Admin")
        rows.rows.append(.role(RoleRow(number: admin.number, name: "Impostor")))
        let schema = Schema(roles: ["Admin", "Impostor"], recordTypes: [.users])
        #expect(throws: Refusal.self) { try SchemaWrites(from: rows.catalog, to: schema) }
    }

    // docs/roles.md P2
    @Test("Rights that the world cannot have are not exported")
    func prohibited() throws {
        var rows = CatalogTable()
        rows.rows.append(.type(RecordTypeRow(number: 9, name: "T")))
        rows.rows.append(.grant(GrantRow(type: 9, role: RoleRow.world.number, rights: [.read, .create, .write])))
        #expect(rows.catalog.schema[type: "T"]?.grants == ["_world": .read])
    }
}

/// The rows of a catalog as stored by an engine.
struct CatalogTable {
    var rows: [CatalogRow]
    private var lastType: TypeNumber = 1

    init() {
        rows =
            TenantSeed.standard(
                tenant: Tenant(container: "iCloud.test", environment: .development), signingKey: [], now: 0
            ).rows
    }

    var catalog: Catalog {
        Catalog(
            head: CatalogHead(
                tenant: Tenant(container: "iCloud.test", environment: .development), lastType: lastType,
                signingKey: [], createdAt: 0), rows: rows)
    }

    struct NoSuchRow: Error { var row: CatalogRow }

    mutating func apply(_ writes: [CatalogWrite]) throws {
        for write in writes {
            if let old = write.old {
                guard let index = rows.firstIndex(of: old) else { throw NoSuchRow(row: old) }
                rows.remove(at: index)
            }
            if let new = write.new {
                rows.append(new)
                if case .type(let type) = new { lastType = max(lastType, type.number) }
            }
        }
    }
}

/// Small schemas with much in common.
enum RandomSchema {
    static func make(using random: inout SeededGenerator) -> Schema {
        let roles = ["Admin", "Editor"].filter { _ in !random.once(in: 3) }.map { Name($0) }
        var types: [Schema.RecordType] = []
        for name in ["A", "B", "C"] where !random.once(in: 3) {
            types.append(type(Name(name), roles, using: &random))
        }
        if random.once(in: 2) {
            var users = Schema.RecordType.users
            users[field: "nick"] = field("nick", using: &random)
            types.append(users)
        }
        return Schema(roles: roles, recordTypes: types)
    }

    private static func type(_ name: Name, _ roles: [Name], using random: inout SeededGenerator) -> Schema.RecordType {
        let fields = ["a", "b", "c"].filter { _ in !random.once(in: 3) }.map { field(Name($0), using: &random) }
        var system: [Schema.SystemField: Schema.Options] = [:]
        if random.once(in: 2) { system[.modTime] = .sortable }
        if random.once(in: 2) { system[.recordID] = .queryable }
        var grants: [Name: Schema.Rights] = [:]
        for role in Schema.BuiltInRole.all + roles where random.once(in: 2) {
            let rights = Schema.Rights(rawValue: Int64.random(in: 1...7, using: &random))
            grants[role] = role == Schema.BuiltInRole.world ? .read : rights
        }
        return Schema.RecordType(name: name, fields: fields, systemOptions: system, grants: grants)
    }

    private static func field(_ name: Name, using random: inout SeededGenerator) -> Schema.Field {
        let kinds: [(FieldType, Bool)] = [(.string, false), (.string, true), (.int64, false), (.stringList, false)]
        let (kind, isEncrypted) = kinds[Int.random(in: 0..<kinds.count, using: &random)]
        guard let type = Schema.DataType(kind, isEncrypted: isEncrypted) else { return Schema.RecordType.userRoles }
        let options = random.once(in: 2) ? type.allowedOptions.intersection(.queryable) : []
        return Schema.Field(name: name, type: type, options: options)
    }
}
