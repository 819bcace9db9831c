import CloudKitSchema
import CloudKitWire
import NephosStorage

/// The rows that change the schema of a catalog to another one.
///
/// A record type keeps its number, and so does a role of the same name. A type that loses a field gets a new epoch, and fields
/// added to it belong to that epoch: so records saved before hide their values of removed fields.
struct SchemaWrites {
    private let catalog: Catalog
    private var removed: [CatalogRow] = []
    private var changed: [CatalogWrite] = []
    private var added: [CatalogRow] = []
    private var roles: [Name: RoleRow]

    /// - Throws: ``Refusal/badRequest(_:)`` if two roles would get the same number.
    init(from catalog: Catalog, to schema: Schema) throws(Refusal) {
        self.catalog = catalog
        roles = catalog.roles
        try writeRoles(schema.roles)
        for (name, type) in catalog.types.sorted(by: { $0.key < $1.key }) where schema[type: name] == nil {
            remove(type)
        }
        var number = catalog.nextTypeNumber
        for new in schema.recordTypes {
            if let old = catalog.types[new.name] {
                change(old, to: new)
            } else {
                add(new, number: number)
                number += 1
            }
        }
    }

    /// Removals first, because additions may take their place.
    var writes: [CatalogWrite] {
        removed.map { CatalogWrite(old: $0, new: nil) } + changed + added.map { CatalogWrite(new: $0) }
    }

    // MARK: Roles

    private mutating func writeRoles(_ names: [Name]) throws(Refusal) {
        let own = catalog.roles.values.filter { $0.number > RoleRow.lastReserved }.sorted { $0.number < $1.number }
        for role in own where !names.contains(role.name) {
            removed.append(.role(role))
            roles[role.name] = nil
        }
        for name in names where roles[name] == nil {
            let role = RoleRow(named: name)
            if let other = roles.values.first(where: { $0.number == role.number }) {
                throw .badRequest("role \(name) has the same number as role \(other.name): choose another name")
            }
            roles[role.name] = role
            added.append(.role(role))
        }
    }

    // MARK: Record types

    private mutating func remove(_ type: RecordType) {
        removed.append(.type(type.row))
        removed += type.fields.values.sorted { $0.name < $1.name }.map { .field($0) }
        removed += type.grants.sorted { $0.key < $1.key }.map { .grant(type.grant($0.key, $0.value)) }
    }

    private mutating func add(_ new: Schema.RecordType, number: TypeNumber) {
        let type = RecordTypeRow(number: number, name: new.name.owned)
        added.append(.type(type))
        added += new.rows.map { .field(FieldRow($0, of: type)) }
        for (role, rights) in grants(of: new) {
            added.append(.grant(GrantRow(type: number, role: role, rights: rights)))
        }
    }

    private mutating func change(_ old: RecordType, to new: Schema.RecordType) {
        let wanted = Dictionary(uniqueKeysWithValues: new.rows.map { ($0.name, $0) })
        let lost = old.fields.values.filter { row in !row.isOfSystem && !row.remains(as: wanted[row.name]) }
        var type = old.row
        if !lost.isEmpty {
            type.epoch += 1
            changed.append(CatalogWrite(old: .type(old.row), new: .type(type)))
        }
        for row in old.fields.values.sorted(by: { $0.name < $1.name })
        where wanted[row.name] == nil || lost.contains(row) {
            removed.append(.field(row))
        }
        for field in new.rows {
            guard let row = old.fields[field.name], !lost.contains(row) else {
                added.append(.field(FieldRow(field, of: type)))
                continue
            }
            var next = FieldRow(field, of: type)
            next.epoch = row.epoch
            if next != row { changed.append(CatalogWrite(old: .field(row), new: .field(next))) }
        }
        changeGrants(of: old, to: new)
    }

    // MARK: Grants

    private func grants(of type: Schema.RecordType) -> [(role: Int64, rights: GrantRow.Rights)] {
        type.grants.compactMap { name, rights in roles[name].map { ($0.number, GrantRow.Rights(rights)) } }
            .sorted { $0.role < $1.role }
    }

    private mutating func changeGrants(of old: RecordType, to new: Schema.RecordType) {
        let wanted = grants(of: new)
        for (role, rights) in old.grants.sorted(by: { $0.key < $1.key })
        where !wanted.contains(where: { $0.role == role }) {
            removed.append(.grant(old.grant(role, rights)))
        }
        for (role, rights) in wanted where old.grants[role] != rights {
            let row = CatalogRow.grant(old.grant(role, rights))
            if let stored = old.grants[role] {
                changed.append(CatalogWrite(old: .grant(old.grant(role, stored)), new: row))
            } else {
                added.append(row)
            }
        }
    }
}

extension RecordType {
    fileprivate func grant(_ role: Int64, _ rights: GrantRow.Rights) -> GrantRow {
        GrantRow(type: row.number, role: role, rights: rights)
    }
}

extension FieldRow {
    /// A field that a schema change adds.
    fileprivate init(_ field: Schema.Field, of type: RecordTypeRow) {
        let isOfSystem = Schema.SystemField(name: field.name) != nil
        self.init(
            type: type.number, name: field.name.owned, kind: field.type.kind, isEncrypted: field.type.isEncrypted,
            options: Options(rawValue: field.storedOptions), epoch: isOfSystem ? 0 : type.epoch)
    }

    /// Whether stored values are valid for the new field.
    fileprivate func remains(as new: Schema.Field?) -> Bool {
        guard let new,
            let old = Schema.Field(
                name: name, kind: kind, isEncrypted: isEncrypted, storedOptions: options.rawValue)
        else { return false }
        return old.type.mayBecome(new.type)
    }
}
