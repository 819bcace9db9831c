package import CloudKitSchema
package import CloudKitWire
import NephosDomain
package import NephosRunner
package import NephosStorage

/// Checks the roles and grants of a schema.
package struct Lint: Sendable {
    /// Errors first, then by subject.
    package let findings: [LintFinding]

    /// - Parameter held: Names of the roles that have holders.
    package init(_ schema: Schema, held: Set<Name>) {
        var found: [LintFinding.Kind] = []
        for type in schema.recordTypes {
            let look = TypeLint(type)
            found += look.grants + look.sorts
        }
        for role in schema.roles {
            if schema.recordTypes.allSatisfy({ $0[rightsOf: role].isEmpty }) {
                found.append(.roleWithoutGrants(role: role))
            }
            if !held.contains(role) { found.append(.roleWithoutHolders(role: role)) }
        }
        findings = found.map(LintFinding.init).enumerated()
            .sorted { ($0.element.severity, $0.offset) < ($1.element.severity, $1.offset) }.map(\.element)
    }
}

/// One record type.
private struct TypeLint {
    private let type: Schema.RecordType
    private let name: Name
    private let world, icloud, creator: Schema.Rights
    /// The container's own roles with grants on this type, and their rights.
    private let own: [(role: Name, rights: Schema.Rights)]

    init(_ type: Schema.RecordType) {
        self.type = type
        name = type.name
        world = type[rightsOf: Schema.BuiltInRole.world]
        icloud = type[rightsOf: Schema.BuiltInRole.icloud]
        creator = type[rightsOf: Schema.BuiltInRole.creator]
        own = type.grants.filter { !Schema.BuiltInRole.all.contains($0.key) }.map { ($0.key, $0.value) }
            .sorted { $0.0 < $1.0 }
    }

    /// Roles that maintain the type.
    private var keepers: [Name] { own.filter { !$0.rights.isDisjoint(with: [.create, .write]) }.map(\.role) }
    private var isWorldReadable: Bool { !world.union(icloud).isDisjoint(with: .read) }
    /// What people add is visible only to them and a role: the type exists for additions.
    private var isDropBox: Bool { creator.contains(.read) && !isWorldReadable }

    var grants: [LintFinding.Kind] {
        var found: [LintFinding.Kind] = []
        if !keepers.isEmpty, !icloud.isDisjoint(with: [.create, .write]) {
            found += keepers.map { .roleGuardsNothing(role: $0, type: name) }
        } else {
            if icloud.contains(.write) { found.append(.anyoneMayWrite(type: name)) }
            if !own.isEmpty, icloud.contains(.create), !isDropBox { found.append(.anyoneMayCreate(type: name)) }
        }
        if creator.contains(.write), !isWorldReadable, !creator.contains(.read) {
            found.append(.creatorCannotRead(type: name))
        }
        if creator.contains(.create) { found.append(.createForCreator(type: name)) }
        return found
    }

    /// Content that everybody reads and a role maintains. Its readers want the newest first, by modification time or by a time
    /// field.
    var sorts: [LintFinding.Kind] {
        guard isWorldReadable, !keepers.isEmpty else { return [] }
        var found: [LintFinding.Kind] = []
        let times: [Schema.SystemField] = [.modTime, .createTime]
        if times.allSatisfy({ !type[optionsOf: $0].contains(.sortable) }) {
            found.append(.sortWithoutIndex(type: name, field: Schema.SystemField.modTime.name))
        }
        for field in type.fields where field.isTimeToSortBy && !field.options.contains(.sortable) {
            found.append(.sortWithoutIndex(type: name, field: field.name))
        }
        return found
    }
}

extension Schema.Field {
    /// A TIMESTAMP whose name suggests a publication time: `publishedAt`, `startDate`, `date`.
    fileprivate var isTimeToSortBy: Bool {
        guard type.kind == .timestamp, !type.isEncrypted else { return false }
        let text = name.text
        return ["At", "Date", "Time", "On"].contains(where: text.hasSuffix)
            || ["date", "time", "timestamp"].contains(text)
    }
}

extension Administration {
    /// Checks the roles and grants of an environment, and their holders.
    package func lint(_ tenant: Tenant) throws(AdminError) -> [LintFinding] {
        let store = try store(tenant)
        var held: Set<Int64> = []
        try forEachHolder(in: store) { _, roles in held.formUnion(roles) }
        let schema = try schema(of: tenant)
        return Lint(schema, held: Set(schema.roles.filter { held.contains(RoleRow(named: $0).number) })).findings
    }
}
