import CloudKitWire
import NephosStorage

/// The schema for the items of one request: the catalog, and what earlier items added to it.
///
/// In development the schema grows with what is saved; production refuses what is not in it.
struct SchemaGrowth {
    private let catalog: Catalog
    private let limits: DomainLimits
    private var newTypes: [Name: RecordTypeRow] = [:]
    private var newFields: [Name: [Name: FieldRow]] = [:]
    private var newTypesInOrder: [Name] = []
    private var newFieldsInOrder: [FieldRow] = []

    init(_ context: RequestContext) {
        catalog = context.catalog
        limits = context.limits
    }

    /// Whether this request has added anything so far.
    var hasGrown: Bool { !newTypes.isEmpty || !newFields.isEmpty }

    /// The fields of one type, looked up once for several queries.
    struct Fields {
        fileprivate let stored: [Name: KnownField]
        fileprivate let new: [Name: FieldRow]

        subscript(_ name: Name) -> KnownField? {
            stored[name] ?? new[name].map { KnownField($0.kind, isEncrypted: $0.isEncrypted) }
        }

        /// Whether saving this field adds it to the schema.
        fileprivate func lack(_ field: PatchedField) -> Bool {
            field.type != .unknownList && stored[field.name] == nil && new[field.name] == nil
        }
    }

    func fields(of type: Name) -> Fields {
        Fields(stored: catalog.types[type]?.knownFields ?? [:], new: newFields[type] ?? [:])
    }

    /// The row of a type that exists or has been added, with number and epoch.
    func row(_ type: Name) -> RecordTypeRow? { catalog.types[type]?.row ?? newTypes[type] }

    /// Adds what a saved item needs.
    ///
    /// - Throws: ``Refusal/badRequest(_:)`` in production for a type or field that is not deployed, and in development above the
    ///   limits of a schema.
    mutating func absorb(_ type: Name, _ fields: [PatchedField]) throws(Refusal) {
        let isNew = catalog.types[type] == nil
        let known = self.fields(of: type)
        guard isNew || fields.contains(where: known.lack) else { return }
        var grown = self
        if isNew, newTypes[type] == nil { try grown.add(type) }
        let lacking = isNew ? grown.fields(of: type) : known
        for field in fields where lacking.lack(field) { try grown.add(field, to: type) }
        self = grown
    }

    private mutating func add(_ type: Name) throws(Refusal) {
        if type != ShareType.name {
            try requireDevelopment("did not find record type: \(type)")
            try NameRules.checkType(type)
        }
        guard catalog.types.count + newTypes.count < limits.typesMax else {
            throw .limitExceeded("a development schema can have at most \(limits.typesMax) record types")
        }
        let number = catalog.nextTypeNumber + TypeNumber(newTypes.count)
        let row = RecordTypeRow(number: number, name: type.owned)
        newTypes[row.name] = row
        newTypesInOrder.append(row.name)
        guard type == ShareType.name else { return }
        for field in ShareType.fields(of: row) {
            newFields[row.name, default: [:]][field.name] = field
            newFieldsInOrder.append(field)
        }
    }

    private mutating func add(_ field: PatchedField, to type: Name) throws(Refusal) {
        try requireDevelopment("record type \(type) has no field '\(field.name)'")
        guard let row = row(type) else { throw .failed }
        let before = catalog.fieldCount
        guard before + newFieldsInOrder.count < limits.schemaFieldsMax else {
            throw .limitExceeded("a development schema can have at most \(limits.schemaFieldsMax) fields")
        }
        let new = FieldRow(justInTime: field, of: row)
        newFields[type.owned, default: [:]][new.name] = new
        newFieldsInOrder.append(new)
    }

    private func requireDevelopment(_ reason: String) throws(Refusal) {
        guard catalog.head.tenant.environment == .development else {
            throw .notDeployed(reason)
        }
    }

    /// The rows to write.
    var writes: [CatalogWrite] {
        var rows: [CatalogRow] = []
        for name in newTypesInOrder {
            guard let type = newTypes[name] else { continue }
            rows.append(.type(type))
            for (role, rights) in RecordType.justInTimeGrants.sorted(by: { $0.key < $1.key }) {
                rows.append(.grant(GrantRow(type: type.number, role: role, rights: rights)))
            }
            for var field in catalog.fieldsOfNewTypes {
                field.type = type.number
                rows.append(.field(field))
            }
        }
        rows += newFieldsInOrder.map { .field($0) }
        return rows.map { CatalogWrite(new: $0) }
    }
}
